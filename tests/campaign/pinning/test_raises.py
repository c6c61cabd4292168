"""What becomes of the pins of a root: they go together, and a shared one only where all its roots can."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.campaign.pinning.raises import Raise, raises
from migrate.estate import Survey, join
from migrate.model import Known, Link, Pin, PinKind, Place, Refusal, RepoId, Site, Unknown
from migrate.text import Span
from migrate.versions import Tool
from tests.estate.world import NET, TABLE, site


def pin(path: str, version: str | Unknown, *, root: str = "", tool: Tool | None = "terraform") -> Pin:
    where = PurePosixPath(path)
    kind: PinKind = (
        "constraint" if path.endswith((".tf", ".hcl")) else "exact" if isinstance(version, str) else "unknown"
    )
    fact = Known(version) if isinstance(version, str) else version
    engine = None if kind == "constraint" and tool == "terraform" else tool
    workflow = path.endswith(".yml")
    below = PurePosixPath(root) if workflow else where.parent
    return Pin(
        NET, where, where.suffix or where.name, kind, engine, fact, Span(0, 0), 1, below, everywhere=workflow
    )


def answers(*found: Site | Pin | Link) -> dict[str, dict[str, str] | str]:
    """By root: the new texts by file, or why there are none."""
    sites = tuple(each for each in found if isinstance(each, Site))
    survey = Survey(
        NET,
        sites,
        links=tuple(each for each in found if isinstance(each, Link)),
        pins=tuple(each for each in found if isinstance(each, Pin)),
    )
    return {root: said(answer) for (_, root, *_), answer in raises(join([survey])).items()}


def said(answer: Raise | Refusal) -> dict[str, str] | str:
    if isinstance(answer, Refusal):
        return answer.why
    first = {"first": answer.first} if answer.first else {}
    return {str(pin.path): text for pin, text in answer.texts} | first


def root(name: str) -> Site:
    return site(f"{name}/main.tf", {**TABLE, "key": name})


NET_ROOT, APP_ROOT = root("net"), root("app")


@pytest.mark.parametrize(
    ("pins", "expected"),
    [
        ([], {"first": ">= 1.11.0"}),
        ([pin("net/v.tf", ">= 1.11")], None),
        ([pin("net/v.tf", ">= 1.5")], {"net/v.tf": ">= 1.11"}),
        (
            [pin("net/v.tf", ">= 1.5"), pin(".terraform-version", "1.9.8"), pin("ci.yml", "~1.9.7")],
            {"net/v.tf": ">= 1.11", ".terraform-version": "1.11.4", "ci.yml": "~1.11.4"},
        ),
        # a constraint that was raised before: what was left behind follows
        ([pin("net/v.tf", ">= 1.11"), pin("ci.yml", "1.9.8")], {"ci.yml": "1.11.4"}),
        ([pin("net/v.tf", "~> 1.12.0"), pin("ci.yml", "1.9.8")], {"ci.yml": "1.12.2"}),
        # high enough, or broken while the table is named
        ([pin("net/v.tf", ">= 1.11"), pin("ci.yml", "1.13.0")], None),
        ([pin("net/v.tf", ">= 1.11"), pin("ci.yml", "1.15.0")], {"ci.yml": "1.15.9"}),
        # nobody knows
        ([pin("net/v.tf", ">= 1.11"), pin("ci.yml", Unknown("vars.TF"))], None),
        ([pin("net/v.tf", ">= 1.11"), pin("ci.yml", "1.x")], None),
        # each engine has a floor of its own, and one constraint for both
        (
            [
                pin("net/v.tf", "~> 1.10"),
                pin("ci.yml", "1.8.1", tool="opentofu"),
                pin("net/.tf-version", "1.12.1"),
            ],
            {"net/v.tf": "~> 1.11", "ci.yml": "1.11.14"},
        ),
        # it keeps what it may choose from the floor on
        ([pin("net/v.tf", ">= 1.11"), pin("ci.yml", "^1.5.0")], {"ci.yml": "^1.11.0"}),
        # the nearest version file wins; a workflow holds besides
        (
            [pin("net/v.tf", ">= 1.11"), pin(".tf-version", "1.5.7"), pin("net/.tf-version", "1.11.2")],
            None,
        ),
        # elsewhere
        ([pin("net/v.tf", ">= 1.11"), pin("ci.yml", "1.5.7", root="app")], None),
        # a constraint nobody can raise keeps the rest of its root
        (
            [pin("net/v.tf", "~> 1.5.0"), pin("ci.yml", "1.5.7")],
            "`~> 1.5.0` admits no Terraform from 1.11.0 on; the newest it admits is 1.5.7",
        ),
    ],
)  # fmt: skip
def test_one_root(pins: list[Pin], expected: dict[str, str] | str | None) -> None:
    assert answers(NET_ROOT, *pins) == ({} if expected is None else {"net": expected})


OLD = "`~> 1.5.0` admits no Terraform from 1.11.0 on; the newest it admits is 1.5.7"


@pytest.mark.parametrize(
    ("pins", "expected"),
    [
        (
            [pin("net/v.tf", ">= 1.5"), pin("app/v.tf", "~> 1.5.0"), pin("ci.yml", "1.5.7")],
            {"app": OLD, "net": f"it serves app/v.tf:1, where {OLD}"},
        ),
        # a workflow of a release that the other root does not take is none of its pins
        (
            [pin("net/v.tf", ">= 1.5"), pin("app/v.tf", "~> 1.5.0"), pin("ci.yml", "1.9.8")],
            {"app": OLD, "net": {"net/v.tf": ">= 1.11", "ci.yml": "1.11.4"}},
        ),
        # one that both take goes where both go
        (
            [pin("net/v.tf", ">= 1.5"), pin("app/v.tf", ">= 1.5, != 1.11.4"), pin("ci.yml", "1.9.8")],
            {
                "app": {"app/v.tf": ">= 1.11, != 1.11.4", "ci.yml": "1.11.3"},
                "net": {"net/v.tf": ">= 1.11", "ci.yml": "1.11.3"},
            },
        ),
    ],
)
def test_two_roots_that_share_a_pin(pins: list[Pin], expected: dict[str, dict[str, str] | str]) -> None:
    assert answers(NET_ROOT, APP_ROOT, *pins) == expected


def test_flags_of_a_root_that_is_not_known_get_no_constraint() -> None:
    assert answers(site("ci.sh", TABLE, role="flag")) == {}


def test_a_root_falls_with_one_that_it_shares_a_pin_with_by_way_of_a_third() -> None:
    pins = [
        pin("a/v.tf", "~> 1.5.0"), pin("a.yml", "1.5.7", root=""), pin("b/v.tf", ">= 1.5"),
        pin("c/v.tf", ">= 1.8"), pin("c.yml", "1.9.8"),
    ]  # fmt: skip
    found = answers(root("a"), root("b"), root("c"), *pins)
    assert found["a"] == OLD
    assert found["b"] == f"it serves a/v.tf:1, where {OLD}"
    assert found["c"] == "it shares a pin with a root that cannot be raised"


def test_a_file_of_the_same_path_in_another_repository_is_another_pin() -> None:
    app, pins = (
        RepoId("git.acme.example/acme/app"),
        [pin("v.tf", ">= 1.5"), pin(".terraform-version", "1.9.8")],
    )
    here = Survey(NET, (site("main.tf", TABLE),), pins=(pin("v.tf", "= 1.9.8"), pins[1]))
    there = Survey(
        app, (site("main.tf", TABLE, repo=app),), pins=tuple(replace(one, repo=app) for one in pins)
    )
    assert {repo: said(answer) for (repo, *_), answer in raises(join([here, there])).items()} == {
        NET: "`= 1.9.8` admits no Terraform from 1.11.0 on; the newest it admits is 1.9.8",
        app: {"v.tf": ">= 1.11", ".terraform-version": "1.11.4"},
    }


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        (">= 1.0", {"net/v.tf": ">= 1.11", "ci.yml": "1.11.4"}),
        (">= 1.0, != 1.11.4", {"net/v.tf": ">= 1.11", "ci.yml": "1.11.3"}),
        ("~> 1.9.0", "the module here, which net calls, admits nothing from 1.11.0 on"),
    ],
)
def test_a_module_has_its_say(module: str, expected: dict[str, str] | str) -> None:
    call = Link("module", Place(NET, PurePosixPath("net/main.tf"), 4), "../m")
    pins = [pin("net/v.tf", ">= 1.5"), pin("m/v.tf", module), pin("ci.yml", "1.9.8")]
    assert answers(NET_ROOT, call, *pins) == {"net": expected}
