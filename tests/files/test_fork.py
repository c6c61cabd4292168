"""Work spread over processes."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from migrate.errors import RelockError
from migrate.files.fork import spread


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
        pytest.raises(RelockError, match="a process that reads files ended early"),
        spread(dying, range(1000)) as results,
    ):
        list(results)


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
