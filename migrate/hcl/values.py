"""What HCL is made of: blocks, arguments and values, each with the characters it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from migrate.text import Span


class Literal(Struct, frozen=True):
    """A string without escapes, a number as it is written, `true`, `false` or `null` (None)."""

    value: str | bool | None
    span: Span


class Template(Struct, frozen=True):
    """A string or heredoc with something to fill in: literal pieces as spans, the rest as values."""

    pieces: tuple[Span | Value, ...]
    span: Span


class Heredoc(Struct, frozen=True):
    """A heredoc: `body` are the characters of its lines, without those of its markers."""

    body: Span
    pieces: tuple[Span | Value, ...]
    span: Span


class Object(Struct, frozen=True):
    items: tuple[Argument, ...]
    span: Span


class List(Struct, frozen=True):
    items: tuple[Value, ...]
    span: Span


class Call(Struct, frozen=True):
    name: str
    arguments: tuple[Value, ...]
    span: Span


class Choice(Struct, frozen=True):
    """`condition ? yes : no`."""

    condition: Value
    yes: Value
    no: Value
    span: Span


class Other(Struct, frozen=True):
    """Any other expression: its text is all that is known of it."""

    span: Span


Value: TypeAlias = Literal | Template | Heredoc | Object | List | Call | Choice | Other


class Argument(Struct, frozen=True):
    """`name = value` in a body, `name = value` or `name : value` in an object; None: the key is computed."""

    name: str | None
    value: Value
    span: Span


class Block(Struct, frozen=True):
    """`type "label" { … }`; `braces` from `{` to `}`."""

    type: str
    labels: tuple[str, ...]
    items: tuple[Item, ...]
    span: Span
    braces: Span

    @property
    def arguments(self) -> Iterator[Argument]:
        return (item for item in self.items if isinstance(item, Argument))

    @property
    def blocks(self) -> Iterator[Block]:
        return (item for item in self.items if isinstance(item, Block))

    def all(self, name: str) -> tuple[Argument, ...]:
        """Every argument of that name; Terraform allows one."""
        return tuple(argument for argument in self.arguments if argument.name == name)

    def value(self, name: str) -> Value | None:
        """The value of the last argument of that name, or None."""
        found = self.all(name)
        return found[-1].value if found else None


Item: TypeAlias = Argument | Block


class Tree(Struct, frozen=True):
    """What was read, in order, and the places that make no sense: what holds one of those is left out."""

    items: tuple[Item, ...]
    errors: tuple[Span, ...] = ()

    @property
    def blocks(self) -> Iterator[Block]:
        return (item for item in self.items if isinstance(item, Block))

    @property
    def arguments(self) -> Iterator[Argument]:
        return (item for item in self.items if isinstance(item, Argument))
