"""A policy as it is written in a source, and what a wish for it comes to there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import PurePosixPath
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from migrate.iam.grant import Addition, Hold, least
from migrate.iam.policy import Policy, Statement
from migrate.iam.quota import source_excess
from migrate.iam.target import Grant
from migrate.model import Place, Refusal, RepoId, Source, Suggestion
from migrate.plug import Edits
from migrate.text import Lines, Op, Span


class Written(Struct, frozen=True):
    """One policy in one file.

    `name` tells it from its neighbours in the file. `why_not` says why it is never edited here; a wish for it
    is then a text to paste.
    """

    repo: RepoId
    path: PurePosixPath
    plug: str
    name: str
    policy: Policy
    span: Span
    line: int
    why_not: str | None = None
    kind: str = ""
    """The type of the resource it stands in, where one is told."""

    @property
    def place(self) -> Place:
        return Place(self.repo, self.path, self.line)


class Document(Protocol):
    """A text with policies in it: how new statements are laid out there, and where they go."""

    def lay(self, after: Statement, new: tuple[Statement, ...], /) -> tuple[str, ...]: ...
    def insert(self, after: Statement, lines: tuple[str, ...], /) -> Op: ...


def lines_in(source: Source) -> Callable[[Span], str]:
    """How people are told of a place in the source: `iam.tf:12-16`."""
    lines = Lines(source.text)

    def where(span: Span) -> str:
        first, last = lines.line(span.start), lines.line(max(span.start, span.end - 1))
        return f"{source.path}:{first}" if first == last else f"{source.path}:{first}-{last}"

    return where


def all_of(
    source: Source, plug: str, policies: Iterable[tuple[str, Policy]], why_not: str | None = None
) -> tuple[Written, ...]:
    """The policies of one source by name; the second of one name is `name#2`."""
    lines, seen = Lines(source.text), Counter[str]()
    found = []
    for name, policy in policies:
        seen[name] += 1
        unique = name if seen[name] == 1 else f"{name}#{seen[name]}"
        line = lines.line(policy.span.start)
        found.append(Written(source.repo, source.path, plug, unique, policy, policy.span, line, why_not))
    return tuple(found)


def edit(source: Source, found: Written, wish: Grant, document: Document) -> Edits | Refusal | Suggestion:
    """The operations that make a policy grant the lock; empty where it does, or has nothing to do with it."""
    additions = least(found.policy, wish)
    if isinstance(additions, Hold):
        line = Lines(source.text).line(additions.statement.span.start)
        return Refusal(Place(source.repo, source.path, line), additions.why, additions.remedy)
    if excess := _excess(found, additions):
        return Refusal(found.place, excess, _ELSEWHERE)
    if found.why_not and additions:
        lines = (line for after, new in _grouped(additions) for line in document.lay(after, new))
        return Suggestion(found.place, "\n".join(lines), found.why_not)
    ops = tuple(document.insert(after, document.lay(after, new)) for after, new in _grouped(additions))
    return {found.path: ops} if ops else {}


_ELSEWHERE: Final = "grant the lock in a policy of its own, attached to the same role"


def _excess(found: Written, additions: Iterable[Addition]) -> str:
    """By how much the policy would be too long."""
    new = tuple(one.statement for one in additions)
    if not new:
        return ""
    kind = found.kind or found.name.partition(".")[0]
    return source_excess(kind, replace(found.policy, statements=(*found.policy.statements, *new)))


def notes(found: Written, wish: Grant) -> tuple[str, ...]:
    """What a reviewer has to check of such an edit: expressions that were taken for the state's bucket."""
    additions = least(found.policy, wish)
    taken = () if isinstance(additions, Hold) else (name for one in additions for name in one.assumed)
    return tuple(f"{found.place}: {name} is taken to mean the state" for name in dict.fromkeys(taken))


def _grouped(additions: Iterable[Addition]) -> list[tuple[Statement, tuple[Statement, ...]]]:
    """New statements by the one behind which they stand: one operation for each."""
    ordered = sorted(additions, key=lambda one: one.after.span.start)
    groups = groupby(ordered, key=lambda one: one.after)
    return [(after, tuple(one.statement for one in group)) for after, group in groups]
