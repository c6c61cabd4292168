"""Work spread over processes."""

import os
import signal
from collections.abc import Iterator, Sequence

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
    assert sorted(spread(doubled, range(jobs))) == [2 * job for job in range(jobs)]


def test_a_process_that_dies_is_an_error_and_never_a_gap() -> None:
    with pytest.raises(RelockError, match="a process that reads files ended early"):
        list(spread(dying, range(1000)))
