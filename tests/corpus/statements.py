"""Every statement of a policy that may concern a state's lock, and what an edit makes of it.

A candidate is an Allow or a Deny on objects whose resources can mean a known state or its lock, or on rows
of a lock table. Where no state is known the policies that name a lock table tell of it themselves.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from migrate.campaign.editing.policies import lock_grant
from migrate.campaign.reading.narrowing import Narrowing
from migrate.cli.gather import gather
from migrate.cli.options import Scope
from migrate.cli.trust import Operator
from migrate.files import discover
from migrate.iam.address import Address, Workspaces
from migrate.iam.bases import LOCK_TABLE, bases, pattern
from migrate.iam.grant import Addition, Hold, least
from migrate.iam.policy import Element, Policy, Statement
from migrate.iam.profiles import TooWideError, overlap
from migrate.iam.statements import names
from migrate.iam.target import Grant
from migrate.iam.truth import FALSE
from migrate.policies import POLICIES
from migrate.spelling.written import Written

OBJECTS: Final = ("s3:GetObject", "s3:PutObject", "s3:DeleteObject")
ROWS: Final = ("dynamodb:PutItem", "dynamodb:DeleteItem")
CLASSES: Final = {
    "edited": "A: a statement is added behind it",
    "edited, to review": "B: the same, and what an expression was taken for is told",
    "told": "C: the statement to add is told with its place",
    "refused": "C: why no statement that is added would help",
    "not read": "C: an expression makes it, and that is told",
    "denies": "D: a Deny, which is never weakened",
    "granted": "-: the lock may be taken and released as it stands",
    "reads": "-: it writes no state, and its policy locks in no table",
    "locks": "-: rights on a lock table, which tell who takes locks",
    "of something else": "-: nothing says that the expression in place of its bucket is a state's",
}
"""Each class, with its letter in the table of decisions."""


class Classed(Struct, frozen=True, order=True):
    """One candidate, with its class."""

    path: str
    line: int
    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.what}"


def classed(folder: Path) -> list[Classed]:
    """All candidates of a repository, by place."""
    asked = Scope(discover([str(folder)]), Narrowing(), Operator())
    gathered = gather(asked, tuple(POLICIES))
    wish = lock_grant(gathered.estate)
    return sorted(
        one
        for inventory in gathered.inventories
        for written in inventory.policies
        for one in _of_policy(written, wish)
    )


def _of_policy(written: Written, wish: Grant) -> Iterator[Classed]:
    policy = written.policy
    answer = least(policy, wish)
    granting = [base.statement for target in wish.targets for base in bases(policy, target, wish)]
    for flaw in policy.flaws:
        if "expression" in flaw.why and _locks_in_table(policy):
            yield _classed(written, flaw.where, "not read", flaw.why)
    for one in policy.statements:
        if _concerns_table(one) or _concerns_state(policy, one, wish):
            kind = "told" if written.why_not and _added(one, answer) else _class(one, answer, granting)
            yield _classed(written, one.where, kind, _said(one))


def _class(one: Statement, answer: tuple[Addition, ...] | Hold, granting: Collection[Statement]) -> str:
    if one.effect == "Deny":
        return "denies"
    if isinstance(answer, Hold) and one in (answer.statement, *granting):
        return "refused"
    added = _added(one, answer)
    if added:
        return "edited, to review" if added[0].assumed else "edited"
    if one in granting:
        return "edited" if answer else "granted"
    if not _names(one, OBJECTS):
        return "locks"
    return "of something else" if _names(one, ("s3:PutObject",)) else "reads"


def _added(one: Statement, answer: tuple[Addition, ...] | Hold) -> list[Addition]:
    return [] if isinstance(answer, Hold) else [added for added in answer if added.after == one]


def _names(one: Statement, actions: Collection[str]) -> bool:
    return any(names(one.actions, action) is not FALSE for action in actions)


def _concerns_table(one: Statement) -> bool:
    words = map(str, one.resources.words if one.resources else ())
    return _names(one, ROWS) and any("dynamodb" in word and LOCK_TABLE.search(word) for word in words)


def _concerns_state(policy: Policy, one: Statement, wish: Grant) -> bool:
    if one.resources is None or not _names(one, OBJECTS):
        return False
    addresses = [target.address for target in wish.targets if target.address]
    return any(_meets(policy, one.resources, address) for address in addresses) or _locks_in_table(policy)


def _meets(policy: Policy, resources: Element, address: Address) -> bool:
    meant = tuple(pattern(policy, word) for word in resources.words)
    both = (address.state, address.lock)
    objects = [at(workspace) for at in both for workspace in ("default", Workspaces.EVERY)]
    try:
        return resources.negated or any(overlap(one, meant) for one in objects)
    except TooWideError:
        return True


def _locks_in_table(policy: Policy) -> bool:
    return any(map(_concerns_table, policy.statements))


def _classed(written: Written, where: str, kind: str, what: str) -> Classed:
    line = where.rpartition(":")[2].partition("-")[0]
    return Classed(str(written.path), int(line or written.line), kind, what)


def _said(one: Statement) -> str:
    actions = " ".join(str(word) for word in one.actions.words)
    resources = " ".join(str(word) for word in one.resources.words) if one.resources else ""
    return " ".join(f"{one.sid} {actions} on {resources}".split())[:200]
