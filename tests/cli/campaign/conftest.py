"""An estate for a test. Wherever a campaign went, its token stands in nothing that it printed or kept."""

import time
from collections.abc import Iterator

import pytest

from tests.cli.campaign.estate import Estate
from tests.cli.desk import Capture, Desk
from tests.github import fake
from tests.github.fixtures import Host


@pytest.fixture
def estate(
    desk: Desk,
    host: Host,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Estate]:
    """Waiting takes no time."""
    monkeypatch.setenv("GITHUB_TOKEN", fake.TOKEN)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    estate = Estate(host, desk.folder, capsys)
    yield estate
    assert estate.tokens() == []
