"""The file of a campaign while a command runs: what it comes to, and events added to it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

import click

from migrate.errors import RelockError
from migrate.files import data
from migrate.files.shelf import Shelf
from migrate.progress import Event, Progress, replay
from migrate.store import Store, store

C = TypeVar("C", bound=click.Command)

FILE: Final = click.argument("file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")


def now() -> str:
    """The time, UTC, ISO 8601, to the second."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


class Book:
    """An open campaign. `note` may be called from any thread; `times` are those of all turns so far."""

    def __init__(self, path: Path, kept: Store) -> None:
        self._kept = kept
        self._lock = Lock()
        records = list(kept.events())
        self.clones = Shelf(path.with_name(f"{path.name}.clones"))
        self.begun = tuple(record.at for record in records if type(record.event).__name__ == "Begins")
        self.progress: Progress = replay(records)

    def note(self, events: Sequence[Event]) -> None:
        """Append what happened. Raises RelockError when another run writes, too."""
        if events:
            with self._lock:
                self.progress = replay(self._kept.append(*events), self.progress)


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
