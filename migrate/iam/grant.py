"""The least statements that let whoever may write a state lock it too, as wide as the state's own grant.

Only what is missing of the lock's actions is added, and as a statement of its own: one that has other
actions already would give these on the lock as well. The lock's pattern is the state's with `.tflock`
behind it, so nothing that is added ever matches an object whose name ends otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.iam.address import SUFFIX
from migrate.iam.bases import Base, bases, lock_words, pattern
from migrate.iam.needs import HEADERS
from migrate.iam.policy import Condition, Element, Policy, Principals, Statement, Word
from migrate.iam.profiles import TooWideError, covered
from migrate.iam.reach import is_granted, is_unmet, refusing
from migrate.iam.target import Grant, Target


class Addition(Struct, frozen=True):
    """A new statement, to stand behind the last of those that grant the state.

    `assumed`: expressions that were taken to mean the state's bucket.
    """

    after: Statement
    statement: Statement
    assumed: tuple[str, ...] = ()


class Hold(Struct, frozen=True):
    """Why no statement added to the policy would help, and the statement that is the reason."""

    statement: Statement
    why: str
    remedy: str


class _Alike(Struct, frozen=True):
    """What lock patterns share that may stand in one statement."""

    conditions: tuple[Condition, ...]
    principals: Principals | None
    missing: tuple[str, ...]
    hangs_on: str


class _Want(Struct, frozen=True):
    """One pattern of a lock, and the statement that grants its state."""

    alike: _Alike
    base: Base
    lock: Word

    @property
    def key(self) -> object:
        return self.lock, self.base.statement.span, self.alike.conditions, self.alike.principals

    def with_all_of(self, other: _Want) -> _Want:
        """The same pattern wanted for several states, one of which needs more actions than the other."""
        missing = tuple(dict.fromkeys((*other.alike.missing, *self.alike.missing)))
        return replace(self, alike=replace(self.alike, missing=missing))


def least(policy: Policy, wish: Grant) -> tuple[Addition, ...] | Hold:
    """The statements to add to a policy; none where nothing is missing, a Hold where that would not help."""
    try:
        return _least(policy, wish)
    except TooWideError:
        why = "its patterns are too tangled to compare"
        return Hold(policy.statements[0], why, "write them one by one")


def _least(policy: Policy, wish: Grant) -> tuple[Addition, ...] | Hold:
    wants: dict[object, _Want] = {}
    for want in _wanted(policy, wish):
        if isinstance(want, Hold):
            return want
        wants[want.key] = want.with_all_of(wants.get(want.key, want))
    groups: dict[_Alike, list[_Want]] = {}
    for want in wants.values():
        groups.setdefault(want.alike, []).append(want)
    taken = {statement.sid for statement in policy.statements}
    return tuple(added for group in groups.values() for added in _additions(policy, group, taken))


def _wanted(policy: Policy, wish: Grant) -> Iterator[_Want | Hold]:
    for target in wish.targets:
        for base in bases(policy, target, wish):
            words = lock_words(policy, base, target, wish)
            yield from (want for word in words if (want := _want(policy, base, target, word)))


def _want(policy: Policy, base: Base, target: Target, word: Word) -> _Want | Hold | None:
    lock, statement = pattern(policy, word), base.statement
    refusals = (refusing(policy, base, target, action, lock) for action in target.actions)
    refused = next(filter(None, refusals), None)
    if refused:
        return Hold(refused, f"it denies the lock {word}, and a further Allow cannot help", _EXCEPT)
    missing = tuple(one for one in target.actions if not is_granted(policy, statement, one, lock))
    if not missing:
        return None
    if target.address and target.address.key.endswith(SUFFIX):
        return Hold(
            statement, f"a state's own key ends in {SUFFIX}: Delete would reach it", "rename the state"
        )
    unmet = next((one for one in statement.conditions if is_unmet(one, "s3:PutObject")), None)
    if unmet:
        return Hold(statement, f"its condition on {unmet.key} cannot be met: {_NO_KEY}", _WITHOUT)
    alike = _Alike(statement.conditions, statement.principals, missing, statement.hangs_on)
    return _Want(alike, base, word)


_EXCEPT: Final = "except the lock from that Deny"
_NO_KEY: Final = "no request for a lock has it"
_WITHOUT: Final = "grant the lock without that condition"


def _additions(policy: Policy, group: list[_Want], taken: set[str]) -> Iterator[Addition]:
    """One statement for a group, or two where a condition can be met by a Put alone."""
    alike, after = group[0].alike, max((want.base.statement for want in group), key=lambda one: one.span.end)
    locks = _widest(policy, [want.lock for want in group])
    assumed = tuple(dict.fromkeys(symbol for want in group for symbol in want.base.assumed))
    of_puts = [one for one in alike.conditions if one.key.lower().startswith(HEADERS)]
    others = tuple(one for one in alike.conditions if one not in of_puts)
    puts = tuple(action for action in alike.missing if action.startswith("s3:Put")) if of_puts else ()
    rest = tuple(action for action in alike.missing if action not in puts)
    for sid, actions, conditions in ((_SID, puts, alike.conditions), (_SID + "Release", rest, others)):
        if actions:
            name = _free(sid if puts else _SID, locks, taken)
            words = Element(tuple(Word((action,)) for action in actions))
            made = Statement("Allow", words, Element(locks), alike.principals, conditions, name)
            yield Addition(after, made, assumed)


_SID: Final = "TerraformStateLockFile"


def _free(sid: str, locks: tuple[Word, ...], taken: set[str]) -> str:
    """The name; where it is taken with signs of what it is on behind it, six or as many as it needs."""
    digest = sha256(" ".join(str(lock) for lock in locks).encode()).hexdigest()
    name = next(name for name in (sid, *(f"{sid}{digest[:size]}" for size in _SIGNS)) if name not in taken)
    taken.add(name)
    return name


_SIGNS: Final = range(6, 65)


def _widest(policy: Policy, locks: list[Word]) -> tuple[Word, ...]:
    """The patterns without those that another one covers."""
    kept: list[Word] = []
    for lock in dict.fromkeys(locks):
        meant = pattern(policy, lock)
        if not covered(meant, tuple(pattern(policy, one) for one in kept)):
            kept = [one for one in kept if not covered(pattern(policy, one), (meant,))] + [lock]
    return tuple(kept)
