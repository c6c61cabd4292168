"""The estate before an edit held against the one after it: just the wish came true, or there is no edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from migrate.campaign.editing.estate_votes import strayed
from migrate.campaign.editing.targets import targets
from migrate.estate import Survey, join
from migrate.model import LockWish, Scalar, Site, Unknown
from tests.estate.world import ACME, BOTH, LOCKFILE, NET, TABLE, site

Said = Mapping[str, Scalar | Unknown]
DUAL, RETIRE, READ, ADOPT = LockWish.DUAL, LockWish.RETIRE, LockWish.READ, LockWish.ADOPT
ODD: Final = "after the edit this would not be as wished: "
ELSE: Final = f"{ODD}something else than the lock has changed"
MAYBE: Final[Said] = {**LOCKFILE, "use_lockfile": Unknown("var.on")}
APP: Final[Said] = {**TABLE, "key": "app.tfstate"}


def writer(settings: Said, root: str = "net") -> Site:
    return site(f"{root}/main.tf", settings)


def reader(settings: Said) -> Site:
    return site("net/remote.tf", settings, role="reader")


def flag(settings: Said) -> Site:
    return site("ci.sh", settings, role="flag")


def told(wish: LockWish, before: list[Site], after: list[Site]) -> list[str]:
    """Where an edit of all that the wish concerns is taken back, and why."""
    was, now = join([Survey(NET, tuple(before))]), join([Survey(NET, tuple(after))])
    found = strayed(was, now, list(targets(was, wish)), set())
    return [f"{refusal.where.path}: {refusal.why}" for refusal in found.values()]


@pytest.mark.parametrize(
    ("wish", "before", "after", "why"),
    [
        (DUAL, [writer(TABLE)], [writer(BOTH)], None),
        (DUAL, [writer(TABLE)], [writer(TABLE)], f"{ODD}its lock is table"),
        (DUAL, [writer(TABLE)], [writer(LOCKFILE)], f"{ODD}its lock is lockfile"),
        (DUAL, [writer(TABLE)], [writer({**BOTH, "bucket": "other"})], ELSE),
        (DUAL, [writer(TABLE)], [writer({**BOTH, "encrypt": True})], ELSE),
        (DUAL, [writer(TABLE)], [writer(BOTH, "app")], f"{ODD}the backend is not found any more"),
        (DUAL, [writer(TABLE)], [writer({**BOTH, "use_lockfile": Unknown("x")})], f"{ODD}its lock is use_"),
        (DUAL, [writer(TABLE), writer(ACME, "app")], [writer(BOTH), writer(LOCKFILE, "app")], "it also "),
        (DUAL, [writer(BOTH), writer(APP, "app")], [writer(TABLE), writer(APP, "app")], f"{ODD}its lock is"),
        (ADOPT, [writer(ACME)], [writer(LOCKFILE)], None),
        (RETIRE, [writer(BOTH)], [writer(LOCKFILE)], None),
        (RETIRE, [writer(BOTH)], [writer(ACME)], f"{ODD}its lock is none"),
        (RETIRE, [writer(BOTH)], [writer(MAYBE)], f"{ODD}its lock is use_lockfile is var.on"),
        (RETIRE, [flag({"dynamodb_table": "t"})], [], "these flags are for a block that is not known"),
        (READ, [reader(TABLE)], [reader(ACME)], None),
        (READ, [reader(TABLE)], [reader(TABLE)], f"{ODD}the reader still names the table"),
        (READ, [reader(TABLE)], [], f"{ODD}the reader still names the table"),
    ],
)
def test_an_edit_that_does_something_else_is_none(
    wish: LockWish, before: list[Site], after: list[Site], why: str | None
) -> None:
    found = told(wish, before, after)
    assert len(found) == (1 if why else 0), found
    assert all((why or "") in one for one in found), found


def test_roles_move_in_every_state_that_a_file_configures() -> None:
    """OpenTofu takes both spellings, and is not asked."""
    blocks = [site("net/main.tf", {"key": "net"}), site("net/main.tofu", {"key": "app"})]
    was, now = (
        site("net/acme.tfbackend", {"bucket": "acme-state", name: "role/ci"}, role="partial")
        for name in ("role_arn", "assume_role.role_arn")
    )
    assert told(LockWish.ASSUME, [*blocks, was], [*blocks, now]) == []
