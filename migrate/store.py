"""The file of a campaign, an SQLite database: events appended, and read back.

Every append is one transaction that is on the disk before it returns, so a run that dies anywhere leaves the
file as it was before or after an append. Events are numbered without a gap by whoever writes: of two runs at
once the second to write is told, and stops.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

from migrate.errors import RelockError
from migrate.progress import Event, Malformed, Recorded, decoded, encoded

APPLICATION: Final = 0x7F5E10C4
"""What `PRAGMA application_id` of a file of ours says."""
_WAIT: Final = 10.0

Clock = Callable[[], str]
"""The time, ISO 8601 to the second, UTC."""


class Store:
    """An open file of a campaign. `append` may be called from any thread."""

    def __init__(self, connection: sqlite3.Connection, where: str, clock: Clock) -> None:
        self._connection = connection
        self._where = where
        self._clock = clock
        self._lock = Lock()
        self._last = 0

    def events(self) -> Iterator[Recorded]:
        """All that has happened so far. Raises RelockError at an event that this release does not know."""
        with self._told():
            rows = self._connection.execute(
                "SELECT number, at, kind, body FROM event ORDER BY number"
            ).fetchall()
        for number, at, kind, body in rows:
            event = decoded(kind, body)
            if isinstance(event, Malformed):
                raise RelockError(event.why, f"{self._where}, event {number}", "use the newest release")
            self._last = number
            yield Recorded(at, event)

    def append(self, *events: Event) -> tuple[Recorded, ...]:
        """Add events, all or none, after those that were read.

        Raises RelockError when another run added some meanwhile.
        """
        at = self._clock()
        with self._lock, self._told(), self._connection:
            rows = [(self._last + n, at, *encoded(event)) for n, event in enumerate(events, 1)]
            self._connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?)", rows)
            self._last += len(rows)
        return tuple(Recorded(at, event) for event in events)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise RelockError(
                "another run writes to this campaign", self._where, "let that one end, run this again"
            ) from None
        except sqlite3.Error as error:
            raise RelockError(
                f"cannot be used: {error}", self._where, "see that the disk is not full"
            ) from None


@contextmanager
def store(path: Path, schema: Sequence[str], clock: Clock, *, new: bool = False) -> Iterator[Store]:
    """Open the file of a campaign, or with `new` make it. Raises RelockError.

    `schema` are the steps of `schema/*.sql`, in order.
    """
    if not new and not path.is_file():
        raise RelockError("there is no such campaign", str(path), f"tfrelock campaign init {path}")
    try:
        with closing(sqlite3.connect(path, timeout=_WAIT, check_same_thread=False)) as connection:
            _prepare(connection, schema, str(path))
            yield Store(connection, str(path), clock)
    except sqlite3.OperationalError as error:
        may = "see that it, and files beside it, may be written"
        raise RelockError(f"cannot be used: {error}", str(path), may) from None
    except sqlite3.Error as error:
        raise RelockError(f"is no campaign: {error}", str(path), "name the file of a campaign") from None


def _prepare(connection: sqlite3.Connection, schema: Sequence[str], where: str) -> None:
    """Bring the schema up to date, each step and the note of it in one transaction. Raises RelockError."""
    [(version,)] = connection.execute("PRAGMA user_version")
    [(application,)] = connection.execute("PRAGMA application_id")
    [(tables,)] = connection.execute("SELECT count(*) FROM sqlite_schema")
    if application != APPLICATION and (version or tables):
        raise RelockError("is no campaign", where, "name the file of a campaign")
    if version > len(schema):
        raise RelockError("was written by a newer release", where, "use the newest release")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    for number, sql in enumerate(schema, 1):
        if number > version:
            noted = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {number};"
            connection.executescript(f"BEGIN IMMEDIATE; {sql} {noted} COMMIT;")
