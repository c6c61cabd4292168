"""One AWS of our own for all tests of a process."""

from collections.abc import Iterator

import pytest

from tests.real.lab import NEW, Lab, opened


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    with opened() as lab:
        yield lab


@pytest.fixture(params=NEW)
def new(request: pytest.FixtureRequest) -> str:
    """Each release that knows the lockfile."""
    return str(request.param)
