"""What a campaign's file tells of how often the forge was written to, so that later runs keep its pace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from migrate.cli.campaign.book import MOST_WRITES, opened
from migrate.progress import Event
from migrate.progress.events import Begins, Begun, Ended
from tests.cli.campaign.estate import Estate, net


@pytest.mark.parametrize(
    ("events", "count"),
    [
        ([], 0),
        ([Begins("net", ""), Ended("net", "0")], 0),
        ([Begins("net", ""), Ended("net", "3")], 3),
        ([Begins("net", "")], MOST_WRITES),
        ([Begins("net", ""), Begins("net", ""), Ended("net", "1")], MOST_WRITES + 1),
        ([Begins("net", ""), Begins("app", ""), Ended("app", "2")], MOST_WRITES + 2),
    ],
)
def test_writes_of_earlier_runs(events: Sequence[Event], count: int, tmp_path: Path) -> None:
    with opened(tmp_path / "locks.campaign", new=True) as book:
        book.note([Begun("locks"), *events])
    with opened(tmp_path / "locks.campaign") as book:
        assert len(book.written) == count


def test_every_request_that_writes_is_counted_and_no_other(estate: Estate) -> None:
    estate.create("net", net(0))
    estate.begun()
    counts = []
    for _ in range(3):
        before = len(estate.host.hub.calls)
        estate.led("next", "--yes")
        asked = [call for call in estate.host.hub.calls[before:] if ".git/" not in call]
        with opened(estate.file) as book:
            counts.append((len(book.written), sum(not call.startswith("GET ") for call in asked)))
    assert counts == [(2, 2), (2, 0), (2, 0)], "the proposal and its check, then nothing"
