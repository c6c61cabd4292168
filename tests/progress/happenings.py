"""Events of all kinds, made up by hypothesis."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from msgspec.structs import fields

from migrate.progress import EVENTS, Event, Recorded

_NAMED: Final = {
    "repo": st.sampled_from(("github.com/acme/app", "github.com/acme/net")),
    "slice": st.sampled_from(("prepare", "finish")),
    "branch": st.sampled_from(("tfrelock/default/prepare", "tfrelock/default/finish")),
    "standing": st.sampled_from(("open", "merged", "closed")),
    "wave": st.sampled_from(("1", "2", "²", "x", "")),
}
_TIMES: Final = st.sampled_from(("2026-01-05T09:00:00+00:00", "2026-02-05T09:00:00+00:00"))


def _made(kind: type[Event]) -> st.SearchStrategy[Event]:
    told = {field.name: _NAMED.get(field.name, st.text(max_size=5)) for field in fields(kind)}
    return st.builds(kind, **told)


EVENT: Final = st.one_of([_made(kind) for kind in EVENTS.values()])
RECORDS: Final = st.lists(st.builds(Recorded, _TIMES, EVENT), max_size=25)
