"""Which rows of a lock table a retired state leaves behind, as far as source knows."""

from pathlib import PurePosixPath

import pytest

from migrate.campaign.offering.digests import rows
from migrate.model import Fact, Known, RepoId, Run, Scalar, Unknown
from migrate.text import Span
from tests.estate.world import APP, NET, TABLE, site, world

HERE: Fact[PurePosixPath] = Known(PurePosixPath("net"))
SOMEWHERE: Fact[PurePosixPath] = Unknown("not known")


def run(words: str, directory: Fact[PurePosixPath] = HERE, repo: str = NET) -> Run:
    command, *arguments = words.split()
    said = (None, command, tuple(arguments), (), directory, Span(0, 0), 1)
    return Run(RepoId(repo), PurePosixPath("Makefile"), "makefile", *said)


@pytest.mark.parametrize(
    ("runs", "more", "keys"),
    [
        ([], {}, ["net.tfstate"]),
        ([run("workspace select stage")], {}, ["net.tfstate", "env:/stage/net.tfstate"]),
        ([run("workspace select -or-create=true b"), run("workspace new a")], {},
         ["net.tfstate", "env:/a/net.tfstate", "env:/b/net.tfstate"]),
        ([run("workspace select stage", SOMEWHERE)], {}, ["net.tfstate", "env:/stage/net.tfstate"]),
        ([run("workspace select stage", Known(PurePosixPath("app")))], {}, ["net.tfstate"]),
        ([run("workspace select stage", repo=APP)], {}, ["net.tfstate"]),
        ([run("workspace select $ENV"), run("workspace list"), run("plan stage x")], {}, ["net.tfstate"]),
        ([run("workspace select default")], {}, ["net.tfstate"]),
        ([run("workspace select a")], {"workspace_key_prefix": "ws"}, ["net.tfstate", "ws/a/net.tfstate"]),
    ],
)  # fmt: skip
def test_rows(runs: list[Run], more: dict[str, Scalar], keys: list[str]) -> None:
    given = world(site("net/main.tf", {**TABLE, **more}), site("net2/main.tf", {**TABLE, **more}))
    found = rows([given.stack], runs)
    assert [row.lock_id for row in found] == [f"acme-state/{key}-md5" for key in keys]


def test_a_prefix_that_is_not_known_names_no_row() -> None:
    block = site("net/main.tf", {**TABLE, "workspace_key_prefix": Unknown("var.prefix")})
    (row,) = rows([world(block).stack], [run("workspace select stage")])
    assert (row.workspace, row.prefix) == ("", Unknown("var.prefix"))


@pytest.mark.parametrize(
    ("more", "lock_id"),
    [
        ({"key": Unknown("$KEY")}, "acme-state/KEY-md5"),
        ({"bucket": Unknown("$BUCKET")}, "BUCKET/net.tfstate-md5"),
        ({"bucket": "net-x4k1-s3alias"}, "BUCKET/net.tfstate-md5"),
    ],
)
def test_a_word_to_replace_stands_for_what_source_does_not_say(
    more: dict[str, Scalar | Unknown], lock_id: str
) -> None:
    (row,) = rows([world(site("net/main.tf", {**TABLE, **more})).stack], [])
    assert (row.lock_id, row.state) == (lock_id, f"unresolved:{NET}/net/main.tf#backend.s3")


def test_a_state_without_a_table_leaves_none() -> None:
    block = site("net/main.tf", {"bucket": "acme-state", "key": "net.tfstate"})
    assert list(rows([world(block).stack], [])) == []
