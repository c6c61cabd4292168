"""What one policy has to do with a state and its lock: who grants the state, and on which pattern."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from migrate.iam.address import SUFFIX, Address, Workspaces
from migrate.iam.conditions import holds, prepared
from migrate.iam.glob import Glob, Hole, Wild
from migrate.iam.needs import HEADERS
from migrate.iam.policy import Condition, Element, Policy, Statement, Word
from migrate.iam.profiles import covered, overlap
from migrate.iam.request import Absence, Request
from migrate.iam.statements import names
from migrate.iam.truth import FALSE, TRUE
from migrate.iam.variables import plain, understood

Scope: TypeAlias = Literal["as-state", "exact", "prefix", "bucket"]

TRIO: Final = ("s3:GetObject", "s3:PutObject", "s3:DeleteObject")
_TABLE_LOCK: Final = ("dynamodb:PutItem", "dynamodb:DeleteItem")
_NO_BUCKET: Final = re.compile(r"(arn:[\w-]*:s3:::)?")
_BUCKET_ARN: Final = re.compile(r"\baws_s3_bucket\.[^/]*\barn\}|bucket_arn\}")
_OF_STATES: Final = re.compile(r"(?i)state|backend")
_ANYBODY: Final = Request("", Glob(()))


@dataclass(frozen=True, slots=True)
class Target:
    """One state whose lock is wanted. `actions` are those on the lock object, the trio among them.

    `workspaces`: whether named workspaces are used.
    """

    address: Address
    actions: tuple[str, ...] = TRIO
    workspaces: bool = False

    def states(self) -> tuple[Glob, ...]:
        named = (self.address.state(Workspaces.EVERY),) if self.workspaces else ()
        return (self.address.state(), *named)


@dataclass(frozen=True, slots=True)
class Base:
    """A statement that grants the state, and its words that can match it; none where it has NotResource.

    `assumed`: expressions that are taken to mean the state's bucket.
    """

    statement: Statement
    words: tuple[Word, ...]
    assumed: tuple[str, ...] = ()


def bases(policy: Policy, target: Target) -> tuple[Base, ...]:
    """The statements by which a caller writes the state, or reads it and locks it in the table."""
    writing = tuple(_granting(policy, "s3:PutObject", target))
    if writing or not _locks_in_table(policy):
        return writing
    return tuple(_granting(policy, "s3:GetObject", target))


def _locks_in_table(policy: Policy) -> bool:
    allowing = [one for one in policy.statements if one.effect == "Allow"]
    return all(any(names(one.actions, action) is TRUE for one in allowing) for action in _TABLE_LOCK)


def _granting(policy: Policy, action: str, target: Target) -> Iterator[Base]:
    for one in policy.statements:
        if one.effect == "Allow" and one.resources and names(one.actions, action) is TRUE:
            words = tuple(word for word in one.resources.words if _may_match(policy, word, target))
            if bool(words) != one.resources.negated:
                symbols = (symbol for word in words for symbol in _buckets(pattern(policy, word)))
                yield Base(one, () if one.resources.negated else words, tuple(dict.fromkeys(symbols)))


def _may_match(policy: Policy, word: Word, target: Target) -> bool:
    """Whether a word can mean the state.

    An expression can mean any bucket: it is taken for the state's where the policy also locks in a table,
    or where the very key stands behind it.
    """
    meant = pattern(policy, word)
    if _is_a_bucket(meant) or not any(overlap(state, (meant,)) for state in target.states()):
        return False
    symbols = _buckets(meant)
    told = _locks_in_table(policy) or meant.ends(f"/{target.address.key}")
    return told or not symbols or any(_OF_STATES.search(symbol) for symbol in symbols)


def _is_a_bucket(meant: Glob) -> bool:
    """Whether an expression alone stands where a bucket does, or is named as one: no object is meant."""
    match meant.pieces:
        case (Hole(symbol, several=False),):
            return _BUCKET_ARN.search(symbol) is not None
        case (*_, str(before), Hole(several=False)):
            return before.endswith(":::")
        case _:
            return False


def _buckets(meant: Glob) -> list[str]:
    """The expressions where an ARN has its bucket."""
    found: list[str] = []
    for piece in meant.pieces:
        if isinstance(piece, Hole) and piece.kind == "symbol":
            found.append(piece.symbol)
        elif isinstance(piece, str):
            found = [] if ":::" in piece else found
            if "/" in piece:
                return found
    return found


def pattern(policy: Policy, word: Word) -> Glob:
    """The pattern of a resource; what its variables come to is not known."""
    return understood(word, _ANYBODY, wild=True) if policy.has_variables else plain(word, wild=True)


def lock_words(policy: Policy, base: Base, target: Target, scope: Scope) -> tuple[Word, ...]:
    """The patterns of the lock, as words to write."""
    if scope != "as-state" or not base.words:
        return tuple(Word((text,)) for text in _scoped(target, scope))
    words = (_behind(word, pattern(policy, word), target.address) for word in base.words)
    return tuple(dict.fromkeys(words))


def is_granted(policy: Policy, base: Statement, action: str, lock: Glob) -> bool:
    """Whether statements that apply whenever `base` does allow the action on all of the lock's pattern."""
    found = [one for one in policy.statements if _goes_with(one, base, action)]
    elements = [one.resources for one in found if one.resources]
    if any(one.negated and not overlap(lock, _union(policy, one)) for one in elements):
        return True
    unions = (_union(policy, one) for one in elements if not one.negated)
    return covered(lock, tuple(dict.fromkeys(glob for union in unions for glob in union)))


