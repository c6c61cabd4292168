"""A policy as it is written in a source, and what a wish for it comes to there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import PurePosixPath
from typing import Final, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from migrate.iam.grant import Addition, Hold, least
from migrate.iam.policy import Policy, Statement
from migrate.iam.quota import source_excess
from migrate.iam.revoke import Removal, Revoke, removals
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


ORGANIZATION: Final = "an organization's policy limits its accounts: its owner adds the statement"
ENDPOINT: Final = "a VPC endpoint's policy limits all who go through it: its owner adds the statement"
BOUNDARY: Final = "a permissions boundary limits whoever has it: its owner adds the statement"
"""Why a policy is not edited that limits everybody behind it."""

PolicyWish: TypeAlias = Grant | Revoke
"""What a step wants of policies."""


class Document(Protocol):
    """A text with policies in it: how new statements are laid out there, where they go, how words leave.

    `drop` is None where what stands at the span cannot be taken out by itself.
    """

    def lay(self, after: Statement, new: tuple[Statement, ...], /) -> tuple[str, ...]: ...
    def insert(self, after: Statement, lines: tuple[str, ...], /) -> Op: ...
    def drop(self, span: Span, /) -> Op | None: ...


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


def edit(
    source: Source, found: Written, wish: PolicyWish, document: Document
) -> Edits | Refusal | Suggestion:
    """The operations that make a wish true of a policy; empty where it is, or has nothing to do with it."""
    match wish:
        case Grant():
            return _granted(source, found, wish, document)
        case Revoke():
            return _revoked(source, found, wish, document)


def _granted(source: Source, found: Written, wish: Grant, document: Document) -> Edits | Refusal | Suggestion:
    additions = least(found.policy, wish)
    if isinstance(additions, Hold):
        return _refusal(source, additions)
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


def _revoked(source: Source, found: Written, wish: Revoke, document: Document) -> Edits | Refusal:
    gone = removals(found.policy, wish)
    if isinstance(gone, Hold):
        return _refusal(source, gone)
    if gone and found.why_not:
        return Refusal(found.place, found.why_not.partition(":")[0], "take the lock table out by hand")
    made: list[Op] = []
    for one in gone:
        ops = _dropped(one, document)
        if ops is None:
            why = "the lock table stands there in a form that is not taken apart"
            return _refusal(source, Hold(one.statement, why, "take it out by hand"))
        made += ops
    return {found.path: tuple(made)} if made else {}


def _dropped(one: Removal, document: Document) -> list[Op] | None:
    """The operations that take out a statement or words of it; None where one of them cannot be."""
    spans = [one.statement.span] if one.whole else [word.span for word in one.words]
    ops = [op for span in spans if (op := document.drop(span))]
    return ops if len(ops) == len(set(spans)) == len(spans) else None


def _refusal(source: Source, held: Hold) -> Refusal:
    line = Lines(source.text).line(held.statement.span.start)
    return Refusal(Place(source.repo, source.path, line), held.why, held.remedy)


def notes(found: Written, wish: PolicyWish) -> tuple[str, ...]:
    """What a reviewer has to check of such an edit: expressions that were taken for something."""
    wanted = _wanted(found, wish)
    taken = () if isinstance(wanted, Hold) else (name for one in wanted for name in one.assumed)
    meaning = "the state" if isinstance(wish, Grant) else "a lock table"
    return tuple(f"{found.place}: {name} is taken to mean {meaning}" for name in dict.fromkeys(taken))


def _wanted(found: Written, wish: PolicyWish) -> Sequence[Addition | Removal] | Hold:
    return least(found.policy, wish) if isinstance(wish, Grant) else removals(found.policy, wish)


def _grouped(additions: Iterable[Addition]) -> list[tuple[Statement, tuple[Statement, ...]]]:
    """New statements by the one behind which they stand: one operation for each."""
    ordered = sorted(additions, key=lambda one: one.after.span.start)
    groups = groupby(ordered, key=lambda one: one.after)
    return [(after, tuple(one.statement for one in group)) for after, group in groups]
