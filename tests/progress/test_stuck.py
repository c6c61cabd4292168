"""What keeps a proposal from going on."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from migrate.model import RepoId
from migrate.progress import Entry, Offer, stuck

NET = Entry(RepoId("github.com/acme/net"))
OPEN = Offer("prepare", "t/prepare", "open", since="2026-01-05T09:00:00+00:00")


@pytest.mark.parametrize(
    ("entry", "offer", "why"),
    [
        (NET, None, ""),
        (NET, OPEN, ""),
        (NET, replace(OPEN, standing="merged", checks="failed"), ""),
        (NET, replace(OPEN, since="2026-01-01T00:00:00+00:00"), ""),
        (NET, replace(OPEN, since="2025-12-31T23:59:00+00:00"), "open for 15 days"),
        (NET, replace(OPEN, since=""), ""),
        (NET, replace(OPEN, draft=True), "a draft: it waits for what its first lines say"),
        (NET, replace(OPEN, checks="failed", draft=True), "its checks fail"),
        (NET, replace(OPEN, reviews="changes requested"), "a reviewer asks for changes"),
        (NET, replace(OPEN, standing="closed"), "the owner closed it"),
        (NET, replace(OPEN, standing="closed", withdrawn="too early"), "too early"),
        (NET, replace(OPEN, why="no answer", remedy="run it again"), "no answer → run it again"),
        (replace(NET, trouble="cannot be reached"), None, "cannot be reached"),
        (replace(NET, busy=("t/prepare",)), OPEN, "interrupted: the next run goes on with it"),
    ],
)
def test_why_somebody_has_to_look(entry: Entry, offer: Offer | None, why: str) -> None:
    assert stuck(entry, offer, "2026-01-15") == why
