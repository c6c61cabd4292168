"""Events → where a campaign stands. Any sequence of events comes to something: nothing here can fail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.model import RepoId
from migrate.progress.events import (
    Added,
    Begins,
    Begun,
    Branched,
    Chosen,
    Crossed,
    Ended,
    Event,
    Halted,
    Kept,
    LeftOut,
    Membership,
    OfCampaign,
    OfOffer,
    OfRepository,
    OfSource,
    Proposed,
    Read,
    Resumed,
    Stands,
    Withdrawn,
    Withheld,
)


class Recorded(Struct, frozen=True):
    """An event and when it happened, ISO 8601 to the second, UTC."""

    at: str
    event: Event


class State(Struct, frozen=True):
    """Where one state stands, and its next step."""

    now: str
    phase: str
    standing: str
    because: str


class Crossing(Struct, frozen=True):
    """What an open proposal of somebody's does to a state's lock (empty: to any of its repository), which
    is not retired while one `holds`.
    """

    url: str
    state: str
    why: str
    holds: bool


class Offer(Struct, frozen=True):
    """One slice of a repository and its proposal, as it was last seen at `at`; it is so since `since`.

    `standing` is `open`, `merged` or `closed`, or empty before it was ever seen. `why` says why it was not
    offered or not looked at, when that came last.
    """

    slice: str
    branch: str
    standing: str = ""
    draft: bool = False
    title: str = ""
    number: str = ""
    url: str = ""
    head: str = ""
    reviews: str = ""
    checks: str = ""
    since: str = ""
    at: str = ""
    why: str = ""
    remedy: str = ""
    withdrawn: str = ""


class Entry(Struct, frozen=True):
    """One repository of a campaign. `left`: why it takes no part; `busy`: the branches of a turn that began
    and did not end.
    """

    repo: RepoId
    url: str = ""
    of: str = ""
    """The repository that this is a branch of; empty for one by itself."""
    left: str = ""
    commit: str = ""
    owner: str = ""
    trouble: str = ""
    busy: tuple[str, ...] = ()
    states: Mapping[str, State] = field(default_factory=dict)
    crossings: tuple[Crossing, ...] = ()
    offers: Mapping[str, Offer] = field(default_factory=dict)
    """By branch."""
    chosen: Mapping[str, int] = field(default_factory=dict)
    """Slice → the wave it was chosen for."""
    due: frozenset[str] = frozenset()
    """Slices that were chosen and whose turn has not ended since."""


class Progress(Struct, frozen=True):
    """A whole campaign. `halted` is why nothing is offered, empty when something may be."""

    campaign: str = ""
    entries: Mapping[RepoId, Entry] = field(default_factory=dict)
    halted: str = ""
    wave: int = 0
    """The number of the last wave."""
    branches: tuple[str, ...] = ()
    """The names of branches that are kept for long."""

    @property
    def active(self) -> tuple[Entry, ...]:
        """The repositories that take part."""
        return tuple(entry for _, entry in sorted(self.entries.items()) if not entry.left)


def replay(records: Iterable[Recorded], start: Progress | None = None) -> Progress:
    """What the events come to, on top of `start`."""
    progress = start or Progress()
    entries = dict(progress.entries)
    for record in records:
        match record.event:
            case Begun() | Halted() | Resumed() | Kept() as event:
                progress = _whole(progress, event)
            case event:
                name = RepoId(event.repo)
                entries[name] = _entry(entries.get(name, Entry(name)), event, record.at)
                if isinstance(event, Chosen):
                    progress = replace(progress, wave=max(progress.wave, _number(event.wave)))
    return replace(progress, entries=entries)


def _whole(progress: Progress, event: OfCampaign) -> Progress:
    match event:
        case Begun(campaign):
            return replace(progress, campaign=campaign)
        case Halted(why):
            return replace(progress, halted=why)
        case Resumed():
            return replace(progress, halted="")
        case Kept(branch):
            return replace(progress, branches=tuple(dict.fromkeys([*progress.branches, branch])))


def _number(wave: str) -> int:
    return int(wave) if wave.isdecimal() else 0


def _entry(entry: Entry, event: OfRepository, at: str) -> Entry:
    match event:
        case Added() | Branched() | LeftOut():
            return _member(entry, event)
        case Read() | Stands() | Crossed():
            return _source(entry, event)
        case Chosen(wave, _, slice_):
            chosen = {**entry.chosen, slice_: _number(wave)}
            return replace(entry, chosen=chosen, due=entry.due | {slice_})
        case Begins(_, branches):
            return replace(entry, busy=tuple(branches.splitlines()))
        case Ended():
            return replace(entry, busy=(), due=frozenset())
        case Proposed() | Withheld() | Withdrawn():
            before = entry.offers.get(event.branch, Offer("", event.branch))
            return replace(entry, offers={**entry.offers, event.branch: _offer(before, event, at)})


def _member(entry: Entry, event: Membership) -> Entry:
    match event:
        case Added(_, url):
            return replace(entry, url=url, left="")
        case Branched(_, of):
            return replace(entry, of=of, left="")
        case LeftOut(_, why):
            return replace(entry, left=why)


def _source(entry: Entry, event: OfSource) -> Entry:
    match event:
        case Read(_, commit, owner, trouble):
            return replace(entry, commit=commit, owner=owner, trouble=trouble, states={}, crossings=())
        case Stands(_, state, now, phase, standing, because):
            return replace(entry, states={**entry.states, state: State(now, phase, standing, because)})
        case Crossed(_, url, state, why, holds):
            return replace(entry, crossings=(*entry.crossings, Crossing(url, state, why, holds == "yes")))


def _offer(before: Offer, event: OfOffer, at: str) -> Offer:
    match event:
        case Proposed() as seen:
            return replace(
                before,
                slice=seen.slice,
                standing=seen.standing,
                draft=seen.draft == "yes",
                title=seen.title,
                number=seen.number,
                url=seen.url,
                head=seen.head,
                reviews=seen.reviews or before.reviews,
                checks=seen.checks or before.checks,
                since=before.since if before.standing == seen.standing else at,
                at=at,
                why="",
                remedy="",
            )
        case Withheld(_, slice_, _, why, remedy):
            return replace(before, slice=slice_, why=why, remedy=remedy, since=before.since or at, at=at)
        case Withdrawn(_, _, why):
            return replace(before, withdrawn=why)
