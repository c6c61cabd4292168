"""A policy as a value: its statements in order, each word with its place in the text it was read from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from migrate.iam.glob import Hole
from migrate.text import Span

NOWHERE: Final = Span(0, 0)
"""The place of what was made here and not read."""

Effect: TypeAlias = Literal["Allow", "Deny"]
Part: TypeAlias = str | Hole
"""Text as IAM reads it (`*`, `?` and `${aws:…}` not yet understood), or what the source does not tell."""


@dataclass(frozen=True, slots=True)
class Word:
    """One string of a policy; `span`, where it stands with its quotes, does not count in comparisons.

    `only_if`: the conditions of source that leave it there, each with the answer that it takes.
    """

    parts: tuple[Part, ...]
    span: Span = field(default=NOWHERE, compare=False)
    only_if: tuple[tuple[str, bool], ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return "".join(part.symbol if isinstance(part, Hole) else part for part in self.parts)

    def followed_by(self, text: str) -> Word:
        """The word with more text behind it, standing nowhere yet."""
        *start, last = self.parts
        return Word((*start, last + text) if isinstance(last, str) else (*self.parts, text))

    @property
    def literal(self) -> str | None:
        """The text, or None where the source does not tell all of it."""
        return None if any(isinstance(part, Hole) for part in self.parts) else str(self)


class Element(Struct, frozen=True):
    """`Action` or `Resource`, or with `negated` their `Not…`."""

    words: tuple[Word, ...]
    negated: bool = False


class Named(Struct, frozen=True):
    """One principal; `kind` is `AWS`, `Service`, `Federated`, `CanonicalUser`, or `*` for everyone."""

    kind: str
    word: Word


class Principals(Struct, frozen=True):
    """`Principal`, or with `negated` `NotPrincipal`."""

    named: tuple[Named, ...]
    negated: bool = False


class Condition(Struct, frozen=True):
    """One key under one operator; all conditions of a statement must hold."""

    operator: str
    key: str
    values: tuple[Word, ...]


class Statement(Struct, frozen=True):
    """One statement; `where` says for people where it stands, as `iam.tf:12-16`.

    `hangs_on` says what decides whether it is written; empty: it is.
    """

    effect: Effect
    actions: Element
    resources: Element | None = None
    principals: Principals | None = None
    conditions: tuple[Condition, ...] = ()
    sid: str = ""
    where: str = ""
    span: Span = NOWHERE
    hangs_on: str = ""

    def __str__(self) -> str:
        name = f'"{self.sid}"' if self.sid else "without Sid"
        return f"{name} ({self.where})" if self.where else name


class Flaw(Struct, frozen=True):
    """Something not as IAM wants it. A statement nobody can read is never taken for one that is not there.

    `denies`: whether what cannot be read may be a Deny; it is not of a statement that is an Allow.
    """

    why: str
    where: str
    denies: bool = True


class Policy(Struct, frozen=True):
    """A policy document. In one of version 2008 `${…}` is plain text.

    `hangs_on` says what decides whether it is in force; empty: it is.
    """

    statements: tuple[Statement, ...]
    name: str = ""
    version: str = "2012-10-17"
    flaws: tuple[Flaw, ...] = ()
    span: Span = NOWHERE
    hangs_on: str = ""

    @property
    def has_variables(self) -> bool:
        return self.version == "2012-10-17"
