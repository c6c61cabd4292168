"""Writes that were made in; the pause before one more out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.forges.pace import A_MINUTE, AN_HOUR, Pace, minutes, pause_before


@pytest.mark.parametrize(
    ("past", "pause"),
    [
        ([], 0.0),
        ([100.0] * (A_MINUTE - 1), 0.0),
        ([100.0] * A_MINUTE, 60.0),
        ([70.0] * A_MINUTE, 30.0),
        ([30.0] * A_MINUTE, 0.0),
        ([-3000.0] * AN_HOUR, 500.0),
        ([-3500.0] * AN_HOUR, 0.0),
        ([9e9] * A_MINUTE, 60.0),
        ([9e9] * AN_HOUR, 3600.0),
    ],
)
def test_the_pause_at_second_100(past: list[float], pause: float) -> None:
    assert pause_before(past, 100.0) == pause


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(1, 4)), max_size=400))
def test_no_minute_and_no_hour_holds_too_many(writes: list[tuple[float, int]]) -> None:
    now = 0.0
    made: list[float] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    pace = Pace(lambda: now, sleep)
    for gap, count in writes:
        sleep(gap)
        for _ in range(count):
            pace.write()
            made.append(now)
    assert pace.made == len(made)
    for most, span in ((A_MINUTE, 60.0), (AN_HOUR, 3600.0)):
        late = zip(made, made[most:], strict=False)
        assert all(after - before >= span - 1e-6 for before, after in late)


def test_what_earlier_runs_wrote_counts() -> None:
    slept: list[float] = []
    Pace(lambda: 100.0, slept.append, [100.0] * A_MINUTE).write()
    assert slept == [60.0]


@pytest.mark.parametrize(("count", "least"), [(0, 0), (75, 0), (76, 1), (480, 6), (481, 60), (1000, 120)])
def test_how_long_it_takes(count: int, least: int) -> None:
    assert minutes(count) == least
