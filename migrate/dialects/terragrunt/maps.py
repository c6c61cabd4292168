"""From an expression to the maps it is made of: merges in order, a choice as each of its outcomes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from migrate import hcl

Map: TypeAlias = hcl.Value | hcl.Block
"""A literal map (an object, a block of old), or any expression that gives one."""

Merged: TypeAlias = tuple[Map, ...]
"""Maps of which later ones win."""

_MOST: Final = 8
"""Outcomes of nested choices before they are taken for an expression that nobody can follow."""

_DEEPEST: Final = 20
_LOCAL: Final = re.compile(r"local((?:\.[^\W\d][\w-]*)+)")


class Maps(Struct, frozen=True):
    """The locals of one file, by name."""

    text: str
    locals: Mapping[str, hcl.Value]

    def outcomes(self, value: Map) -> tuple[Merged, ...]:
        """What `value` may turn out to be; never empty."""
        found = self._outcomes(value, 0)
        return tuple(found) if len(found) <= _MOST else ((value,),)

    def followed(self, value: hcl.Value, depth: int = 0) -> hcl.Value:
        """The expression behind a local of this file, or behind an attribute of one."""
        name = _LOCAL.fullmatch(value.span.of(self.text).strip()) if isinstance(value, hcl.Other) else None
        if name is None or depth > _DEEPEST:
            return value
        found: hcl.Value | None = hcl.Object(_members(self.locals), value.span)
        for step in name[1].removeprefix(".").split("."):
            whole = self.followed(found, depth + 1) if found else None
            found = _member(whole, step) if isinstance(whole, hcl.Object) else None
        return self.followed(found, depth + 1) if found else value

    def _outcomes(self, value: Map, depth: int) -> list[Merged]:
        match value:
            case hcl.Choice(_, yes, no) if depth < _DEEPEST:
                return [*self._outcomes(yes, depth + 1), *self._outcomes(no, depth + 1)]
            case hcl.Call("merge", arguments) if depth < _DEEPEST:
                parts = [self._outcomes(part, depth + 1) for part in _listed(arguments)]
                products = itertools.islice(itertools.product(*parts), _MOST + 1)
                return [tuple(itertools.chain(*product)) for product in products]
            case hcl.Literal(None):
                return [()]
            case hcl.Call("tomap", (argument,)) if depth < _DEEPEST:
                return self._outcomes(argument, depth + 1)
            case hcl.Other() if (found := self.followed(value)) is not value and depth < _DEEPEST:
                return self._outcomes(found, depth + 1)
            case _:
                return [(value,)]


def _listed(arguments: Iterable[hcl.Value]) -> Iterator[hcl.Value]:
    """`merge(a, [b, c]...)` and `merge(concat([a], [b])...)` merge what the lists hold."""
    for argument in arguments:
        match argument:
            case hcl.List(items):
                yield from items
            case hcl.Call("concat", lists) if all(isinstance(one, hcl.List) for one in lists):
                yield from _listed(lists)
            case _:
                yield argument


def _members(values: Mapping[str, hcl.Value]) -> tuple[hcl.Argument, ...]:
    return tuple(hcl.Argument(name, value, value.span) for name, value in values.items())


def _member(whole: hcl.Object, name: str) -> hcl.Value | None:
    return next((item.value for item in reversed(whole.items) if item.name == name), None)
