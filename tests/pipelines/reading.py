"""What is asked of every kind of file that runs an engine."""

from __future__ import annotations

from pathlib import PurePosixPath

from migrate.model import Fact, Known, Refusal, Run
from migrate.pipelines import PIPELINES, Pipeline
from migrate.spelling import runs as spelling
from tests.pairs import Answer, check_dressed, composed, source


def found(plug: Pipeline, path: str, text: str) -> tuple[Run, ...]:
    given = source(path, text)
    assert plug.claims(given.path, text[:512].encode())
    line = next(one for one in PIPELINES if one.NAME == plug.NAME)
    assert any(token in text.encode() for token in line.TOKENS) or given.path.name in line.FILES
    items = plug.find(given).items
    assert all(run.verb is None or run.verb.of(text) == run.command for run in items)
    return items


def runs(plug: Pipeline, path: str, text: str) -> list[str]:
    """`line: engine command arguments @ directory`, a `?` where the directory is not known."""
    return [f"{run.line}: {said(run)} @ {_plain(run.directory)}" for run in found(plug, path, text)]


def said(run: Run) -> str:
    return " ".join([run.engine or "-", run.command or "-", *run.arguments])


def held(plug: Pipeline, path: str, text: str) -> list[tuple[str, str, str]]:
    """Command, whether such runs are held apart, whether they meet a directory of before."""
    return [(r.command, _plain(r.serialised), _plain(r.kept)) for r in found(plug, path, text)]


def _plain(fact: Fact[bool] | Fact[PurePosixPath]) -> str:
    return str(fact.value) if isinstance(fact, Known) else "?"


def reconfigured(plug: Pipeline, path: str, text: str) -> Answer:
    """The text once every `init` in it takes a changed backend, or the first refusal."""
    given = source(path, text)
    answers = (spelling.reconfigured(text, run) for run in plug.find(given).items)
    return composed(given, (a if isinstance(a, Refusal) else {given.path: a} for a in answers))


def check(plug: Pipeline, path: str, before: str, after: str) -> None:
    """`before` becomes exactly `after`, however its lines end; a second time nothing changes."""
    check_dressed(lambda text: reconfigured(plug, path, text), before, after)
