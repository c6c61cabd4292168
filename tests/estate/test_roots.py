"""Which blocks of a repository count, and in which directories: what is only a module has no backend."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

import pytest

from migrate.estate import Survey, join
from migrate.estate.roots import doubled
from migrate.model import Known, Link, Place, Run
from migrate.text import Span
from tests.estate.world import NET, TABLE, site

DIRECTORY: Final = PurePosixPath("modules/net")
BLOCK: Final = (site("modules/net/main.tf", TABLE),)


def call(target: str, origin: str = "live/main.tf") -> Link:
    return Link("module", Place(NET, PurePosixPath(origin), 4), target)


CALLED: Final = (call("../modules/net"),)


def run(command: str, *backend_config: str, where: PurePosixPath = DIRECTORY) -> Run:
    script = PurePosixPath("ci.sh")
    return Run(NET, script, "script", "terraform", command, (), backend_config, Known(where), Span(0, 9), 1)


def marked(*names: str) -> Survey:
    return Survey(NET, BLOCK, links=CALLED, marks=frozenset(DIRECTORY / name for name in names))


@pytest.mark.parametrize(
    ("survey", "is_root"),
    [
        (Survey(NET, BLOCK), True),
        (Survey(NET, BLOCK, links=CALLED), False),
        (Survey(NET, BLOCK, links=(call("../modules/other"),)), True),
        (Survey(NET, BLOCK, links=(call("../modules/net", "live/terragrunt.hcl"),)), True),
        (Survey(NET, BLOCK, links=(Link("variables", CALLED[0].origin, "../modules/net"),)), True),
        (marked(".terraform.lock.hcl"), True),
        (marked("prod.tfvars"), True),
        (marked("main.tofu"), False),
        (marked("main.tf", "a.tf.json", "a.tofu.json"), False),
        (Survey(NET, BLOCK, links=CALLED, providers=frozenset({DIRECTORY})), True),
        (Survey(NET, BLOCK, links=CALLED, roots=frozenset({DIRECTORY})), True),
        (Survey(NET, BLOCK, links=CALLED, runs=(run("plan"),)), True),
        (Survey(NET, BLOCK, links=CALLED, runs=(run("apply"),)), True),
        (Survey(NET, BLOCK, links=CALLED, runs=(run(""),)), True),
        (Survey(NET, BLOCK, links=CALLED, runs=(run("init", "key=a"),)), True),
        (Survey(NET, BLOCK, links=CALLED, runs=(run("init"), run("validate"))), False),
        (Survey(NET, BLOCK, links=CALLED, runs=(run("plan", where=PurePosixPath("live")),)), False),
    ],
)
def test_a_module_is_a_root_too_unless_nothing_speaks_for_it(survey: Survey, is_root: bool) -> None:
    estate = join([survey])
    backends = [str(b.root) for stack in estate.stacks for b in stack.backends]
    idle = [one.why for one in estate.idle]
    why = "called as a module by live/main.tf:4 and nothing speaks for a root: its backend is ignored"
    assert (backends, idle) == ((["modules/net"], []) if is_root else ([], [why]))


def test_a_block_serves_each_directory_that_a_symlink_shows_it_in() -> None:
    one = site("net/main.tf", TABLE)
    links = {one.path: (PurePosixPath("prod/main.tf"), PurePosixPath("dev/main.tf"))}
    (stack,) = join([Survey(NET, (one,), aliases=links)]).stacks
    assert sorted(str(backend.root) for backend in stack.backends) == ["dev", "net", "prod"]


@pytest.mark.parametrize(
    ("paths", "second"),
    [
        (["net/a.tf", "net/b.tf"], ["net/b.tf:1"]),
        (["net/b.tf", "net/a.tf", "net/c.tf"], ["net/b.tf:1", "net/c.tf:1"]),
        (["net/a.tf", "app/a.tf"], []),
        (["net/a.tf", "net/a.tofu"], []),
        (["net/a.tofu", "net/b.tofu"], ["net/b.tofu:1"]),
        (["net/a.tf", "net/override.tf"], []),
        (["net/a.tf", "net/b_override.tf"], []),
    ],
)
def test_terraform_takes_one_block_of_a_directory(paths: list[str], second: list[str]) -> None:
    found = list(doubled(Survey(NET, tuple(site(path, TABLE) for path in paths))))
    assert [str(problem.where) for problem in found] == second
    assert {problem.kind for problem in found} <= {"ambiguous"}


def other(path: str, kind: str = "local") -> Link:
    return Link("backend", Place(NET, PurePosixPath(path), 2), kind)


@pytest.mark.parametrize(
    ("paths", "others", "counts"),
    [
        (["net/main.tf"], [], ["net/main.tf"]),
        (["net/main.tf"], ["net/override.tf"], []),
        (["net/main.tf"], ["net/dev_override.tf.json"], []),
        (["net/main.tf"], ["net/local.tf"], ["net/main.tf"]),
        (["net/main.tf"], ["app/override.tf"], ["net/main.tf"]),
        (["net/main.tf"], ["net/override.tofu"], ["net/main.tf"]),
        (["net/main.tofu"], ["net/override.tofu"], []),
        (["net/main.tf", "net/override.tf"], ["net/a_override.tf"], ["net/override.tf"]),
        (["net/main.tf", "net/a_override.tf"], ["net/override.tf"], []),
        (["net/main.tf", "net/b_override.tf"], ["net/a_override.tf", "net/c_override.tf"], []),
    ],
)
def test_an_override_of_another_kind_leaves_no_s3_backend(
    paths: list[str], others: list[str], counts: list[str]
) -> None:
    sites, links = tuple(site(path, TABLE) for path in paths), tuple(map(other, others))
    estate = join([Survey(NET, sites, links=links)])
    assert [str(b.inputs[0].path) for stack in estate.stacks for b in stack.backends] == counts
    if not counts:
        assert [(str(one.site.path), one.unless) for one in estate.dormant] == [
            (path, "without that override") for path in paths
        ]
        assert estate.idle[0].why == f"replaced as a whole by the backend local in {others[-1]}:2"


def test_what_is_no_block_of_terraform_is_no_second_one() -> None:
    block = site("net/main.tf", TABLE)
    beside = (site("net/x.tf", TABLE, role="reader"), site("net/a.hcl", TABLE, name="remote_state"))
    assert list(doubled(Survey(NET, (block, *beside)))) == []
