"""The gate of roles: each that runs Terraform is seen or stated, and source can only close it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.model import By, Outcome, Place, Shown, World
from migrate.rules import GATES
from tests.estate.world import NET, TABLE, site, world
from tests.rules.gate import outcome, said, seen

HOLDS, BROKEN, UNKNOWN = Outcome.HOLDS, Outcome.BROKEN, Outcome.UNKNOWN
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
