"""Who may take and release which lock: every holder of policies held against every state.

Where the holders come from is not known here: they are read from source, from a saved document or from a
live account by others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from migrate.campaign.questions import Asked
from migrate.iam.address import Workspaces
from migrate.iam.doubt import Doubt
from migrate.iam.holder import Holder, Row, Surroundings
from migrate.iam.judge import Judge
from migrate.iam.layers import Kind
from migrate.iam.locks import NOTHING, Class, LockVerdict, lock_verdict
from migrate.iam.needs import Question
from migrate.iam.statements import names
from migrate.iam.truth import FALSE
from migrate.iam.weights import account_doubt
from migrate.report import Checked

Around: TypeAlias = Callable[[str], Surroundings]
"""What stands around a bucket, by its name."""

_ONE_ACCOUNT: Final[Mapping[Doubt, bool]] = {account_doubt(): True}
_LOCKING: Final = ("s3:PutObject", "dynamodb:PutItem")
_EVERY: Final = (Workspaces.EVERY,)


def check(holders: Iterable[Holder], asked: Sequence[Asked], around: Around) -> Checked:
    """The verdicts on all locks that a holder may take; of the others only how many there are.

    Source tells no account: a holder that is known from there is taken to be of its bucket's account.
    """
    rows: list[Row] = []
    others: list[tuple[Holder, int]] = []
    for holder in sorted(holders, key=lambda one: (str(one), one.caller.arn)):
        found = list(_rows(holder, asked, around)) if _may_lock(holder, around, asked) else []
        rows += found
        others.append((holder, len({one.state for one in asked} - {row.state for row in found})))
    return Checked(tuple(rows), tuple(others), len({one.state for one in asked}))


def _may_lock(holder: Holder, around: Around, asked: Sequence[Asked]) -> bool:
    """Whether anything lets the holder write an object or an item at all: most roles do neither."""
    layers = [layer for layer in holder.layers if layer.kind is Kind.IDENTITY]
    layers += [layer for bucket in {one.state.bucket for one in asked} for layer in around(bucket).layers]
    return any(layer.hidden for layer in layers) or any(
        names(one.actions, action) is not FALSE
        for layer in layers
        for policy in layer.policies
        for one in policy.statements
        for action in _LOCKING
        if one.effect == "Allow"
    )


def _rows(holder: Holder, asked: Sequence[Asked], around: Around) -> Iterator[Row]:
    """One row for each state; of backends that write it differently the first that says something new."""
    seen: set[tuple[str, Class]] = set()
    for one in asked:
        row = _row(holder, one, around(one.state.bucket))
        key = (str(one.state), row.verdict.outcome)
        if row.verdict.outcome is not Class.NOT_A_LOCKER and key not in seen:
            seen.add(key)
            yield row


def _row(holder: Holder, asked: Asked, near: Surroundings) -> Row:
    judge = Judge(holder.caller, (*holder.layers, *near.layers))
    writing = near.writes(asked.writing)
    question = Question(asked.address, holder.caller, near.owner, asked.client, writing)
    given = _ONE_ACCOUNT if holder.by == "source" else NOTHING
    named = asked.workspaces or (_EVERY if asked.uses_workspaces else ())
    verdict = lock_verdict(judge, question, named, asked.table, given)
    return Row(holder, asked.state, verdict, _elsewhere(judge, question, asked, given))


def _elsewhere(
    judge: Judge, question: Question, asked: Asked, given: Mapping[Doubt, bool]
) -> LockVerdict | None:
    """The verdict on named workspaces, where nobody says that there are any."""
    if asked.uses_workspaces:
        return None
    return lock_verdict(judge, question, _EVERY, asked.table, given)
