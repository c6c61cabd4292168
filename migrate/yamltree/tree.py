"""The values of a YAML text and where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from migrate.text import Span

Style: TypeAlias = Literal["plain", "single", "double", "block"]


class Scalar(Struct, frozen=True):
    """A text. `span` holds its characters without quotes; of a block scalar its lines, indented as they are.

    `value` is without escapes, folding and indent.
    """

    value: str
    span: Span
    style: Style


class Alias(Struct, frozen=True):
    """`*name`: what stands at the anchor of that name; None where no such anchor stands before it."""

    name: str
    span: Span
    node: Node | None = None


class Sequence(Struct, frozen=True):
    """None where nothing follows a dash."""

    items: tuple[Node | None, ...]


class Member(Struct, frozen=True):
    """One `key: value` of a mapping; None where nothing follows the colon."""

    key: Scalar
    value: Node | None


class Mapping(Struct, frozen=True):
    members: tuple[Member, ...]

    def get(self, key: str) -> Node | None:
        """The value of the last member of that key, or None."""
        return next((m.value for m in reversed(self.members) if m.key.value == key), None)


Node: TypeAlias = Scalar | Alias | Sequence | Mapping
Route: TypeAlias = tuple[str | int, ...]
Anchors: TypeAlias = dict[str, Node | None]
"""What stands at each anchor that was read."""


def at(node: Node | None, *route: str | int) -> Node | None:
    """The node below `node` by keys and indexes, or None where the route leaves the tree."""
    for step in route:
        match node, step:
            case Mapping(), str():
                node = node.get(step)
            case Sequence(items), int() if 0 <= step < len(items):
                node = items[step]
            case _:
                return None
    return node


def scalar(node: Node | None, *route: str | int) -> Scalar | None:
    """The scalar there; None where there is none, or something else."""
    found = at(node, *route)
    return found if isinstance(found, Scalar) else None


def text(node: Node | None, *route: str | int) -> str:
    """The value of the scalar there; empty where there is none."""
    found = scalar(node, *route)
    return found.value if found else ""


def members(node: Node | None, *route: str | int) -> tuple[Member, ...]:
    """The members of the mapping there; none where there is none."""
    found = at(node, *route)
    return found.members if isinstance(found, Mapping) else ()


def walk(node: Node | None) -> Iterator[tuple[Route, Node]]:
    """`node` and every node below it with the keys and indexes that lead there, in the order of the text."""
    ahead: list[tuple[Route, Node | None]] = [((), node)]
    while ahead:
        route, node = ahead.pop()
        if node is not None:
            yield route, node
            ahead += reversed([((*route, step), below) for step, below in _steps(node)])


def _steps(node: Node) -> Iterable[tuple[str | int, Node | None]]:
    match node:
        case Mapping(members):
            return ((member.key.value, member.value) for member in members)
        case Sequence(items):
            return enumerate(items)
        case _:
            return ()