def refusing(policy: Policy, base: Base, action: str, lock: Glob) -> Statement | None:
    """A Deny that would undo the grant of a lock, and does not refuse the state's own Put alike."""
    for one in policy.statements:
        if one.effect == "Deny" and one.resources and names(one.actions, action) is not FALSE:
            alike = one.conditions and _refuses_state(policy, one, base)
            if _hits(policy, one.resources, lock) and not alike:
                return one
    return None


def _goes_with(one: Statement, base: Statement, action: str) -> bool:
    """Whether a statement allows the action, for the same callers, under no condition that `base` lacks."""
    return (
        one.effect == "Allow"
        and one.principals == base.principals
        and set(one.conditions) <= set(base.conditions)
        and names(one.actions, action) is TRUE
        and not any(is_unmet(condition, action) for condition in one.conditions)
    )


def is_unmet(condition: Condition, action: str) -> bool:
    """Whether no request of that action on a lock can meet the condition, because it never has the key."""
    absent = (
        ("s3:existingobjecttag/",) if action.startswith("s3:Put") else (*HEADERS, "s3:existingobjecttag/")
    )
    if not condition.key.lower().startswith(absent):
        return False
    missing = Request(action, Glob(()), others=Absence.MISSING)
    return holds(prepared(condition, variables=False), missing) is not TRUE


def _refuses_state(policy: Policy, deny: Statement, base: Base) -> bool:
    return names(deny.actions, "s3:PutObject") is TRUE and all(
        deny.resources is not None and _hits(policy, deny.resources, pattern(policy, word))
        for word in base.words
    )


def _hits(policy: Policy, element: Element, one: Glob) -> bool:
    """Whether an element speaks of some of what a pattern means."""
    union = _union(policy, element)
    return not covered(one, union) if element.negated else overlap(one, union)


def _union(policy: Policy, element: Element) -> tuple[Glob, ...]:
    return tuple(pattern(policy, word) for word in element.words)


def _behind(word: Word, meant: Glob, address: Address) -> Word:
    """The lock's pattern for the state's: the same with `.tflock` behind it, and bounded to a bucket."""
    literal = "".join(piece for piece in meant.pieces if isinstance(piece, str))
    if meant.pieces[-1:] == (Wild.ANY,) and _NO_BUCKET.fullmatch(literal):
        return Word((f"{address.bucket_arn}/*{SUFFIX}",))
    return word.followed_by(SUFFIX)


def _scoped(target: Target, scope: Scope) -> Iterator[str]:
    """The lock's patterns for a scope that does not follow the policy."""
    bucket, key, prefix = target.address.bucket_arn, target.address.key, target.address.prefix
    folder = posixpath.dirname(key)
    named = "/".join(part for part in (prefix, "*") if part)
    match scope:
        case "bucket":
            yield f"{bucket}/*{SUFFIX}"
        case "prefix":
            yield "/".join(part for part in (bucket, folder, f"*{SUFFIX}") if part)
            if target.workspaces and folder:
                yield f"{bucket}/{named}/{folder}/*{SUFFIX}"
        case _:
            yield f"{bucket}/{_escaped(key)}{SUFFIX}"
            if target.workspaces:
                yield f"{bucket}/{named}/{_escaped(key)}{SUFFIX}"


def _escaped(key: str) -> str:
    """A key as a policy writes it, where some signs mean more than themselves."""
    return re.sub(r"[*?]|\$(?=\{)", lambda sign: f"${{{sign[0]}}}", key)
