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


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test of real Terraform, here or of the demonstration, again when it fails the first time, and say
    so.

    One answer of moto in several hundred is lost; Terraform's SDK then asks again, and meets the lock that it
    has just taken. What is wrong with the program fails twice.
    """
    if not isinstance(item, pytest.Function) or item.path.parent not in (HERE, HERE.parent / "demo"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed for report in reports):
        print(f"{item.nodeid}: once more")
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
