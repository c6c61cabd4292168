"""The file of a campaign: what was appended is read back, by one run at a time, killed or not."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given

from migrate.errors import RelockError
from migrate.files import data
from migrate.progress import Recorded
from migrate.progress.events import Added, Begun
from migrate.store import Store, store
from tests.progress.happenings import RECORDS

SCHEMA: Final = list(data("schema").values())
DAY: Final = "2026-01-05T09:00:00+00:00"


def opened(path: Path, *, new: bool = True) -> Iterable[Store]:
    with store(path, SCHEMA, lambda: DAY, new=new) as one:
        yield one


def read(path: Path) -> list[Recorded]:
    [events] = [list(one.events()) for one in opened(path, new=False)]
    return events


@given(RECORDS)
def test_what_was_appended_is_read_back(records: list[Recorded]) -> None:
    [read_back] = [_appended(one, records) for one in opened(Path(":memory:"))]
    assert [record.event for record in read_back] == [record.event for record in records]


def _appended(one: Store, records: list[Recorded]) -> list[Recorded]:
    for record in records:
        one.append(record.event)
    return list(one.events())


def test_a_file_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "locks.campaign"
    for one in opened(path):
        one.append(Begun("locks"), Added("net", "url"))
    for one in opened(path):
        assert len(list(one.events())) == 2
        one.append(Added("app", "url"))
    assert [record.event for record in read(path)] == [
        Begun("locks"),
        Added("net", "url"),
        Added("app", "url"),
    ]
    assert [file.name for file in tmp_path.iterdir()] == ["locks.campaign"], "one file"


def test_of_two_runs_the_second_to_write_is_told(tmp_path: Path) -> None:
    path = tmp_path / "locks.campaign"
    for first in opened(path):
        for second in opened(path):
            assert list(first.events()) == list(second.events()) == []
            first.append(Begun("locks"))
            with pytest.raises(RelockError, match="another run writes to this campaign"):
                second.append(Begun("locks"), Added("net", "url"))
            first.append(Added("app", "url"))
    assert [record.event for record in read(path)] == [Begun("locks"), Added("app", "url")]


def test_a_reader_is_not_kept_waiting(tmp_path: Path) -> None:
    path = tmp_path / "locks.campaign"
    for writer in opened(path):
        writer.append(Begun("locks"))
        assert [record.event for record in read(path)] == [Begun("locks")]


def test_what_is_no_campaign(tmp_path: Path) -> None:
    text, other = tmp_path / "notes", tmp_path / "other.db"
    text.write_text("some notes, long enough to be taken for a page of a database" * 100)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE note (body)")
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(RelockError, match="is no campaign"):
            read(path)
        assert path.read_bytes() == before
    with pytest.raises(RelockError, match="there is no such campaign"):
        read(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_place_that_cannot_be_written_is_said_as_such(tmp_path: Path) -> None:
    with pytest.raises(RelockError, match="cannot be used: unable to open database file"):
        list(opened(tmp_path / "none/locks.campaign"))


def test_a_file_of_a_newer_release(tmp_path: Path) -> None:
    path = tmp_path / "locks.campaign"
    for _ in opened(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(RelockError, match="was written by a newer release"):
        read(path)


def test_an_event_of_a_newer_release(tmp_path: Path) -> None:
    path = tmp_path / "locks.campaign"
    for _ in opened(path):
        pass
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO event VALUES (1, ?, 'Sung', '{}')", (DAY,))
    with pytest.raises(RelockError, match="an event of an unknown kind, Sung"):
        read(path)


KILLED: Final = """
import os, sys
from pathlib import Path
from migrate.files import data
from migrate.progress.events import Added
from migrate.store import store
with store(Path(sys.argv[1]), list(data("schema").values()), lambda: "", new=True) as one:
    list(one.events())
    for number in range(int(sys.argv[2])):
        one.append(Added(str(number), "a"), Added(str(number), "b"))
    os._exit(9)
"""


def test_a_killed_run_leaves_what_it_appended(tmp_path: Path) -> None:
    path = tmp_path / "locks.campaign"
    for count in (0, 1, 5):
        before = len(read(path)) if path.is_file() else 0
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(path), str(count)], check=False, env=os.environ
        )
        assert (done.returncode, len(read(path))) == (9, before + 2 * count)
