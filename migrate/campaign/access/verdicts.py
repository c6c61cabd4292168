"""Who may take and release which lock: every holder of policies held against every state.

Where the holders come from is not known here: they are read from source, from a saved document or from a
live account by others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from migrate.campaign.access.questions import Asked
from migrate.grouping import grouped
from migrate.iam.actions import misnamed
from migrate.iam.address import Workspaces
from migrate.iam.bases import pattern
from migrate.iam.bound import Fill, bound
from migrate.iam.doubt import Doubt
from migrate.iam.glob import Glob, glob
from migrate.iam.holder import Holder, Row, Surroundings
from migrate.iam.judge import Answer, Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.locks import NOTHING, Class, LockVerdict, lock_verdict, workspace_verdict
from migrate.iam.needs import state_put
from migrate.iam.policy import Policy, Statement
from migrate.iam.principals import Via, speaks_of
from migrate.iam.profiles import TooWideError, overlap
from migrate.iam.question import Question
from migrate.iam.speaking import Objects, objects, speaker
from migrate.iam.statements import names
from migrate.iam.target import Target
from migrate.iam.truth import FALSE
from migrate.iam.weights import account_doubt
from migrate.model import StateId
from migrate.weighed import Checked

Around: TypeAlias = Callable[[str], Surroundings]
"""What stands around a bucket, by its name."""

_ONE_ACCOUNT: Final[Mapping[Doubt, bool]] = {account_doubt(): True}
_PUT: Final = "s3:PutObject"
_GRANTING: Final = (Kind.IDENTITY, Kind.BUCKET, Kind.TABLE)
_EVERY: Final = (Workspaces.EVERY,)


def check(holders: Iterable[Holder], asked: Sequence[Asked], around: Around) -> Checked:
    """The verdicts on all locks that a holder may take; of the others only how many there are.

    Source tells no account: a holder that is known from there is taken to be of its bucket's account.
    """
    rows: list[Row] = []
    others: list[tuple[Holder, int]] = []
    aside: list[Holder] = []
    states = {one.state for one in asked}
    rounds: dict[str, _Round] = {}
    for holder in sorted(holders, key=lambda one: (str(one), one.caller.arn)):
        home = holder.caller.partition
        if home not in rounds:
            rounds[home] = _round([one.within(home) for one in asked], around)
        found = _found(holder, rounds[home].of(holder))
        told = [row for row in found if isinstance(row, Row)]
        rows += told
        aside += [holder] if len(told) < len(found) else []
        others.append((holder, len(states - {row.state for row in found})))
    untold = sorted(states - {row.state for row in rows}, key=str)
    return Checked(tuple(rows), tuple(others), len(states), tuple(aside), tuple(untold))


def misnamed_by(holders: Iterable[Holder]) -> tuple[str, ...]:
    """What policies of these holders name that is no action, in words."""
    policies = (policy for one in holders for layer in one.layers for policy in layer.policies)
    return tuple(dict.fromkeys(f"Misnamed: {one}." for one in misnamed(policies)))


class _Bucket(Struct, frozen=True):
    """What stands around a bucket, ready to be asked about many holders.

    `locking`: what makes a locker of a state in it, one of these actions on one of these resources.
    `granting`: the statements of its policy that let somebody write objects.
    """

    near: Surroundings
    locking: tuple[tuple[str, Glob], ...]
    granting: tuple[Statement, ...]


class _Round(Struct, frozen=True):
    """All questions as the holders of one partition are asked them."""

    buckets: Mapping[str, _Bucket]
    pairs: Sequence[tuple[Asked, Objects]]

    def of(self, holder: Holder) -> list[tuple[Asked, Objects, _Bucket]]:
        """Those about buckets in which the holder may lock at all."""
        near = {name: bucket for name, bucket in self.buckets.items() if _may_lock(holder, bucket)}
        return [(*pair, near[pair[0].state.bucket]) for pair in self.pairs if pair[0].state.bucket in near]


def _round(asked: Sequence[Asked], around: Around) -> _Round:
    by_bucket = grouped(asked, lambda one: one.state.bucket)
    buckets = {name: _bucket(of, around(name)) for name, of in sorted(by_bucket.items())}
    return _Round(buckets, [(one, objects(one.address)) for one in asked])


def _bucket(of: Sequence[Asked], near: Surroundings) -> _Bucket:
    puts = [(_PUT, glob(f"{one.address.bucket_arn}/*")) for one in of]
    items = (("dynamodb:PutItem", one.table) for one in of if one.table)
    own = (policy for layer in near.layers if layer.kind is Kind.BUCKET for policy in layer.policies)
    every = ((policy, one) for policy in own for one in policy.statements if one.effect == "Allow")
    granting = tuple(one for policy, one in every if any(_reaches(policy, one, *put) for put in {*puts}))
    return _Bucket(near, tuple(dict.fromkeys((*puts, *items))), granting)


def _may_lock(holder: Holder, bucket: _Bucket) -> bool:
    """Whether anything lets the holder write into the bucket or its lock tables: most roles do neither."""
    layers = [layer for layer in (*holder.layers, *bucket.near.layers) if layer.kind in _GRANTING]
    return any(layer.hidden for layer in layers) or any(
        _reaches(policy, one, action, resource)
        for layer in layers
        for policy in layer.policies
        for one in policy.statements
        for action, resource in bucket.locking
        if one.effect == "Allow"
    )


def _reaches(policy: Policy, one: Statement, action: str, resource: Glob) -> bool:
    if names(one.actions, action) is FALSE:
        return False
    if one.resources is None or one.resources.negated:
        return True
    try:
        return overlap(resource, tuple(pattern(policy, word) for word in one.resources.words))
    except TooWideError:
        return True


class _Guess(Struct, frozen=True):
    """Nothing that source has of the holder speaks of the state; what it does not have may."""

    state: StateId


def _found(holder: Holder, asked: Iterable[tuple[Asked, Objects, _Bucket]]) -> list[Row | _Guess]:
    """One row for each state; of backends that write it differently the first that says something new."""
    found: dict[tuple[StateId, Class | None], Row | _Guess] = {}
    says = speaker(holder.layers) if holder.by == "source" else None
    judges: _Judges = {}
    for one, places, bucket in asked:
        row: Row | _Guess | None
        if says and not says.may(places):
            vague = holder.kind != "policy" and (says.vague or _grants(bucket, holder))
            row = _Guess(one.state) if vague else None
        else:
            row = _row(holder, one, bucket.near, judges)
        if row:
            found.setdefault((row.state, row.verdict.outcome if isinstance(row, Row) else None), row)
    return list(found.values())


def _grants(bucket: _Bucket, holder: Holder) -> bool:
    """Whether a policy of the bucket may grant what the holder's own do not speak of."""
    hidden = any(layer.kind is Kind.BUCKET and layer.hidden for layer in bucket.near.layers)
    return hidden or any(_may_mean(one, holder) for one in bucket.granting)


