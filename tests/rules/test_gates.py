"""Every gate: a literal world in; what holds, what is broken, what is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Literal

import pytest
from msgspec.structs import replace

from migrate.model import (
    By,
    Idle,
    Known,
    Mention,
    Outcome,
    Pin,
    Place,
    Scalar,
    Site,
    Unknown,
)
from migrate.rules import GATES
from migrate.text import Span
from tests.estate.world import ACME, APP, BOTH, LOCKFILE, NET, TABLE, site, world
from tests.rules.gate import outcome, said, seen

HOLDS, BROKEN, UNKNOWN = Outcome.HOLDS, Outcome.BROKEN, Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("writers", "expected"),
    [
        ([BOTH], HOLDS),
        ([BOTH, LOCKFILE], HOLDS),
        ([BOTH, TABLE], BROKEN),
        ([BOTH, ACME], BROKEN),
        ([{**BOTH, "use_lockfile": Unknown("var.on")}], UNKNOWN),
        ([{**BOTH, "key": Unknown("var.key")}], HOLDS),
        ([{**BOTH, "key": ""}], UNKNOWN),
    ],
)
def test_writers_dual(writers: list[Mapping[str, Scalar]], expected: Outcome) -> None:
    sites = [site(f"r{at}/main.tf", settings) for at, settings in enumerate(writers)]
    assert outcome("writers-dual", world(*sites)) == (expected, "source")


def reader(settings: Mapping[str, Scalar | Unknown]) -> Site:
    return site("app/remote.tf", settings, role="reader", repo=APP)


@pytest.mark.parametrize(
    ("readers", "expected"),
    [
        ([], HOLDS),
        ([reader(ACME)], HOLDS),
        ([reader(TABLE)], BROKEN),
        ([reader({**TABLE, "key": "other"})], HOLDS),
        ([reader({**TABLE, "dynamodb_table": Unknown("var.table")})], BROKEN),
        ([reader({**TABLE, "key": Unknown("var.key")})], UNKNOWN),
        ([reader({**TABLE, "key": Unknown("var.key"), "bucket": "elsewhere"})], HOLDS),
        ([reader({**ACME, "key": Unknown("var.key")})], HOLDS),
        ([reader({**TABLE, "key": "env:/dev/net.tfstate"})], BROKEN),
        ([reader({**ACME, "key": "env:/dev/net.tfstate"})], HOLDS),
        ([reader({**TABLE, "key": "env:/dev/other.tfstate"})], HOLDS),
        ([reader({**TABLE, "key": "old/dev/net.tfstate"})], HOLDS),
        ([reader({**TABLE, "key": "env:/dev/net.tfstate", "bucket": "elsewhere"})], HOLDS),
    ],
)
def test_readers_safe(readers: list[Site], expected: Outcome) -> None:
    assert outcome("readers-safe", world(site("net/main.tf", BOTH), *readers)) == (expected, "source")


@pytest.mark.parametrize("gate", ["callers-may-lock", "soaked", "table-known"])
@pytest.mark.parametrize(
    ("stated", "seen_holds", "expected"),
    [
        ([], [], (UNKNOWN, "source")),
        ([{"bucket": "acme-*"}], [], (HOLDS, "stated")),
        ([{"state": "s3://acme-state/*"}], [], (HOLDS, "stated")),
        ([{"table": "acme-locks"}], [], (HOLDS, "stated")),
        ([{"repository": "github.com/acme/*"}], [], (HOLDS, "stated")),
        ([{"bucket": "other"}], [], (UNKNOWN, "source")),
        ([{"bucket": "acme-*", "repository": "other"}], [], (UNKNOWN, "source")),
        ([{"role": "*"}], [], (UNKNOWN, "source")),
        ([{}], [], (UNKNOWN, "source")),
        ([], [True], (HOLDS, "seen")),
        ([], [True, False], (BROKEN, "seen")),
        ([], [True, None], (UNKNOWN, "seen")),
        ([], [None, False], (BROKEN, "seen")),
        ([{"bucket": "acme-*"}], [False], (BROKEN, "seen")),
    ],
)
def test_what_only_people_or_aws_can_say(
    gate: str, stated: list[Mapping[str, str]], seen_holds: list[bool | None], expected: tuple[Outcome, By]
) -> None:
    given = world(
        site("net/main.tf", BOTH),
        stated=tuple(said(gate, of) for of in stated),
        seen=tuple(seen(gate, holds) for holds in seen_holds),
    )
    assert outcome(gate, given) == expected


def test_a_statement_past_its_last_day_says_nothing() -> None:
    given = world(site("net/main.tf", BOTH), stated=(said("soaked", {"bucket": "*"}, "2027-01-14"),))
    assert outcome("soaked", given) == (UNKNOWN, "source")


def test_a_statement_must_cover_every_backend_of_the_state() -> None:
    sites = [site("net/main.tf", BOTH), site("main.tf", BOTH, repo=APP)]
    given = world(*sites, stated=(said("soaked", {"repository": str(NET)}),))
    assert outcome("soaked", given) == (UNKNOWN, "source")


def pin(kind: Literal["constraint", "exact"], version: str | Unknown) -> Pin:
    fact = version if isinstance(version, Unknown) else Known(version)
    path = PurePosixPath("net/versions.tf" if kind == "constraint" else "net/.terraform-version")
    plug = "required_version" if kind == "constraint" else ".terraform-version"
    return Pin(NET, path, plug, kind, None, fact, Span(0, 0), 1, path.parent)


@pytest.mark.parametrize(
    ("pins", "stated", "expected"),
    [
        ([pin("constraint", ">= 1.11.0")], False, (HOLDS, "source")),
        ([pin("constraint", ">= 1.5")], False, (BROKEN, "source")),
        ([pin("constraint", ">= 1.5")], True, (HOLDS, "stated")),
        ([], False, (BROKEN, "source")),
        ([], True, (HOLDS, "stated")),
        ([pin("constraint", ">= 1.11"), pin("exact", "1.11.4")], False, (HOLDS, "source")),
        ([pin("constraint", ">= 1.11"), pin("exact", "1.5.7")], False, (BROKEN, "source")),
        ([pin("constraint", ">= 1.11"), pin("exact", "1.5.7")], True, (BROKEN, "source")),
        ([pin("constraint", ">= 1.5"), pin("exact", "1.5.7")], True, (BROKEN, "source")),
        ([pin("constraint", ">= 1.11"), pin("exact", "latest")], False, (UNKNOWN, "source")),
        ([pin("constraint", ">= 1.11"), pin("exact", Unknown("${TF}"))], False, (UNKNOWN, "source")),
        ([pin("constraint", ">= 1.11"), pin("exact", "1")], False, (UNKNOWN, "source")),
        ([pin("constraint", "whatever")], False, (UNKNOWN, "source")),
        ([pin("constraint", Unknown("var.terraform"))], False, (UNKNOWN, "source")),
        ([pin("constraint", ">= 1.11"), pin("constraint", "< 1.10")], False, (BROKEN, "source")),
        ([pin("constraint", ">= 1.0"), pin("constraint", ">= 1.11.2")], False, (HOLDS, "source")),
    ],
)
def test_floor_in_use(pins: list[Pin], stated: bool, expected: tuple[Outcome, By]) -> None:
    statements = (said("floor-in-use", {"bucket": "*"}),) if stated else ()
    given = world(site("net/main.tf", TABLE), stated=statements)
    stack = given.stack
    pinned = replace(stack, backends=(replace(stack.backends[0], pins=tuple(pins)),))
    assert outcome("floor-in-use", replace(given, stack=pinned)) == expected


def test_only_what_was_seen_wins_over_a_file_that_chooses_an_old_release() -> None:
    given = world(site("net/main.tf", TABLE), seen=(seen("floor-in-use", holds=True),))
    old = replace(given.stack.backends[0], pins=(pin("constraint", ">= 1.11"), pin("exact", "1.5.7")))
    given = replace(given, stack=replace(given.stack, backends=(old,)))
    assert outcome("floor-in-use", given) == (HOLDS, "seen")


@pytest.mark.parametrize(("path", "root"), [("net/main.tf", " net"), ("main.tf", "")])
def test_a_root_without_a_constraint_is_named(path: str, root: str) -> None:
    (verdict,) = GATES["floor-in-use"].check(world(site(path, TABLE)))
    assert verdict.because == f"no required_version in {NET}{root}: any release may run"


@pytest.mark.parametrize(("exclusive", "expected"), [(False, HOLDS), (True, BROKEN)])
def test_dual_possible(exclusive: bool, expected: Outcome) -> None:
    writer = replace(site("net/main.tf", TABLE), exclusive=exclusive)
    assert outcome("dual-possible", world(writer)) == (expected, "source")


def test_table_unused_is_never_known_in_this_version() -> None:
    given = world(site("net/main.tf", LOCKFILE), stated=(said("table-unused", {"bucket": "*"}),))
    assert outcome("table-unused", given) == (UNKNOWN, "source")


def place(look: Literal["pipeline", "comment"] = "pipeline", line: int = 1) -> Mention:
    return Mention(Place(NET, PurePosixPath("ci.sh"), line), "dynamodb_table", look)


@pytest.mark.parametrize(
    ("mentions", "idle", "because"),
    [
        ([], [], "other repositories and people may use the table"),
        (
            [place(), place("comment")],
            [],
            "1 place names a lock table in forms this version does not read",
        ),
        (
            [place(), place(line=2)],
            [],
            "2 places name a lock table in forms this version does not read",
        ),
        (
            [],
            [site("ci.sh", {}, role="flag"), site("ci.sh", TABLE, role="flag"), site("m/main.tf", {})],
            "1 place names a lock table in forms this version does not read",
        ),
    ],
)
def test_table_known_counts_the_places_that_were_not_read(
    mentions: list[Mention], idle: list[Site], because: str
) -> None:
    given = world(site("net/main.tf", BOTH))
    beside = tuple(Idle(one, "nothing says where it is used") for one in idle)
    estate = replace(given.estate, mentions=tuple(mentions), idle=beside)
    (verdict,) = GATES["table-known"].check(replace(given, estate=estate))
    assert (verdict.outcome, verdict.because) == (UNKNOWN, because)
