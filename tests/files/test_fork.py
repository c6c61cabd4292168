"""Work spread over processes."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from migrate.errors import RelockError
from migrate.files.fork import in_order, spread
from migrate.model import RepoId, Unknown


def doubled(jobs: Sequence[int]) -> Iterator[int]:
    return (2 * job for job in jobs)


def dying(jobs: Sequence[int]) -> Iterator[int]:
    for job in jobs:
        if job == 500:
            os.kill(os.getpid(), signal.SIGKILL)
        yield job


@pytest.mark.parametrize("jobs", [0, 1, 1000])
def test_every_job_has_its_result(jobs: int) -> None:
    with spread(doubled, range(jobs)) as results:
        assert sorted(results) == [2 * job for job in range(jobs)]


def test_a_process_that_dies_is_an_error_and_never_a_gap() -> None:
    with (
        pytest.raises(RelockError, match="a process of ours ended early"),
        spread(dying, range(1000)) as results,
    ):
        list(results)


@pytest.mark.parametrize("jobs", [0, 1, 2, 1000])
def test_results_in_order_are_what_map_gives(jobs: int) -> None:
    names = [RepoId(f"acme/{job}") for job in range(jobs)]
    assert list(in_order(partial(Unknown, settle="look"), names)) == [Unknown(n, "look") for n in names]


def test_results_that_are_given_up_leave_no_process_behind() -> None:
    results = in_order(lambda _: os.getpid(), range(1000))
    here, there = next(results), next(results)
    results.close()
    assert here == os.getpid() != there
    with pytest.raises(ProcessLookupError):
        os.kill(there, 0)


def test_a_result_that_is_lost_is_an_error() -> None:
    def dies(job: int) -> int:
        return next(dying([job]))

    with pytest.raises(RelockError, match="a process of ours ended early"):
        list(in_order(dies, range(1000)))


def test_the_work_goes_on_while_nobody_asks_for_its_results(tmp_path: Path) -> None:
    """Each result is more than a pipe holds."""

    def noted(jobs: Sequence[int]) -> Iterator[bytes]:
        for job in jobs:
            yield bytes(1 << 17)
            (tmp_path / str(job)).touch()

    with spread(noted, range(100)) as results:
        while len(list(tmp_path.iterdir())) < 100:
            time.sleep(0.01)
        assert sum(map(len, results)) == 100 << 17
