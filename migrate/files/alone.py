"""One run at a time: a file that is locked until the run that holds it has ended, however it ended."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from migrate.errors import RelockError
from migrate.files.reading import said


@contextmanager
def alone(place: Path) -> Iterator[int]:
    """Hold the file at `place`, which is made. Raises RelockError where another run holds it, or none can.

    A program that inherits the descriptor holds it, too: what a run that was killed has started keeps the
    next one waiting.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = place.open("a")
    except OSError as error:
        raise RelockError(f"cannot be written: {said(error)}", str(place), "name another folder") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RelockError("another run is at work", str(place), "wait until it has ended") from None
        yield file.fileno()
