"""What keeps a proposal, or a repository, from going on without somebody."""

from __future__ import annotations

import datetime as dt
from typing import Final

from migrate.progress.replay import Entry, Offer

PATIENCE: Final = 14
"""Days that an open proposal may stand before it counts as stuck."""


def days(since: str, now: str) -> int:
    """Whole days between two moments or dates, ISO 8601; 0 where one is not known."""
    if not since or not now:
        return 0
    return (dt.date.fromisoformat(now[:10]) - dt.date.fromisoformat(since[:10])).days


def stuck(entry: Entry, offer: Offer | None, now: str) -> str:
    """Why somebody has to look; empty: nobody does. `now` is ISO 8601."""
    if entry.busy:
        return "interrupted: the next run goes on with it"
    if offer is None:
        return entry.trouble
    if offer.why:
        return f"{offer.why} → {offer.remedy}" if offer.remedy else offer.why
    if offer.standing == "closed":
        return offer.withdrawn or "the owner closed it"
    if offer.standing == "open":
        return _open(offer, now)
    return ""


def _open(offer: Offer, now: str) -> str:
    if offer.checks == "failed":
        return "its checks fail"
    if offer.reviews == "changes requested":
        return "a reviewer asks for changes"
    if offer.draft:
        return "a draft: it waits for what its first lines say"
    age = days(offer.since, now)
    return f"open for {age} days" if age > PATIENCE else ""
