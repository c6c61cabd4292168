"""One AWS of our own for all tests of a process."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from _pytest.runner import runtestprotocol

from tests.real.lab import NEW, Lab, opened


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    with opened() as lab:
        yield lab


@pytest.fixture(params=NEW)
def new(request: pytest.FixtureRequest) -> str:
    """Each release that knows the lockfile."""
    return str(request.param)


LOST: Final = (
    "use of closed network connection",
    "connection reset by peer",
    "ConditionalCheckFailedException",  # the lock that it had just taken, asked for again
)
"""What a command says when an answer of the server got lost."""


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test here a second time if an answer of the server was lost in the first, and say so."""
    if not isinstance(item, pytest.Function) or item.path.parent != Path(__file__).parent:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed and any(sign in report.longreprtext for sign in LOST) for report in reports):
        print(f"{item.nodeid}: an answer of the server was lost; once more")
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
