"""Events in, the state of a campaign out."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace

from migrate.model import RepoId
from migrate.progress import EVENTS, Entry, Event, Malformed, Progress, Recorded, decoded, encoded, replay
from migrate.progress.events import (
    Added,
    Begins,
    Begun,
    Branched,
    Chosen,
    Crossed,
    Ended,
    Halted,
    LeftOut,
    Proposed,
    Read,
    Resumed,
    Stands,
    Withdrawn,
    Withheld,
)
from migrate.progress.replay import Crossing, Offer, State
from tests.progress.happenings import EVENT, RECORDS

NET = RepoId("github.com/acme/net")
BRANCH = "tfrelock/locks/prepare"
DAY = "2026-01-05T09:00:00+00:00"
LATER = "2026-01-06T09:00:00+00:00"
OPEN = Proposed(
    NET, "prepare", BRANCH, "open", "no", "Lock", "17", "https://x/17", "9f2c", "approved", "passed"
)
SEEN = Offer(
    "prepare", BRANCH, "open", False, "Lock", "17", "https://x/17", "9f2c", "approved", "passed", DAY, DAY
)


def entry(*events: Event) -> Entry:
    """What one repository comes to; the events are a day apart from the second on."""
    times = (DAY, *(LATER for _ in events[1:]))
    return replay(map(Recorded, times, events)).entries[NET]


@pytest.mark.parametrize(
    ("events", "comes_to"),
    [
        ([Added(NET, "https://x")], Entry(NET, "https://x")),
        ([LeftOut(NET, "archived")], Entry(NET, left="archived")),
        ([LeftOut(NET, "gone"), Branched(NET, "github.com/acme/app")], Entry(NET, of="github.com/acme/app")),
        ([LeftOut(NET, "archived"), Added(NET, "u")], Entry(NET, "u")),
        ([Read(NET, "9f", "@acme/net", "")], Entry(NET, commit="9f", owner="@acme/net")),
        (
            [Read(NET, "9f", "", ""), Stands(NET, "s3://b/k", "table", "pin", "open", "")],
            Entry(NET, commit="9f", states={"s3://b/k": State("table", "pin", "open", "")}),
        ),
        (
            [Stands(NET, "s3://b/old", "table", "pin", "open", ""), Read(NET, "9f", "", "")],
            Entry(NET, commit="9f"),
        ),
        (
            [Crossed(NET, "u", "s", "swaps", "no"), Crossed(NET, "u", "t", "table", "yes")],
            Entry(NET, crossings=(Crossing("u", "s", "swaps", False), Crossing("u", "t", "table", True))),
        ),
        ([Crossed(NET, "u", "s", "swaps", "no"), Read(NET, "9f", "", "")], Entry(NET, commit="9f")),
        ([Begins(NET, "t/prepare\nt/finish")], Entry(NET, busy=("t/prepare", "t/finish"))),
        ([Begins(NET, "t/prepare"), Ended(NET, "2")], Entry(NET)),
        ([Chosen("2", NET, "prepare")], Entry(NET, chosen={"prepare": 2}, due=frozenset({"prepare"}))),
        ([Chosen("²", NET, "prepare")], Entry(NET, chosen={"prepare": 0}, due=frozenset({"prepare"}))),
        ([Chosen("2", NET, "prepare"), Ended(NET, "2")], Entry(NET, chosen={"prepare": 2})),
        ([OPEN], Entry(NET, offers={BRANCH: SEEN})),
        ([OPEN, OPEN], Entry(NET, offers={BRANCH: replace(SEEN, at=LATER)})),
        (
            [OPEN, replace(OPEN, reviews="", checks="", head="7e11")],
            Entry(NET, offers={BRANCH: replace(SEEN, head="7e11", at=LATER)}),
        ),
        (
            [OPEN, replace(OPEN, standing="merged")],
            Entry(NET, offers={BRANCH: replace(SEEN, standing="merged", since=LATER, at=LATER)}),
        ),
        (
            [OPEN, Withheld(NET, "prepare", BRANCH, "no answer", "again")],
            Entry(NET, offers={BRANCH: replace(SEEN, at=LATER, why="no answer", remedy="again")}),
        ),
        (
            [OPEN, Withdrawn(NET, BRANCH, "too early")],
            Entry(NET, offers={BRANCH: replace(SEEN, withdrawn="too early")}),
        ),
    ],
)
def test_what_events_come_to(events: list[Event], comes_to: Entry) -> None:
    assert entry(*events) == comes_to


def test_a_look_that_succeeds_forgets_one_that_failed() -> None:
    assert entry(Withheld(NET, "prepare", BRANCH, "no answer", "again"), OPEN).offers[BRANCH].why == ""


def test_a_campaign_as_a_whole() -> None:
    told: list[Event] = [
        Begun("locks"),
        Chosen("1", NET, "prepare"),
        Halted("an outage"),
        Chosen("3", NET, "finish"),
    ]
    found = replay([Recorded(DAY, event) for event in told])
    assert (found.campaign, found.wave, found.halted) == ("locks", 3, "an outage")
    assert replay([Recorded(DAY, Resumed())], found).halted == ""


@given(RECORDS, RECORDS)
def test_going_on_is_the_same_as_beginning_again(first: list[Recorded], second: list[Recorded]) -> None:
    assert replay(second, replay(first)) == replay([*first, *second])


@given(RECORDS)
def test_who_takes_part_was_never_left_out_last(records: list[Recorded]) -> None:
    progress = replay(records)
    last = {r.event.repo: r.event for r in records if isinstance(r.event, Added | Branched | LeftOut)}
    left = {RepoId(repo) for repo, event in last.items() if isinstance(event, LeftOut) and event.why}
    assert {entry.repo for entry in progress.active} == progress.entries.keys() - left


@given(RECORDS)
def test_other_repositories_change_nothing_of_one(records: list[Recorded]) -> None:
    alone = [record for record in records if getattr(record.event, "repo", NET) == NET]
    assert replay(alone).entries.get(NET) == replay(records).entries.get(NET)


@given(EVENT)
def test_an_event_is_read_back_as_it_was_written(event: Event) -> None:
    assert decoded(*encoded(event)) == event


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("Sung", "{}", "an event of an unknown kind, Sung: a newer release wrote it"),
        ("Begun", "{", "an event Begun that is no JSON"),
        ("Begun", "[]", "an event Begun with other fields: another release wrote it"),
        ("Begun", '{"name": "locks"}', "an event Begun with other fields: another release wrote it"),
        ("Begun", '{"campaign": 1}', "an event Begun that is not text"),
    ],
)
def test_what_is_no_event(kind: str, body: str, why: str) -> None:
    assert decoded(kind, body) == Malformed(why)


def test_every_kind_is_told_by_its_name() -> None:
    assert all(kind.__name__ == name for name, kind in EVENTS.items())
    assert Progress().active == ()
