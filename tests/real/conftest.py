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


HERE: Final = Path(__file__).parent
FOLDERS: Final = (HERE, HERE.parent / "aws", HERE.parent / "demo")
REFUSED: Final = ("Error acquiring the state lock", "For most co", "use of closed network connection")
"""What such a failure shows; pytest cuts the longer texts in the middle of Terraform's own advice."""


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test of real Terraform again, once, when a command was refused a lock that nobody else could
    hold.

    Seen in two of three full runs. Most likely an answer of moto is lost and Terraform's SDK, asking again,
    meets the lock it has just taken; that is not shown. Two writers that both get in never match: they fail
    at once.
    """
    if not isinstance(item, pytest.Function) or item.path.parent not in FOLDERS:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed and any(sign in report.longreprtext for sign in REFUSED) for report in reports):
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
