"""A campaign's progress in; the table for people out, with nothing of a terminal's in it."""

from __future__ import annotations

import re

from migrate.model import RepoId
from migrate.progress import Event, Recorded, replay
from migrate.progress.events import Added, Begun, Chosen, Halted, LeftOut, Proposed, Read, Stands, Withheld
from migrate.report import CampaignReport
from migrate.reports import CAMPAIGN, campaign_json

NET, APP = RepoId("github.com/acme/net"), RepoId("github.com/acme/app")
EVENTS: list[Event] = [
    Begun("locks"),
    Added(NET, "https://github.com/acme/net.git"),
    Added(APP, "https://github.com/acme/app.git"),
    Added("github.com/acme/new", "https://github.com/acme/new.git"),
    LeftOut("github.com/acme/old", "archived"),
    Read(NET, "9f2c", "@acme/net", ""),
    Stands(NET, "s3://acme-state/net\x1b[2J.tfstate", "locked in the table only", "pin", "open", ""),
    Read(APP, "1a2b", "", ""),
    *(
        Stands(
            APP, f"s3://acme-state/{key}", "locked in the table only", "pin", "refused", "a.tf:2: `= 1.5.7`"
        )
        for key in "ab"
    ),
    Chosen("1", NET, "prepare"),
    Proposed(
        NET, "prepare", "t/prepare", "open", "yes", "Lock", "17", "https://x/17", "9f", "none", "failed"
    ),
    Withheld(APP, "prepare", "t/p", "the push was refused", "see its rules"),
    Halted("an outage"),
]
REPORT = CampaignReport(
    replay(Recorded("2026-01-05T09:00:00+00:00", event) for event in EVENTS), "2026-01-09T09:00:00+00:00"
)

HEAD = """\
campaign locks: 3 repositories, wave 1; proposals: 1 open, 0 merged, 0 closed
left out: 1 archived
paused: an outage
"""
ROWS = [
    ["REPOSITORY", "WHAT", "STANDS", "REVIEWS", "CHECKS", "AGE", "OWNER", "WHERE"],
    ["github.com/acme/app", "prepare", "not made", "4 d"],
    *(
        ["github.com/acme/app", f"s3://acme-state/{key}", "locked in the table only → pin refused"]
        for key in "ab"
    ),
    [
        "github.com/acme/net",
        "prepare",
        "open 17, a draft",
        "none",
        "failed",
        "4 d",
        "@acme/net",
        "https://x/17",
    ],
    ["github.com/acme/net", r"s3://acme-state/net\x1b[2J.tfstate", "locked in the table only → pin open"],
    ["github.com/acme/new", "not read yet"],
]
STUCK = """\
stuck: 3
  github.com/acme/app prepare  the push was refused → see its rules
  github.com/acme/app  pin is refused: a.tf:2: `= 1.5.7`
  github.com/acme/net prepare  its checks fail
"""


def test_for_people() -> None:
    text = CAMPAIGN["table"].render(REPORT)
    assert text.startswith(HEAD)
    assert text.endswith(STUCK)
    rows = text.removeprefix(HEAD).removesuffix(STUCK).splitlines()
    assert [re.split(r"\s{2,}", row) for row in rows] == ROWS


def test_for_programs_nothing_breaks_a_line() -> None:
    text = campaign_json.render(REPORT)
    assert '"schema": "tfrelock.campaign/1"' in text
    assert "\x1b" not in text
