"""What a change of source does to the lock of a state, as two estates show it: the findings, and their words.

`net=table` is a root with its lock; `net=table:app` writes the state `app.tfstate`, `app<table` reads that of
`net`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

import pytest

from migrate.campaign.auditing.guard import guard, stated
from migrate.estate import Survey, join
from migrate.model import Estate, Known, Outcome, Pin, Scalar, Site, Stated, Unknown
from migrate.rules import GATES
from migrate.text import Span
from tests.estate.world import ACME, NET, TODAY, site

BROKEN, UNKNOWN = Outcome.BROKEN, Outcome.UNKNOWN
Settings = Mapping[str, Scalar | Unknown]

SAID: Final[Mapping[str, Settings]] = {
    "none": {},
    "table": {"dynamodb_table": "acme-locks"},
    "other": {"dynamodb_table": "new-locks"},
    "some": {"dynamodb_table": Unknown("var.table")},
    "of-1": {"dynamodb_table": "acme-locks", "role_arn": "arn:aws:iam::111111111111:role/ci"},
    "of-2": {"dynamodb_table": "acme-locks", "role_arn": "arn:aws:iam::222222222222:role/ci"},
    "as-1": {"dynamodb_table": "acme-locks", "profile": "live"},
    "as-2": {"dynamodb_table": "acme-locks", "profile": "test"},
    "both": {"dynamodb_table": "acme-locks", "use_lockfile": True},
    "others": {"dynamodb_table": "new-locks", "use_lockfile": True},
    "lockfile": {"use_lockfile": True},
    "unknown": {"dynamodb_table": "acme-locks", "use_lockfile": Unknown("var.on")},
    "switched": {"dynamodb_table": Unknown("var.old ? … : null"), "use_lockfile": True},
}


def written(word: str) -> Site:
    reads = "<" in word
    root, _, rest = word.partition("<" if reads else "=")
    lock, _, key = rest.partition(":")
    said = {**ACME, "key": f"{key or 'net'}.tfstate", **SAID[lock]}
    return site(f"{root}/main.tf", said, role="reader" if reads else "writer")


def estate(
    said: str, admits: str = ">= 1.11.0", word: tuple[Stated, ...] = (), beside: tuple[Pin, ...] = ()
) -> Estate:
    """All roots admit the same releases; none are named where `admits` is empty."""
    sites = tuple(map(written, said.split()))
    pins = tuple(admitting(one, admits) for one in sites if admits)
    return join([Survey(NET, sites, pins=(*pins, *beside))], word)


def admitting(one: Site, releases: str) -> Pin:
    fact = Known(releases)
    return Pin(NET, one.path, "required_version", "constraint", None, fact, one.span, 1, one.root)


def told(before: str, after: str) -> list[str]:
    """What is said of a change, beside the gates of retire."""
    found = guard(estate(before), estate(after), TODAY)
    return [f"{one.rule} at {one.where}: {one.message}" for one in found if one.rule not in GATES]


STILL: Final = "in one step: no common lock with what still runs"
SWAP: Final = f"one-step-swap at a/main.tf:1: from table to lockfile {STILL}"
MOVED: Final = "moved-state at a/main.tf:1: key changed together with the lock"
STALE: Final = "the table is named again: its digest row is stale until it is deleted"
UNCLEAR: Final = "unclear-change at a/main.tf:1: from"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a=table", "a=table", []),
        ("a=table", "a=both", []),
        ("a=both", "a=table", []),
        ("a=both", "a=lockfile", []),
        ("a=none", "a=lockfile", []),
        ("a=table", "a=lockfile", [SWAP]),
        ("a=lockfile", "a=table", [f"one-step-swap at a/main.tf:1: from lockfile to table {STILL}"]),
        ("a=table", "a=none", ["lock-dropped at a/main.tf:1: from table to no lock at all"]),
        ("a=both", "a=none", ["lock-dropped at a/main.tf:1: from both to no lock at all"]),
        ("a=unknown", "a=none", ["lock-dropped at a/main.tf:1: from unknown to no lock at all"]),
        ("a=lockfile", "a=both", [f"digests-first at a/main.tf:1: {STALE}"]),
        ("a=none", "a=table", ["table-lock-added at a/main.tf:1: locks in the table only, from the start"]),
        ("a=unknown", "a=unknown", []),
        ("a=table", "a=unknown", [f"{UNCLEAR} table to unknown"]),
        ("a=unknown", "a=both", [f"{UNCLEAR} unknown to both"]),
        ("a=table", "a=switched", [f"{UNCLEAR} table to unknown"]),
    ],
)
def test_one_writer(before: str, after: str, expected: list[str]) -> None:
    assert told(before, after) == expected


RENAMED: Final = f"one-step-swap at a/main.tf:1: from the table acme-locks to the table new-locks {STILL}"
WAS: Final = "the table acme-locks of eu-west-1, 111111111111"
IS: Final = "the table acme-locks of eu-west-1, 222222222222"
NAMED: Final = "the table acme-locks of eu-west-1"
SOME: Final = "a table of eu-west-1"
ONE: Final = ": whether these are one is not known"
OF_ANOTHER: Final = f"one-step-swap at a/main.tf:1: from {WAS} to {IS} {STILL}"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a=table", "a=other", [RENAMED]),
        ("a=table", "a=others", [RENAMED]),
        ("a=both", "a=other", [RENAMED]),
        ("a=both", "a=others", []),
        ("b=table a=table", "b=table a=other", [RENAMED]),
        ("a=table", "a=some", [f"{UNCLEAR} {NAMED} to {SOME}{ONE}"]),
        ("a=some", "a=table", [f"{UNCLEAR} {SOME} to {NAMED}{ONE}"]),
        ("a=some", "a=some", []),
        ("a=of-1", "a=of-2", [OF_ANOTHER]),
        ("a=of-1", "a=table", [f"{UNCLEAR} {WAS} to {NAMED}{ONE}"]),
        ("a=table", "a=of-1", [f"{UNCLEAR} {NAMED} to {WAS}{ONE}"]),
        ("a=as-1", "a=as-2", [f"{UNCLEAR} {NAMED} to {NAMED}{ONE}"]),
        ("a=as-1", "a=as-1", []),
        ("a=as-1", "a=of-1", [f"{UNCLEAR} {NAMED} to {WAS}{ONE}"]),
        ("a=table", "a=other:own", []),
    ],
)
def test_a_table_that_is_renamed(before: str, after: str, expected: list[str]) -> None:
    assert told(before, after) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "a=lockfile", []),
        ("", "a=both", []),
        ("", "a=table", ["table-lock-added at a/main.tf:1: locks in the table only, from the start"]),
        ("b=lockfile:app", "b=lockfile:app a=both", []),
        ("a=table", "", ["root-removed at a/main.tf:1: no root writes this state any more"]),
    ],
)
def test_a_state_that_comes_or_goes(before: str, after: str, expected: list[str]) -> None:
    assert told(before, after) == expected


STRANDED: Final = "back to the table only, beside a writer that locks with the lockfile only"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a=table b=both", "a=lockfile b=both", [SWAP]),
        ("a=both b=table", "a=lockfile b=both", [SWAP]),
        (
            "a=lockfile b=both",
            "a=table b=both",
            [f"one-step-swap at a/main.tf:1: from lockfile to table {STILL}"],
        ),
        ("b=both a=table", "b=both a=none", ["lock-dropped at a/main.tf:1: from mixed to no lock at all"]),
        ("a=both b=both c=lockfile", "a=lockfile b=both c=lockfile", [f"{UNCLEAR} mixed to mixed"]),
        (
            "a=lockfile b=lockfile",
            "a=both b=lockfile",
            [f"{UNCLEAR} lockfile to mixed", f"digests-first at a/main.tf:1: {STALE}"],
        ),
        ("a=table b=both c=table", "a=both b=both c=table", [f"{UNCLEAR} mixed to mixed"]),
        ("a=unknown b=table", "a=unknown b=both", [f"{UNCLEAR} unknown to unknown"]),
        ("a=table b=table", "a=table", []),
        ("a=table", "a=table b=none", [f"{UNCLEAR} table to mixed"]),
        ("a=table b=both c=lockfile", "a=table b=both c=lockfile", []),
        (
            "a=both b=both c=lockfile",
            "a=table b=both c=lockfile",
            [f"both-to-table at a/main.tf:1: {STRANDED}"],
        ),
    ],
)
def test_one_of_several_writers(before: str, after: str, expected: list[str]) -> None:
    assert told(before, after) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a=table", "a=table:own", []),
        ("a=table", "a=lockfile:own", [SWAP, MOVED]),
        ("a=table b=table", "a=lockfile:own b=table", [SWAP, MOVED]),
        ("a=both b=both", "a=lockfile:own b=both", [MOVED]),
        ("a=table b=lockfile:app", "a=lockfile:app b=lockfile:app", [SWAP, MOVED]),
        ("a=table b=table:app", "a=table:own b=table:app", []),
        ("a=table", "a=table b=lockfile:own", []),
    ],
)
def test_a_writer_that_moves_to_another_state(before: str, after: str, expected: list[str]) -> None:
    assert told(before, after) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a=table", "a=both", {}),
        ("a=table", "a=lockfile", {}),
        ("a=both", "a=lockfile", {"soaked": UNKNOWN, "table-known": UNKNOWN}),
        ("a=both b=both", "a=lockfile b=both", {"soaked": UNKNOWN, "table-known": UNKNOWN}),
        ("a=both b=both", "a=lockfile:own b=both", {"soaked": UNKNOWN, "table-known": UNKNOWN}),
        (
            "a=both app<table",
            "a=lockfile app<table",
            {"readers-safe": BROKEN, "soaked": UNKNOWN, "table-known": UNKNOWN},
        ),
        (
            "a=both b=table",
            "a=lockfile b=table",
            {"writers-dual": BROKEN, "soaked": UNKNOWN, "table-known": UNKNOWN},
        ),
        ("a=both", "a=both b=lockfile", {"soaked": UNKNOWN, "table-known": UNKNOWN}),
        ("a=both b=none", "a=both b=lockfile", {"soaked": UNKNOWN, "table-known": UNKNOWN}),
        (
            "a=table",
            "a=table b=lockfile",
            {"writers-dual": BROKEN, "soaked": UNKNOWN, "table-known": UNKNOWN},
        ),
        ("a=none", "a=none b=lockfile", {}),
        ("a=lockfile", "a=lockfile b=lockfile", {}),
    ],
)
def test_a_state_that_gives_up_the_table_passes_the_gates_of_retire(
    before: str, after: str, expected: Mapping[str, Outcome]
) -> None:
    found = guard(estate(before), estate(after), TODAY)
    assert {one.rule: one.outcome for one in found if one.rule in GATES} == expected


@pytest.mark.parametrize(
    ("before", "after", "of", "held"),
    [
        ("a=both", "a=lockfile", "acme-locks", []),
        ("a=both", "a=lockfile", "new-locks", ["soaked"]),
        ("a=both b=lockfile", "a=lockfile b=lockfile", "acme-locks", []),
        ("a=both b=others", "a=lockfile b=lockfile", "acme-locks", ["soaked"]),
    ],
)
def test_what_is_stated_of_a_table_lets_those_pass_that_leave_it(
    before: str, after: str, of: str, held: list[str]
) -> None:
    words = tuple(
        Stated(that, {"table": table}, "platform@acme.example", "canary run 8841", "2027-02-28")
        for that, table in (("soaked", of), ("table-known", "*"))
    )
    found = guard(estate(before, word=words), estate(after, word=words), TODAY)
    assert [one.rule for one in found if one.rule in GATES] == held


def test_a_word_that_lets_a_change_pass_is_told() -> None:
    word = Stated("soaked", {"bucket": "*"}, "platform@acme.example", "canary run 8841", "2027-02-28")
    before, after = estate("a=both"), estate("a=lockfile", word=(word,))
    assert [one.rule for one in guard(before, after, TODAY)] == ["table-known"]
    assert [one.because for one in stated(before, after, TODAY)] == [
        "platform@acme.example: canary run 8841 (until 2027-02-28)"
    ]
    assert not list(stated(before, estate("a=both", word=(word,)), TODAY))


@pytest.mark.parametrize(
    ("before", "after", "shut"),
    [
        ("a=both", "a=lockfile", []),
        ("a=both b=both", "a=lockfile b=both", []),
        ("a=others", "a=lockfile", ["soaked", "table-known"]),
        ("a=both b=others", "a=lockfile b=others", ["soaked", "table-known"]),
        ("a=both", "a=lockfile b=lockfile", ["soaked", "table-known"]),
    ],
)
def test_what_is_stated_of_a_table_holds_while_it_is_given_up(
    before: str, after: str, shut: list[str]
) -> None:
    word = tuple(
        Stated(that, {"table": "acme-locks"}, "platform@acme.example", "asked around", "2027-02-28")
        for that in ("soaked", "table-known")
    )
    old, new = estate(before, word=word), estate(after, word=word)
    assert [one.rule for one in guard(old, new, TODAY) if one.rule in GATES] == shut
    assert {one.rule for one in stated(old, new, TODAY)} == {"soaked", "table-known"} - set(shut)


LOWERED: Final = ["a/main.tf:1: required_version admits releases below the floor again"]


@pytest.mark.parametrize(
    ("said", "before", "after", "expected"),
    [
        ("a=both", ">= 1.11.0", ">= 1.5", LOWERED),
        ("a=lockfile", ">= 1.11.0", ">= 1.5", LOWERED),
        ("a=table", ">= 1.11.0", ">= 1.5", []),
        ("a=both", ">= 1.11.0", "", LOWERED),
        ("a=both", ">= 1.5", ">= 1.5", []),
        ("a=both", ">= 1.5", ">= 1.11.0", []),
        ("a=both", ">= 1.11.0", ">= 1.12", []),
    ],
)
def test_a_floor_that_is_lowered_under_a_lockfile(
    said: str, before: str, after: str, expected: list[str]
) -> None:
    """What a pipeline installs is not known before and after, and hides nothing."""
    newest = Unknown("it installs the newest release of the day")
    plug, span, here = "github_workflow", Span(0, 1), PurePosixPath()
    installs = Pin(NET, here / "ci.yml", plug, "unknown", "terraform", newest, span, 1, here, everywhere=True)
    for beside in ((), (installs,)):
        old, new = (estate(said, admits, beside=beside) for admits in (before, after))
        found = guard(old, new, TODAY)
        assert [f"{one.where}: {one.message}" for one in found if one.rule == "floor-lowered"] == expected
