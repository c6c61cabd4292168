"""Policies in programs: CDK, CDKTF and Pulumi in TypeScript and Python. Never edited: the text is told."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate.iam.policy import Policy, Statement
from migrate.model import Place, Problem, Refusal, Source, Suggestion
from migrate.plug import Edits, Found, Sources
from migrate.spelling import program, written
from migrate.spelling.written import PolicyWish, Written
from migrate.text import InsertAfter, Op, Span, Syntax

NAME: Final = "program"

_ENDINGS: Final = (".ts", ".tsx", ".js", ".mjs", ".py")
_MORE: Final = f"it makes more statements of policies than the first {program.MOST}, which are read"
_WHY: Final = "a program makes this policy: add the statement beside the one that grants the state"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in _ENDINGS


def find(source: Source, /) -> Found[Written]:
    """All statements of a program as one policy: which of them go together it does not tell."""
    found = tuple(one.statement for one in _statements(source))
    if not found:
        return Found()
    policy = Policy(found, span=found[0].span)
    place = Place(source.repo, source.path, 1)
    more = Problem("ambiguous", place, _MORE, "look at the others by hand")
    problems = (more,) if len(found) >= program.MOST else ()
    return Found(written.all_of(source, NAME, [("program", policy)], _WHY), problems=problems)


def edit(sources: Sources, found: Written, wish: PolicyWish, /) -> Edits | Refusal | Suggestion:
    source = sources[found.path]
    return written.edit(source, found, wish, _Program({one.statement: one for one in _statements(source)}))


def _statements(source: Source) -> tuple[program.Found, ...]:
    python = source.path.suffix == ".py"
    return tuple(program.statements(source.text, str(source.path), python=python))


class _Program:
    def __init__(self, found: dict[Statement, program.Found]) -> None:
        self._found = found

    def lay(self, after: Statement, new: tuple[Statement, ...]) -> tuple[str, ...]:
        like = self._found[after]
        return tuple(line for one in new for line in program.written(like, one).splitlines())

    def insert(self, after: Statement, lines: tuple[str, ...]) -> Op:
        return InsertAfter(after.span, lines, Syntax.PLAIN)

    def drop(self, span: Span) -> None:
        """A program is never taken apart."""
