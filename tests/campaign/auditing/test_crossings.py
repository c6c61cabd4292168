"""A repository at a branch, and at an open proposal for it, in; what that does to locks, and holds, out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

import pytest

from migrate.campaign.auditing.crossings import crossings
from migrate.campaign.reading.inventory import Inventory, Told, take
from migrate.files import Left, Opened, Read, Unreadable
from migrate.model import RepoId
from tests.cli.estates import BOTH, LOCKFILE, TABLE, UNLOCKED, Files, backend, reader

NET: Final = RepoId("github.com/acme/net")
URL: Final = "https://github.com/acme/net/pull/17"
STATE: Final = "s3://acme-state/net.tfstate"
VARIABLE: Final = backend("use_lockfile   = var.on")
SWAPS: Final = "gives up one lock and takes the other in one step: no common lock with what still runs"


class Nothing:
    """No file leads to another."""

    def read(self, path: PurePosixPath, /) -> None:
        return None

    def names(self, directory: PurePosixPath, /) -> Iterable[str]:
        return ()


def held(files: Files, unreadable: tuple[Unreadable, ...] = ()) -> Inventory:
    items = [Read(PurePosixPath(path), str(text).encode()) for path, text in files.items()]
    return take(NET, [Opened(), *items, *unreadable], Nothing(), Told())


def crossed(before: Files, after: Files) -> list[tuple[str, str, bool]]:
    found = list(crossings(URL, held(before), held(after), "2026-01-05"))
    assert {one.url for one in found} <= {URL}
    return [(one.state, one.why, one.holds) for one in found]


@pytest.mark.parametrize(
    ("before", "after", "why", "holds"),
    [
        (TABLE, LOCKFILE, f"a.tf:4 {SWAPS}", False),
        (BOTH, TABLE, "a.tf:4 locks with the table only", True),
        (LOCKFILE, TABLE, f"a.tf:4 locks with the table only, and {SWAPS}", True),
        (BOTH, UNLOCKED, "a.tf:4 takes no lock", True),
        (BOTH, LOCKFILE, "a.tf:4 gives up the table by itself: the gates of retire are not asked", False),
        (BOTH, VARIABLE, "a.tf:4 may lock in any way: use_lockfile is var.on", True),
    ],
)
def test_another_lock_of_a_state(before: str, after: str, why: str, holds: bool) -> None:
    [(state, said, held_)] = crossed({"a.tf": before}, {"a.tf": after})
    assert (state, held_) == (STATE, holds)
    assert said.startswith(why)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TABLE, TABLE + "\n# more\n"),
        (TABLE, BOTH),
        (BOTH, "# gone\n"),
        ("# none yet\n", BOTH),
        ("# none yet\n", LOCKFILE),
        (VARIABLE, VARIABLE),
    ],
)
def test_what_crosses_nothing(before: str, after: str) -> None:
    assert crossed({"a.tf": before}, {"a.tf": after}) == []


def test_a_new_client_that_has_the_table_alone() -> None:
    app = TABLE.replace("net.tfstate", "app.tfstate")
    assert crossed({"a.tf": BOTH}, {"a.tf": BOTH, "app/a.tf": app}) == [
        ("s3://acme-state/app.tfstate", "app/a.tf:4 locks with the table only", True)
    ]


def test_a_new_reader_that_names_the_table() -> None:
    before = {"a.tf": BOTH, "old/a.tf": reader()}
    assert crossed(before, {"a.tf": BOTH, "old/a.tf": "# moved\n" + reader()}) == []
    assert crossed(before, {**before, "app/a.tf": reader()}) == [
        (STATE, "app/a.tf:1 reads it and names the table", True)
    ]


def test_a_file_that_cannot_be_read_there_may_be_any_client() -> None:
    broken = Unreadable(PurePosixPath("b.tf"), "it is not UTF-8")
    found = list(crossings(URL, held({"a.tf": BOTH}), held({"a.tf": BOTH}, (broken,)), "2026-01-05"))
    assert [(one.state, one.holds) for one in found] == [("", True)]
    assert found[0].why == "b.tf:1 cannot be read there: it is not UTF-8"


def test_nor_does_anybody_know_what_a_file_does_that_is_no_code_or_is_not_there() -> None:
    mangled = TABLE.replace('"net.tfstate"', 'net.tfstate"')
    [(state, why, holds)] = crossed({"a.tf": BOTH}, {"a.tf": BOTH, "b.tf": mangled})
    assert (state, why.partition(": ")[0], holds) == ("", "b.tf:6 cannot be read there", True)
    assert crossed({"a.tf": BOTH, "b.tf": mangled}, {"a.tf": BOTH, "b.tf": "\n" + mangled}) == []
    after = take(NET, [Opened(), Left(PurePosixPath("b.tf"), "outside")], Nothing(), Told())
    [one] = crossings(URL, held({}), after, "2026-01-05")
    assert (one.why, one.holds) == ("b.tf:1 cannot be read there: a symlink out of the repository", True)
