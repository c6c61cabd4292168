"""The file of a campaign while a command runs: what it comes to, and events added to it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

import click

from migrate.errors import RelockError
from migrate.files import data
from migrate.files.shelf import Shelf
from migrate.progress import Event, Progress, Recorded, replay
from migrate.progress.events import Begins, Ended
from migrate.store import Store, store

C = TypeVar("C", bound=click.Command)

MOST_WRITES: Final = 6
"""At most so many requests that write make one proposal, when its commits are pushed: itself, labels, whether
it is a draft, its check, reviewers, owners.
"""
FEWEST_WRITES: Final = 2
"""Itself and its check."""
KEPT: Final = click.option(
    "--base-branch",
    "kept",
    multiple=True,
    metavar="NAME",
    help="A long-lived branch that writes state, too: a client with proposals of its own (repeatable).",
)
FILE: Final = click.argument("file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")


def now() -> str:
    """The time, UTC, ISO 8601, to the second."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


class Book:
    """An open campaign. `note` may be called from any thread; `written` is when runs so far wrote to the
    forge, as `time.time` gives it.
    """

    def __init__(self, path: Path, kept: Store) -> None:
        self._kept = kept
        self._lock = Lock()
        records = list(kept.events())
        self.clones = Shelf(path.absolute().with_name(f"{path.name}.clones"))  # git is run in them
        self.written = tuple(_written(records))
        self.progress: Progress = replay(records)

    def note(self, events: Sequence[Event]) -> None:
        """Append what happened. Raises RelockError when another run writes, too."""
        if events:
            with self._lock:
                self.progress = replay(self._kept.append(*events), self.progress)


def _written(records: Iterable[Recorded]) -> Iterator[float]:
    """When requests wrote; a turn that did not end may have made as many as one makes at most."""
    begun: dict[str, str] = {}
    for record in records:
        match record.event:
            case Begins(repo):
                if repo in begun:
                    yield from _times(begun[repo], MOST_WRITES)
                begun[repo] = record.at
            case Ended(repo, writes):
                begun.pop(repo, None)
                yield from _times(record.at, int(writes) if writes.isdecimal() else MOST_WRITES)
            case _:
                pass
    for at in begun.values():
        yield from _times(at, MOST_WRITES)


def _times(at: str, count: int) -> list[float]:
    return [dt.datetime.fromisoformat(at).timestamp()] * count


@contextmanager
def opened(path: Path, *, new: bool = False) -> Iterator[Book]:
    """The campaign in a file. Raises RelockError where there is none, or, with `new`, where there is one."""
    schema = [text for _, text in sorted(data("schema").items())]
    with store(path, schema, now, new=new) as kept:
        book = Book(path, kept)
        if new and book.progress.campaign:
            raise RelockError("holds a campaign already", str(path), f"tfrelock campaign status {path}")
        if not new and not book.progress.campaign:
            raise RelockError("holds no campaign yet", str(path), f"tfrelock campaign init {path}")
        yield book
