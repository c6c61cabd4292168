"""Whether a policy grants a lock already, and what in it would undo such a grant."""

from __future__ import annotations

from typing import Final

from migrate.iam.bases import Base, pattern
from migrate.iam.conditions import holds, prepared
from migrate.iam.glob import Glob
from migrate.iam.needs import HEADERS, NEVER
from migrate.iam.policy import Condition, Element, Policy, Statement
from migrate.iam.profiles import covered, overlap
from migrate.iam.request import Absence, Request
from migrate.iam.statements import names
from migrate.iam.target import Target
from migrate.iam.truth import FALSE, TRUE

# OpenTofu's tags of a lock stand in its Put.
_ABSENT: Final = tuple(start for start in NEVER if start != "s3:requestobjecttag")


def is_granted(policy: Policy, base: Statement, action: str, lock: Glob) -> bool:
    """Whether statements that apply whenever `base` does allow the action on all of the lock's pattern."""
    found = [one for one in policy.statements if _goes_with(one, base, action)]
    elements = [one.resources for one in found if one.resources]
    if any(one.negated and not overlap(lock, _union(policy, one)) for one in elements):
        return True
    unions = (_union(policy, one) for one in elements if not one.negated)
    return covered(lock, tuple(dict.fromkeys(glob for union in unions for glob in union)))


def refusing(policy: Policy, base: Base, target: Target, action: str, lock: Glob) -> Statement | None:
    """A Deny that would undo the grant of a lock, and does not refuse the state's own Put alike."""
    for one in policy.statements:
        if one.effect == "Deny" and one.resources and names(one.actions, action) is not FALSE:
            alike = one.conditions and _refuses_state(policy, one, base, target)
            if _hits(policy, one.resources, lock) and not alike:
                return one
    return None


def _goes_with(one: Statement, base: Statement, action: str) -> bool:
    """Whether a statement allows the action, for the same callers, under no condition that `base` lacks."""
    return (
        one.effect == "Allow"
        and one.principals == base.principals
        and one.hangs_on in ("", base.hangs_on)
        and set(one.conditions) <= set(base.conditions)
        and names(one.actions, action) is TRUE
        and not any(is_unmet(condition, action) for condition in one.conditions)
    )


def is_unmet(condition: Condition, action: str) -> bool:
    """Whether no request of that action on a lock can meet the condition, because it never has the key."""
    absent = _ABSENT if action.startswith("s3:Put") else (*HEADERS, *_ABSENT)
    if not condition.key.lower().startswith(absent):
        return False
    missing = Request(action, Glob(()), others=Absence.MISSING)
    return holds(prepared(condition, variables=False), missing) is not TRUE


def _refuses_state(policy: Policy, deny: Statement, base: Base, target: Target) -> bool:
    """Whether a Deny is on all of the state, or on all that the grant of the state is on."""
    resources = deny.resources
    if resources is None or names(deny.actions, "s3:PutObject") is not TRUE:
        return False
    state = target.states() if target.workspaces else target.states()[:1]
    words = tuple(pattern(policy, word) for word in base.words)
    return any(whole and all(_spans(policy, resources, one) for one in whole) for whole in (state, words))


def _spans(policy: Policy, element: Element, one: Glob) -> bool:
    """Whether an element speaks of all that a pattern means."""
    union = _union(policy, element)
    return not overlap(one, union) if element.negated else covered(one, union)


def _hits(policy: Policy, element: Element, one: Glob) -> bool:
    """Whether an element speaks of some of what a pattern means."""
    union = _union(policy, element)
    return not covered(one, union) if element.negated else overlap(one, union)


def _union(policy: Policy, element: Element) -> tuple[Glob, ...]:
    return tuple(pattern(policy, word) for word in element.words)
