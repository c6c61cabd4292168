"""Many short names looked for in many files.

Of forty names most hold one of a dozen `stems`, such as `tofu`; looking for these first takes half the
time, and the walk over a big tree is little else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Final

_LENGTH: Final = 4
"""Of a stem: shorter ones stand everywhere, longer ones are shared by few."""


class Tokens:
    """Names to look for in the bytes of files."""

    def __init__(self, names: Collection[bytes]) -> None:
        self.longest = max(map(len, names), default=1)
        self._by_stem = tuple(_stems(names))

    def any_in(self, data: bytes) -> bool:
        for stem, names in self._by_stem:
            if stem in data:
                for name in names:
                    if name in data:
                        return True
        return False

    def all_in(self, data: bytes) -> frozenset[bytes]:
        return frozenset(
            name for stem, names in self._by_stem if stem in data for name in names if name in data
        )


def _stems(names: Iterable[bytes]) -> Iterator[tuple[bytes, tuple[bytes, ...]]]:
    """Few stems that stand in all names, with their names: again and again the one that most have."""
    holding: dict[bytes, set[bytes]] = defaultdict(set)
    left = set(names)
    for name in left:
        for at in range(max(1, len(name) - _LENGTH + 1)):
            holding[name[at : at + _LENGTH]].add(name)
    while left:
        stem = max(holding, key=lambda stem: (len(holding[stem] & left), stem))
        yield stem, tuple(sorted(holding[stem] & left))
        left -= holding.pop(stem)
