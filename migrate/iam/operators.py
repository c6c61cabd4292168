"""The condition operators: how each compares a value of the request with one of the policy."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from ipaddress import ip_network
from operator import eq, ge, gt, le, lt
from typing import Final, Literal, TypeAlias, TypeVar

from msgspec import Struct

from migrate.iam.glob import Glob, Piece, exact, join, lowered
from migrate.iam.profiles import TooWideError, profiles
from migrate.iam.truth import FALSE, TRUE, UNKNOWN, Truth, every, truth

T = TypeVar("T")
U = TypeVar("U")
Compare: TypeAlias = tuple[Callable[[T, T], bool], ...]

Have: TypeAlias = str | Glob
"""A value of the request; a pattern where the request is for many resources at once."""
Test: TypeAlias = Callable[[Have, Glob], Truth]
Network: TypeAlias = tuple[int, int, int]
"""Version of IP, first and last address."""


class Operator(Struct, frozen=True):
    """`test` compares one value of the request with one of the policy.

    `negated` turns "one of them is so" into "none is". `wild`: `*` and `?` in the policy's value are wild.
    """

    test: Test
    negated: bool = False
    wild: bool = False
    if_exists: bool = False
    quantifier: Literal["", "all", "any"] = ""


def operator(name: str) -> Operator | None:
    """Read an operator's name with prefix and suffix, in any case. None: not one of IAM's (or `Null`)."""
    return _operator(name.lower())


@lru_cache(maxsize=1024)
def _operator(name: str) -> Operator | None:
    found = re.fullmatch(r"(?:for(all|any)values?:)?(\w+?)(ifexists)?", name)
    base = _OPERATORS.get(found[2]) if found else None
    if found is None or base is None:
        return None
    quantifier: Literal["", "all", "any"] = "all" if found[1] == "all" else "any" if found[1] else ""
    return Operator(base.test, base.negated, base.wild, bool(found[3]), quantifier)


def _textual(have: Have, want: Glob) -> Truth:
    """Whether all that `have` can be is matched by `want`: unknown where only some is, or a hole decides."""
    if isinstance(have, str):
        return _unless_hole(want) if want.matches(have) else FALSE
    try:
        seen = profiles(have.widest, (want.widest,))
    except TooWideError:
        return UNKNOWN
    if not any(seen):
        return FALSE
    return _unless_hole(want) if all(seen) else UNKNOWN


def _unless_hole(want: Glob) -> Truth:
    return UNKNOWN if want.has_holes else TRUE


def _folded(have: Have, want: Glob) -> Truth:
    return _textual(lowered(have) if isinstance(have, Glob) else have.lower(), lowered(want))


def _arn(have: Have, want: Glob) -> Truth:
    """Compare the six parts of an ARN one by one, so that a `*` does not run over a colon."""
    parts = _components(exact(have) if isinstance(have, str) else have)
    wanted = _components(want)
    if any(part.literal is None for part in parts[:5]) or any(part.has_holes for part in wanted[:5]):
        return UNKNOWN
    if len(parts) != _ARN_PARTS:
        return FALSE
    if len(wanted) != _ARN_PARTS:
        return UNKNOWN  # not the pattern of an ARN: AWS does not say what it matches
    return every(_textual(_single(one), pattern) for one, pattern in zip(parts, wanted, strict=True))


def _single(part: Glob) -> Have:
    return part if part.literal is None else part.literal


def _components(arn: Glob) -> list[Glob]:
    """An ARN's parts, cut at its first five colons."""
    parts: list[list[Piece]] = [[]]
    for piece in arn.pieces:
        first, *others = piece.split(":", _ARN_PARTS - len(parts)) if isinstance(piece, str) else [piece]
        parts[-1].append(first)
        parts += [[other] for other in others]
    return [join(part) for part in parts]


def _typed(
    mine: Callable[[str], T | None], theirs: Callable[[str], U | None], holds: Callable[[T, U], bool]
) -> Test:
    """A test of texts that mean something: unknown where one of the two does not."""

    def test(have: Have, want: Glob) -> Truth:
        if not isinstance(have, str) or want.literal is None:
            return UNKNOWN
        one, other = mine(have), theirs(want.literal)
        return UNKNOWN if one is None or other is None else truth(holds(one, other))

    return test


@lru_cache(maxsize=4096)
def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


@lru_cache(maxsize=4096)
def _moment(text: str) -> datetime | None:
    """ISO 8601, or seconds since 1970; without a zone it is UTC."""
    try:
        if re.fullmatch(r"[0-9]+", text):
            return datetime.fromtimestamp(int(text), UTC)
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@lru_cache(maxsize=4096)
def _network(text: str) -> Network | None:
    """The addresses of a network; of one address, itself alone."""
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        return None
    return network.version, int(network.network_address), int(network.broadcast_address)


def _bytes(text: str) -> bytes | None:
    try:
        return b64decode(text, validate=True)
    except binascii.Error:
        return None


def _flag(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


def _within(one: Network, other: Network) -> bool:
    return one[0] == other[0] and other[1] <= one[1] and one[2] <= other[2]


def _ordered(kind: str, read: Callable[[str], T | None], compare: Compare[T]) -> dict[str, Operator]:
    """The six operators of numbers, and of dates."""
    same, less, most, more, least = (_typed(read, read, holds) for holds in compare)
    return {
        f"{kind}equals": Operator(same),
        f"{kind}notequals": Operator(same, negated=True),
        f"{kind}lessthan": Operator(less),
        f"{kind}lessthanequals": Operator(most),
        f"{kind}greaterthan": Operator(more),
        f"{kind}greaterthanequals": Operator(least),
    }


_ARN_PARTS: Final = 6
_ADDRESS: Final = _typed(_network, _network, _within)
_OPERATORS: Final = {
    "stringequals": Operator(_textual),
    "stringnotequals": Operator(_textual, negated=True),
    "stringequalsignorecase": Operator(_folded),
    "stringnotequalsignorecase": Operator(_folded, negated=True),
    "stringlike": Operator(_textual, wild=True),
    "stringnotlike": Operator(_textual, negated=True, wild=True),
    "arnequals": Operator(_arn, wild=True),
    "arnlike": Operator(_arn, wild=True),
    "arnnotequals": Operator(_arn, negated=True, wild=True),
    "arnnotlike": Operator(_arn, negated=True, wild=True),
    "bool": Operator(_typed(_flag, _flag, eq)),
    "binaryequals": Operator(_typed(_bytes, _bytes, eq)),
    "ipaddress": Operator(_ADDRESS),
    "notipaddress": Operator(_ADDRESS, negated=True),
    **_ordered("numeric", _number, (eq, lt, le, gt, ge)),
    **_ordered("date", _moment, (eq, lt, le, gt, ge)),
}
