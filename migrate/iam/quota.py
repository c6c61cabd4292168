"""What AWS lets a policy hold. White space does not count, but in a bucket's policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from migrate.iam.kept import Inline, Keeper, Kept, Managed, OfBucket, Other, Owner

VERSIONS: Final = 5
"""Of a managed policy; a sixth is refused."""

_MANAGED: Final = 6_144
_BUCKET: Final = 20_480
_INLINE: Final[Mapping[Owner, int]] = {"role": 10_240, "user": 2_048, "group": 5_120}
"""Characters of all inline policies of one owner together."""


def excess(one: Kept, inline: Iterable[Kept] = ()) -> str:
    """By how much a document is too long, in words; empty where it fits. `inline`: all of its owner's."""
    size, most = _size(one.keeper, one, inline)
    return f"it would have {size:,} characters of {most:,}" if size > most else ""


def _size(keeper: Keeper, one: Kept, inline: Iterable[Kept]) -> tuple[int, int]:
    match keeper:
        case Managed():
            return _dense(one), _MANAGED
        case OfBucket():
            return len(one.text.encode()), _BUCKET
        case Inline(owner=owner):
            return sum(map(_dense, inline)), _INLINE[owner]
        case Other():
            return 0, 0


def _dense(one: Kept) -> int:
    return len("".join(one.text.split()))
