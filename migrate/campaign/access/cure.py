"""The least change of live policies that lets every holder who would fail at a lock take and release it.

Nothing is written. A change is given out only where, with all layers weighed anew, the locks come out well
and nothing but these locks was granted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from migrate.campaign.access.accounts import View
from migrate.campaign.access.live_changes import changes
from migrate.campaign.access.live_documents import beside, granted, new_policy, replaced, too_big
from migrate.campaign.access.questions import Asked, target
from migrate.campaign.access.verdicts import check
from migrate.iam.holder import Holder, Row
from migrate.iam.judge import Answer, Decision
from migrate.iam.kept import Kept
from migrate.iam.layers import Kind
from migrate.iam.locks import BAD, GOOD, Class, Finding
from migrate.iam.target import TRIO, Grant, Scope
from migrate.model import Refusal, StateId
from migrate.weighed import Cured

_LIMITING: Final = tuple(kind.value for kind in (Kind.SCP, Kind.RCP, Kind.ENDPOINT, Kind.BOUNDARY))
_SEE: Final = "tfrelock iam check --format json says what each layer answers"


class Wish(Struct, frozen=True):
    """How wide a grant is to be; `tables` are the names of lock tables that are known."""

    scope: Scope = "as-state"
    tables: tuple[str, ...] = ()


def cure(view: View, asked: Sequence[Asked], wish: Wish) -> Cured:
    """One change for each document, however many holders it serves; a Refusal for each holder it cannot."""
    now, held, open_, told = view, list[Refusal](), 0, set[StateId]()
    for name in sorted(str(one) for one in view.holders):
        holder = next(one for one in now.holders if str(one) == name)
        every = check([holder], asked, now.around).rows
        open_ += sum(row.verdict.outcome is Class.UNKNOWN for row in every)
        told |= {row.state for row in every}
        rows = [row for row in every if row.verdict.outcome in BAD]
        found = _cured(now, holder, rows, asked, wish) if rows else now
        if isinstance(found, Refusal):
            held.append(found)
        else:
            now = found
    notes = (f"Verdicts that are not known, and so not cured: {open_}. {_SEE}.",) if open_ else ()
    untold = sorted({one.state for one in asked} - told, key=str)
    return Cured(tuple(changes(view, now)), tuple(held), (*notes, *view.notes), tuple(untold), open_)


def _failing(view: View, holder: Holder, asked: Sequence[Asked]) -> list[Row]:
    """What is not well: a lock that may now be put, and nobody knows whether deleted, is worse than none."""
    rows = check([holder], asked, view.around).rows
    return [row for row in rows if row.verdict.outcome not in GOOD]


def _cured(
    view: View, holder: Holder, rows: Sequence[Row], asked: Sequence[Asked], wish: Wish
) -> View | Refusal:
    """The first of the ways after which the holder may lock all that it failed at."""
    why = _not_ours(holder) or _beyond_allow(holder, rows)
    if why:
        return why
    states = {row.state for row in rows}
    of = [one.within(holder.caller.partition) for one in asked if one.state in states]
    last: Sequence[Row] = rows
    long: list[Refusal] = []
    for way in _ways(view, holder, of, wish):
        if isinstance(way, Refusal):
            return way
        tried = replaced(view, holder, way)
        last = _failing(tried, next(one for one in tried.holders if str(one) == str(holder)), of)
        if not last:
            big = [found for one in way if (found := too_big(one, tried, holder))]
            if not big:
                return tried
            long += big
    return long[0] if long else beside(holder, f"{_ALONE}: {_said(last)}", _allow(last))


_ALONE: Final = "no grant of the lock alone would do"


def _not_ours(holder: Holder) -> Refusal | None:
    if "/aws-reserved/sso.amazonaws.com/" in holder.caller.arn:
        why = "IAM Identity Center keeps this role, and would undo the change"
        return beside(holder, why, "grant the lock in the permission set that it comes from")
    if "/aws-service-role/" in holder.caller.arn:
        return beside(holder, "an AWS service keeps this role", "run Terraform as another role")
    return None


def _beyond_allow(holder: Holder, rows: Iterable[Row]) -> Refusal | None:
    """A Deny, or a layer that limits, decides: no policy of the holder's own would help."""
    for decision in (one.decision for row in rows for one in row.verdict.findings):
        if decision.answer is Answer.DENIED and decision.statement:
            why = f"{decision.layer}: {decision.statement} denies the lock, and a further Allow cannot help"
            return beside(holder, why, "except the lock from that Deny: it is never weakened here")
        if decision.layer in _LIMITING and not decision.statement:
            why = f"nothing in the {decision.layer} allows the lock"
            return beside(holder, why, f"allow {', '.join(TRIO)} on the lock there first")
    return None


def _ways(view: View, holder: Holder, of: Sequence[Asked], wish: Wish) -> Iterator[Sequence[Kept] | Refusal]:
    """One policy that the holder has already, all of them, a new one; each alone and with the bucket's."""
    grant = Grant(tuple(map(target, of)), wish.scope, wish.tables)
    found = [granted(one, grant) for one in view.own(holder)]
    refused = next((one for one in found if isinstance(one, Refusal)), None)
    if refused:
        yield refused
        return
    own = [one for one in found if isinstance(one, Kept)]
    ways = [*([one] for one in own), *([own] if own[1:] else []), [new_policy(holder, grant)]]
    yield from ways
    near = (view.around(bucket).document for bucket in sorted({one.state.bucket for one in of}))
    buckets = [new for one in near if one and isinstance(new := granted(one, grant), Kept)]
    yield from ([*way, *buckets] for way in ([], *ways) if buckets)


def _said(rows: Sequence[Row]) -> str:
    told = (f"{one.need.request.action} {_answered(one.decision)}" for one in _open(rows))
    return "; ".join(dict.fromkeys(told))


def _answered(decision: Decision) -> str:
    doubts = " and ".join(doubt.name for doubt in decision.doubts)
    return f"hangs on {doubts}" if doubts else f"is not allowed by the {decision.layer}"


def _allow(rows: Sequence[Row]) -> str:
    """What would have to be allowed besides, by hand."""
    needs = {(one.need.request.action, str(one.need.request.resource)) for one in _open(rows)}
    return f"allow {', '.join(f'{action} on {resource}' for action, resource in sorted(needs))}"


def _open(rows: Sequence[Row]) -> Iterator[Finding]:
    return (one for row in rows for one in row.verdict.findings)
