"""Work side by side: the order stays, little waits, and an error begins nothing new."""

from __future__ import annotations

import threading
import time

import pytest

from migrate.cli.jobs import side_by_side


def test_outcomes_come_in_the_order_of_the_items() -> None:
    def act(number: int) -> int:
        time.sleep(0.01 * (number % 3 == 0))
        return number * 10

    assert list(side_by_side(4, act, range(20))) == [number * 10 for number in range(20)]


def test_no_more_run_at_once_than_asked_for() -> None:
    running, most, lock = 0, 0, threading.Lock()

    def act(_: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.005)
        with lock:
            running -= 1

    list(side_by_side(3, act, range(30)))
    assert 2 <= most <= 3


def test_outcomes_that_nobody_takes_stop_the_work() -> None:
    begun: list[int] = []
    outcomes = side_by_side(2, begun.append, range(1000))
    next(outcomes)
    time.sleep(0.1)
    assert len(begun) <= 4


def test_an_error_is_raised_and_nothing_new_begins() -> None:
    begun: list[int] = []

    def act(number: int) -> None:
        begun.append(number)
        if number == 3:
            raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        list(side_by_side(2, act, range(1000)))
    assert len(begun) < 12