def _may_mean(one: Statement, holder: Holder) -> bool:
    """Whether a statement may grant to a holder; one to its account leaves that to the holder's own."""
    if one.principals is None:
        return True
    speaks, via = speaks_of(one.principals, "Allow", holder.caller)
    return speaks is not FALSE and via is not Via.ACCOUNT


_Judges: TypeAlias = dict[tuple[str, str, Fill | None], Judge]
"""Of one holder, by the bucket, the session and what expressions stand for: building one costs more than
asking it."""


def _row(holder: Holder, asked: Asked, near: Surroundings, judges: _Judges) -> Row | _Guess | None:
    """None for a lock that the holder does not take."""
    session = (Layer(Kind.SESSION, unseen=asked.session),) if asked.session else ()
    layers = (*holder.layers, *near.layers, *session)
    said = bound(layers, Target(asked.address), asked.table) if holder.by == "source" else None
    key = (asked.state.bucket, asked.session, said.fill if said else None)
    if key not in judges:
        judges[key] = Judge(holder.caller, said.fill.layers(layers) if said else layers)
    judge = judges[key]
    writing = near.writes(asked.writing)
    question = Question(asked.address, holder.caller, near.owner, asked.client, writing)
    given = _ONE_ACCOUNT if holder.by == "source" else NOTHING
    if said and not said.speaks:
        put = judge.decide(state_put(question, "default"), given.get)
        return _Guess(asked.state) if put.answer is Answer.UNKNOWN and holder.kind != "policy" else None
    named = asked.workspaces or (_EVERY if asked.uses_workspaces else ())
    verdict = lock_verdict(judge, question, named, asked.table, given)
    if verdict.outcome is Class.NOT_A_LOCKER:
        return None
    return Row(
        holder, asked.state, verdict, _elsewhere(judge, question, asked, given), said.assumed if said else ()
    )


def _elsewhere(
    judge: Judge, question: Question, asked: Asked, given: Mapping[Doubt, bool]
) -> LockVerdict | None:
    """The verdict on named workspaces, where nobody says that there are any."""
    if asked.uses_workspaces:
        return None
    return workspace_verdict(judge, question, Workspaces.EVERY, asked.table, given)
