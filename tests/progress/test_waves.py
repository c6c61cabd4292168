"""Where a campaign stands and what could be offered in; the next wave out."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.model import RepoId
from migrate.progress import CANARY, Candidate, Event, Progress, Recorded, next_wave, replay
from migrate.progress.events import Added, Chosen, Ended, Proposed, Withheld
from tests.progress.happenings import RECORDS

DAY = "2026-01-05T09:00:00+00:00"


def repo(number: int) -> RepoId:
    return RepoId(f"github.com/acme/r{number}")


def proposed(number: int, standing: str, name: str = "prepare") -> Proposed:
    return Proposed(repo(number), name, f"t/{name}", standing, "no", "", "", "", "", "", "")


def after(*events: Event) -> Progress:
    added = [Added(repo(number), "") for number in range(20)]
    return replay(Recorded(DAY, event) for event in [*added, *events])


def candidates(*numbers: int, name: str = "prepare") -> list[Candidate]:
    return [Candidate(repo(number), name, number) for number in numbers]


MERGED = [proposed(number, "merged") for number in (0, 1, 2)]
TEN = candidates(*range(3, 13))


@pytest.mark.parametrize(
    ("events", "offered", "limit", "wave"),
    [
        ([], candidates(9, 1, 4), 25, [1, 4, 9]),
        ([], TEN, 25, [3, 4, 5, 6, 7]),
        ([], TEN, 2, [3, 4]),
        ([proposed(0, "open"), proposed(1, "open")], TEN, 25, [3, 4, 5]),
        ([proposed(number, "open") for number in range(5)], candidates(*range(5, 9)), 25, []),
        ([proposed(0, "closed"), proposed(1, "closed")], TEN, 25, [3, 4, 5, 6, 7]),
        (MERGED, TEN, 25, list(range(3, 13))),
        (MERGED, TEN, 4, [3, 4, 5, 6]),
        ([*MERGED, proposed(3, "open"), proposed(4, "closed")], TEN, 2, [5, 6]),
        ([*MERGED, Withheld(repo(3), "prepare", "t/prepare", "archived", "")], TEN, 2, [4, 5]),
        ([*MERGED, Chosen("7", repo(9), "prepare")], TEN, 2, [9]),
        ([*MERGED, Chosen("7", repo(9), "prepare"), Ended(repo(9), "2")], TEN, 2, [3, 4]),
    ],
)
def test_the_next_wave(events: list[Event], offered: list[Candidate], limit: int, wave: list[int]) -> None:
    found = next_wave(after(*events), offered, limit)
    assert [one.repo for one in found.chosen] == [repo(number) for number in wave]


def test_retire_has_canaries_of_its_own() -> None:
    found = next_wave(after(*MERGED), candidates(*range(10), name="finish"), 25)
    assert (len(found.chosen), found.waiting) == (CANARY, {"finish": 5})


def test_a_wave_that_was_begun_is_ended_under_its_number() -> None:
    found = next_wave(after(*MERGED, Chosen("7", repo(9), "prepare")), TEN, 2)
    assert (found.number, found.resumed) == (7, True)
    assert next_wave(after(*MERGED), TEN, 2).number == 1


@given(RECORDS, st.integers(1, 9), st.integers(0, 12))
def test_no_wave_passes_its_bounds(records: list[Recorded], limit: int, count: int) -> None:
    progress = replay(records, after())
    wave = next_wave(progress, candidates(*range(count)), limit)
    standing = Counter(
        offer.standing
        for entry in progress.active
        for offer in entry.offers.values()
        if offer.slice == "prepare"
    )
    assert len(set(wave.chosen)) == len(wave.chosen) <= limit
    assert standing["merged"] >= 3 or len(wave.chosen) + standing["open"] <= max(CANARY, standing["open"])
