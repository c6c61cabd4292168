"""Every gate: a literal world in; what holds, what is broken, what is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Literal

import pytest
from msgspec.structs import replace

from migrate.model import (
    By,
    Known,
    Mention,
    Outcome,
    Pin,
    Place,
    Scalar,
    Seen,
    Shown,
    Site,
    Stated,
    Unknown,
    World,
)
from migrate.rules import GATES
from migrate.steps import BY_PHASE, STEPS, Step, judge
from migrate.text import Span
from tests.estate.world import ACME, APP, BOTH, LOCKFILE, NET, TABLE, site, world

HOLDS, BROKEN, UNKNOWN = Outcome.HOLDS, Outcome.BROKEN, Outcome.UNKNOWN


def outcome(gate: str, given: World) -> tuple[Outcome, By]:
    """The worst thing that one gate says."""
    step = next(step for step in STEPS if any(g.name == gate for g in step.gates))
    alone = Step(
        step.phase, step.number, step.role, step.wish, tuple(g for g in step.gates if g.name == gate)
    )
    worst = min(judge(alone, given), key=lambda v: [BROKEN, UNKNOWN, HOLDS].index(v.outcome))
    return worst.outcome, worst.by


@pytest.mark.parametrize(
    ("writers", "expected"),
    [
        ([BOTH], HOLDS),
        ([BOTH, LOCKFILE], HOLDS),
        ([BOTH, TABLE], BROKEN),
        ([BOTH, ACME], BROKEN),
        ([{**BOTH, "use_lockfile": Unknown("var.on")}], UNKNOWN),
        ([{**BOTH, "key": Unknown("var.key")}], UNKNOWN),
    ],
)
def test_writers_dual(writers: list[Mapping[str, Scalar]], expected: Outcome) -> None:
    sites = [site(f"r{at}/main.tf", settings) for at, settings in enumerate(writers)]
    assert outcome("writers-dual", world(*sites)) == (expected, "source")


ELSEWHERE: list[tuple[Mapping[str, Scalar | Unknown], Outcome]] = [
    ({**TABLE, "key": Unknown("var.key")}, UNKNOWN),
    ({**TABLE, "bucket": Unknown("var.bucket")}, UNKNOWN),
    ({"dynamodb_table": "acme-locks"}, UNKNOWN),
    ({**TABLE, "key": Unknown("var.key"), "use_lockfile": Unknown("var.on")}, UNKNOWN),
    ({"dynamodb_table": "acme-locks", "key": "env:/dev/net.tfstate"}, UNKNOWN),
    ({**TABLE, "key": Unknown("var.key"), "bucket": "elsewhere"}, HOLDS),
    ({**TABLE, "bucket": Unknown("var.bucket"), "key": "app.tfstate"}, HOLDS),
    ({**BOTH, "key": Unknown("var.key")}, HOLDS),
    ({**LOCKFILE, "key": Unknown("var.key")}, HOLDS),
]


@pytest.mark.parametrize(("settings", "expected"), ELSEWHERE)
def test_a_writer_in_the_table_alone_whose_state_is_not_known_may_write_this_one(
    settings: Mapping[str, Scalar | Unknown], expected: Outcome
) -> None:
    other = site("main.tf", settings, repo=APP)
    assert outcome("writers-dual", world(site("net/main.tf", BOTH), other)) == (expected, "source")


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


@pytest.mark.parametrize(
    ("prefix", "key", "expected"),
    [
        ("stages", "stages/dev/net.tfstate", BROKEN),
        ("a/stages", "a/stages/dev/net.tfstate", BROKEN),
        ("stages", "env:/dev/net.tfstate", HOLDS),
        (Unknown("var.prefix"), "stages/dev/net.tfstate", BROKEN),
    ],
)
def test_a_reader_of_a_workspace_reads_the_state(prefix: str | Unknown, key: str, expected: Outcome) -> None:
    writer = site("net/main.tf", {**BOTH, "workspace_key_prefix": prefix})
    assert outcome("readers-safe", world(writer, reader({**TABLE, "key": key}))) == (expected, "source")


def said(that: str, of: Mapping[str, str], until: str = "2027-02-28") -> Stated:
    return Stated(that, of, "platform@acme.example", "canary run 8841", until)


def seen(that: str, holds: bool | None) -> Seen:
    return Seen(that, "s3://acme-state/net.tfstate", holds, "role/ci", "2027-01-15T09:00:00Z", "asked")


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


SUBJECT = "s3://acme-state/net.tfstate"


def shown(holds: bool | None, name: str = "ci", *, runs: bool = False) -> Shown:
    where = Place(NET, PurePosixPath("iam/ci.tf"), 12)
    because = "stuck lock: s3:DeleteObject"
    return Shown(SUBJECT, f"role/{name or '?'}", holds, because, where, name=name, runs=runs)


@pytest.mark.parametrize(
    ("source", "stated", "seen_holds", "expected"),
    [
        ([True], [], [], (UNKNOWN, "source")),
        ([None], [], [], (UNKNOWN, "source")),
        ([True, False], [], [], (BROKEN, "source")),
        ([None], [{"bucket": "acme-*"}], [], (HOLDS, "stated")),
        ([False], [{"bucket": "acme-*"}], [], (BROKEN, "source")),
        ([False], [], [True], (HOLDS, "seen")),
    ],
)
def test_source_closes_the_gate_of_callers_and_never_opens_it(
    source: list[bool | None],
    stated: list[Mapping[str, str]],
    seen_holds: list[bool | None],
    expected: tuple[Outcome, By],
) -> None:
    given = world(
        site("net/main.tf", TABLE),
        stated=tuple(said("callers-may-lock", of) for of in stated),
        seen=tuple(seen("callers-may-lock", holds) for holds in seen_holds),
    )
    given = replace(given, estate=replace(given.estate, shown={SUBJECT: tuple(map(shown, source))}))
    assert outcome("callers-may-lock", given) == expected


def said_of(
    roles: Mapping[str, bool | None],
    seen_as: Mapping[str, bool | None] | None = None,
    stated: str = "",
    *,
    idle: Mapping[str, bool | None] | None = None,
    of: Mapping[str, str] | None = None,
) -> World:
    """A state, the roles that run Terraform there as source has them, who asked, and whose word there is, of
    a role or `of` all; the `idle` roles are not known to run it.
    """
    running = [shown(holds, name, runs=True) for name, holds in roles.items()]
    rows = (*running, *(shown(holds, name) for name, holds in (idle or {}).items()))
    subject = {"role": stated} if stated else of
    given = world(
        site("net/main.tf", TABLE),
        stated=(said("callers-may-lock", subject),) if subject else (),
        seen=tuple(
            replace(seen("callers-may-lock", holds), role=role) for role, holds in (seen_as or {}).items()
        ),
    )
    return replace(given, estate=replace(given.estate, shown={SUBJECT: rows}))


AS_CI = "arn:aws:sts::111122223333:assumed-role/ci/run-7"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (said_of({"ci": True}), (UNKNOWN, "source")),
        (said_of({"ci": True}, seen_as={AS_CI: True}), (HOLDS, "seen")),
        (said_of({"ci": None}, seen_as={AS_CI: True}), (HOLDS, "seen")),
        (said_of({"ci": None, "plan": None}, seen_as={AS_CI: True}), (UNKNOWN, "source")),
        (said_of({"ci": None, "plan": True}, seen_as={AS_CI: True}), (UNKNOWN, "source")),
        (said_of({"ci": None, "plan": False}, seen_as={AS_CI: True}), (BROKEN, "source")),
        (said_of({"ci": None, "plan": None}, seen_as={AS_CI: True}, stated="pl*"), (HOLDS, "stated")),
        (said_of({"ci": None, "plan": None}, stated="pl*"), (UNKNOWN, "source")),
        (said_of({"ci": None, "plan": False}, stated="*"), (BROKEN, "source")),
        (said_of({"ci": None}, seen_as={AS_CI: False}, stated="*"), (BROKEN, "seen")),
        (said_of({"": None}, seen_as={AS_CI: True}), (HOLDS, "seen")),
        (said_of({"": None, "plan": None}, seen_as={AS_CI: True}), (UNKNOWN, "source")),
        (said_of({"": None}, stated="*"), (UNKNOWN, "source")),
        (said_of({"ci": None}, of={"bucket": "acme-*"}), (HOLDS, "stated")),
        (said_of({"ci": None}, idle={"old": None}, seen_as={AS_CI: True}), (HOLDS, "seen")),
        (said_of({"ci": None}, idle={"old": None}, stated="ci"), (HOLDS, "stated")),
    ],
)
def test_each_role_that_runs_terraform_is_seen_or_stated_and_one_does_not_speak_for_another(
    given: World, expected: tuple[Outcome, By]
) -> None:
    assert outcome("callers-may-lock", given) == expected


CURE = "tfrelock iam check says why; tfrelock edit --phase iam"
EXPLAIN = "tfrelock explain callers-may-lock"
ASK = "tfrelock iam check --self; or tfrelock edit --phase iam, then facts: callers-may-lock"
NOBODY = "nobody said whether the roles of github.com/acme/net may write the lock"
NO = "stuck lock: s3:DeleteObject"
ASKED = "2027-01-15T09:00:00Z: asked"
WORD = "platform@acme.example: canary run 8841 (until 2027-02-28)"


@pytest.mark.parametrize(
    ("given", "because", "settle"),
    [
        (said_of({"ci": False}), f"role/ci: {NO}", CURE),
        (said_of({"ci": None}, seen_as={AS_CI: False}), f"role/ci, {ASKED}", EXPLAIN),
        (said_of({"ci": None}, seen_as={AS_CI: None}), f"role/ci, {ASKED}", EXPLAIN),
        (said_of({"ci": None, "plan": None}, seen_as={AS_CI: True}, stated="pl*"), WORD, ""),
        (
            said_of({"ci": None, "plan": None}, seen_as={AS_CI: True}),
            f"role/plan: {NO}; {NOBODY}",
            f"as role/plan (iam/ci.tf:12): {ASK}",
        ),
        (said_of({}, idle={"a": True, "b": None, "c": None}), f"role/b: {NO}; {NOBODY}", ASK),
        (said_of({}, idle={"a": True}), NOBODY, ASK),
        (
            said_of(dict.fromkeys("abc")),
            f"role/a: {NO}; role/b: {NO}; role/c: {NO}; {NOBODY}",
            f"as role/a (iam/ci.tf:12): {ASK}",
        ),
        (
            said_of(dict.fromkeys("abcde")),
            f"role/a: {NO}; role/b: {NO}; role/c: {NO}; and 2 more roles; {NOBODY}",
            f"as role/a (iam/ci.tf:12): {ASK}",
        ),
    ],
)
def test_what_is_said_of_roles_and_what_settles_it(given: World, because: str, settle: str) -> None:
    (verdict,) = GATES["callers-may-lock"].check(given)
    assert (verdict.because, verdict.settle) == (because, settle)


def test_what_source_has_against_callers_is_told_with_its_place() -> None:
    (verdict,) = GATES["callers-may-lock"].check(said_of({}, idle={"ci": False}))
    assert str(verdict.where) == "iam/ci.tf:12"


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
        ([pin("constraint", ">= 1.11"), pin("exact", "latest")], False, (UNKNOWN, "source")),
        ([pin("constraint", ">= 1.11"), pin("exact", Unknown("${TF}"))], False, (UNKNOWN, "source")),
        ([pin("constraint", "whatever")], False, (UNKNOWN, "source")),
        ([pin("constraint", ">= 1.0"), pin("constraint", ">= 1.11.2")], False, (HOLDS, "source")),
    ],
)
def test_floor_in_use(pins: list[Pin], stated: bool, expected: tuple[Outcome, By]) -> None:
    statements = (said("floor-in-use", {"bucket": "*"}),) if stated else ()
    given = world(site("net/main.tf", TABLE), stated=statements)
    stack = given.stack
    pinned = replace(stack, backends=(replace(stack.backends[0], pins=tuple(pins)),))
    assert outcome("floor-in-use", replace(given, stack=pinned)) == expected


@pytest.mark.parametrize(("exclusive", "expected"), [(False, HOLDS), (True, BROKEN)])
def test_dual_possible(exclusive: bool, expected: Outcome) -> None:
    writer = replace(site("net/main.tf", TABLE), exclusive=exclusive)
    assert outcome("dual-possible", world(writer)) == (expected, "source")


def test_table_unused_is_never_known_in_this_version() -> None:
    given = world(site("net/main.tf", LOCKFILE), stated=(said("table-unused", {"bucket": "*"}),))
    assert outcome("table-unused", given) == (UNKNOWN, "source")


def test_table_known_counts_the_places_that_were_not_read() -> None:
    given = world(site("net/main.tf", BOTH))
    places = tuple(
        Mention(Place(NET, PurePosixPath("ci.sh"), 1), "dynamodb_table", look)
        for look in ("pipeline", "comment")
    )
    estate = replace(given.estate, mentions=places)
    (verdict,) = [
        v for v in judge(BY_PHASE["retire"], replace(given, estate=estate)) if v.rule == "table-known"
    ]
    assert verdict.because == "1 place names a lock table in forms this version does not read"
