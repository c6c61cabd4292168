"""What can happen in a campaign. Each event is a few strings, which a release of much later reads too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import asdict, fields


class Begun(Struct, frozen=True):
    """The campaign has a name; it enters the names of branches."""

    campaign: str


class Added(Struct, frozen=True):
    """A repository belongs to it; `url` is a folder here or where git fetches it from."""

    repo: str
    url: str


class Kept(Struct, frozen=True):
    """A branch of this name is kept for long where a repository has it: it can write state, too."""

    branch: str


class Branched(Struct, frozen=True):
    """What goes by the id `repo` is a kept branch of a repository: a client and proposals of its own."""

    repo: str
    of: str


class LeftOut(Struct, frozen=True):
    """A repository of a source does not belong to it: archived, a fork, empty, not wanted."""

    repo: str
    why: str


class Read(Struct, frozen=True):
    """A repository was read at a commit: what was known of its states before is gone."""

    repo: str
    commit: str
    owner: str
    trouble: str
    """Why it could not be read as a whole; empty: it was."""


class Stands(Struct, frozen=True):
    """Where a state stands in a repository, and the first step there that is not done."""

    repo: str
    state: str
    now: str
    phase: str
    standing: str
    because: str


class Crossed(Struct, frozen=True):
    """An open proposal of somebody's holds another lock of a state than what it is to be merged into.

    `holds` is "yes" where nothing may be retired while it is open.
    """

    repo: str
    url: str
    state: str
    why: str
    holds: str


class Chosen(Struct, frozen=True):
    """A slice of a repository is to be offered in a wave."""

    wave: str
    repo: str
    slice: str


class Begins(Struct, frozen=True):
    """The turn of a repository: from here on what stands on these branches, one a line, may be other than
    noted.
    """

    repo: str
    branches: str


class Proposed(Struct, frozen=True):
    """What a forge showed of a proposal."""

    repo: str
    slice: str
    branch: str
    standing: str
    draft: str
    title: str
    number: str
    url: str
    head: str
    reviews: str
    checks: str


class Withheld(Struct, frozen=True):
    """A slice was not offered, or its proposal could not be looked at."""

    repo: str
    slice: str
    branch: str
    why: str
    remedy: str


class Ended(Struct, frozen=True):
    """The turn of a repository is over, and all that became of it is noted; so many requests wrote."""

    repo: str
    writes: str


class Halted(Struct, frozen=True):
    """Nothing is offered until the campaign goes on."""

    why: str


class Resumed(Struct, frozen=True):
    """It goes on."""


class Withdrawn(Struct, frozen=True):
    """The operator closed it: it is offered no more."""

    repo: str
    branch: str
    why: str


OfCampaign: TypeAlias = Begun | Kept | Halted | Resumed
Membership: TypeAlias = Added | Branched | LeftOut
OfSource: TypeAlias = Read | Stands | Crossed
OfOffer: TypeAlias = Proposed | Withheld | Withdrawn
OfRepository: TypeAlias = Membership | OfSource | Chosen | Begins | OfOffer | Ended
Event: TypeAlias = OfCampaign | OfRepository

EVENTS: Final[Mapping[str, type[Event]]] = {event.__name__: event for event in get_args(Event)}


class Malformed(Struct, frozen=True):
    """What was stored is no event of this release."""

    why: str


def encoded(event: Event) -> tuple[str, str]:
    """Its kind, and its strings as JSON."""
    return type(event).__name__, json.dumps(asdict(event), ensure_ascii=False, sort_keys=True)


def decoded(kind: str, body: str) -> Event | Malformed:
    """The event that `encoded` was given."""
    if kind not in EVENTS:
        return Malformed(f"an event of an unknown kind, {kind}: a newer release wrote it")
    try:
        read = json.loads(body)
    except ValueError:
        return Malformed(f"an event {kind} that is no JSON")
    wanted = {field.name for field in fields(EVENTS[kind])}
    if not isinstance(read, dict) or read.keys() != wanted:
        return Malformed(f"an event {kind} with other fields: another release wrote it")
    told = {name: value for name, value in read.items() if isinstance(value, str)}
    return EVENTS[kind](**told) if len(told) == len(read) else Malformed(f"an event {kind} that is not text")
