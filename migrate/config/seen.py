"""Documents of what was seen: `tfrelock.fact/1`, JSON that a run with credentials printed.

`{"schema": "tfrelock.fact/1", "facts": [{"that": "callers-may-lock", "state": "s3://…", "holds": "yes",
"role": "arn:…", "at": "2027-02-01T11:00:00Z", "because": "…"}]}`; `holds` is yes, no or unknown.

What was seen is worth something for a day; an older answer is told and does not count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from migrate.model import Seen
from migrate.rules import GATES

SCHEMA: Final = "tfrelock.fact/1"
_AGE: Final = timedelta(days=1)
_SKEW: Final = timedelta(minutes=5)
_HOLDS: Final[Mapping[object, bool | None]] = {"yes": True, "no": False, "unknown": None}
_TEXTS: Final = ("that", "state", "role", "at", "because")


class Unusable(Struct, frozen=True):
    """A document, or one fact of it, that does not count, and why."""

    file: str
    why: str

    def __str__(self) -> str:
        return f"{self.file}: {self.why}"


def read_seen(text: str, file: str, now: datetime) -> Iterator[Seen | Unusable]:
    """The facts of one document. Whatever the text, it does not raise; `now` has a time zone."""
    try:
        document: object = json.loads(text)
    except (ValueError, RecursionError):
        yield Unusable(file, f"no JSON, so no {SCHEMA} document")
        return
    if not isinstance(document, Mapping) or document.get("schema") != SCHEMA:
        yield Unusable(file, f"no {SCHEMA} document")
        return
    facts = document.get("facts")
    if not isinstance(facts, list):
        yield Unusable(file, "has no list of facts")
        return
    for number, fact in enumerate(facts, 1):
        seen = _seen(fact) if isinstance(fact, Mapping) else "is no mapping"
        why = seen if isinstance(seen, str) else _stale(seen, now)
        yield Unusable(file, f"fact {number} {why}") if why or isinstance(seen, str) else seen


def _seen(fact: Mapping[str, object]) -> Seen | str:
    """The fact, or what is wrong with it."""
    texts = {key: value for key in _TEXTS if isinstance(value := fact.get(key), str) and value}
    holds = fact.get("holds")
    if missing := [key for key in _TEXTS if key not in texts]:
        return f"lacks {', '.join(missing)}"
    if not isinstance(holds, str) or holds not in _HOLDS:
        return "must say `holds`: yes, no or unknown"
    if texts["that"] not in GATES:
        return f"speaks of no gate: {texts['that']}"
    return Seen(texts["that"], texts["state"], _HOLDS[holds], texts["role"], texts["at"], texts["because"])


def _stale(seen: Seen, now: datetime) -> str:
    """Why it does not count any more, or not yet; empty when it does."""
    try:
        at = datetime.fromisoformat(seen.at)
    except ValueError:
        return f"has no time: {seen.at}"
    if at.tzinfo is None:
        return f"has no time zone: {seen.at}"
    if at > now + _SKEW:
        return f"is of the future: {seen.at}"
    return f"is more than a day old: {seen.at}" if now - at > _AGE else ""
