"""What the operator says, and what of it holds for one repository."""

import pytest

from migrate.config import Access, Local, Mistake, Operator, ProposalStyle, ended, read_operator
from migrate.model import RepoId, Stated

FULL = """\
campaign: net-2027
facts:
  - that: callers-may-lock
    of: {bucket: "acme-state-*"}
    by: platform@acme.example
    because: "iam-baseline 4.2 applied in all accounts; canary run 8841"
    until: 2027-02-28
aws:
  - buckets: ["acme-eu-*"]
    profile: org-eu-readonly
    account: 011122223333
forge: {name: github, url: https://github.acme.example/api/v3}
proposals:
  titles: {dual-lock: Lock twice}
  trailers: {Ticket: NET-1}
  labels: [infra]
  reviewers: [ada]
  contact: "#platform"
  deadline: 2027-03-31
exclude: ["vendor/**"]
repositories:
  "github.com/acme/net*":
    engine: opentofu
    opt_out: frozen
"""


def mistakes(text: str) -> list[str]:
    return [f"{mistake.line}: {mistake.what}" for mistake in read_operator(text, "relock.yaml")[1].mistakes]


def test_every_key_is_read() -> None:
    operator, loaded = read_operator(FULL, "relock.yaml")
    assert not loaded.mistakes
    assert operator == Operator(
        campaign="net-2027",
        facts=(
            Stated(
                "callers-may-lock",
                {"bucket": "acme-state-*"},
                "platform@acme.example",
                "iam-baseline 4.2 applied in all accounts; canary run 8841",
                "2027-02-28",
            ),
        ),
        aws=(Access(("acme-eu-*",), "org-eu-readonly", "", "011122223333"),),
        forge="github",
        forge_url="https://github.acme.example/api/v3",
        proposals=ProposalStyle(
            titles={"dual-lock": "Lock twice"},
            trailers={"Ticket": "NET-1"},
            labels=("infra",),
            reviewers=("ada",),
            contact="#platform",
            deadline="2027-03-31",
        ),
        everywhere=Local(exclude=("vendor/**",)),
        repositories={"github.com/acme/net*": Local(engine="opentofu", opt_out="frozen")},
    )


KNOWN = "exclude, engine, backend_config, branches, ignore, opt_out"
STATABLE = "callers-may-lock, floor-in-use, dual-possible, soaked, table-known"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "facts:\n  - that: soaked\n    by: me\n",
            [
                "2: `facts[0]` needs `because`: How they know.",
                "2: `facts[0]` needs `of`: What it is stated of: globs, all of which must match.",
                "2: `facts[0]` needs `until`: The last day it holds.",
            ],
        ),
        (
            "facts:\n  - {that: writers-dual, of: {bukcet: x}, by: me, because: x, until: 2027-02-30}\n",
            [
                "2: `facts[0].of` cannot hold `bukcet`; did you mean `bucket`?",
                f"2: `facts[0].that` cannot be `writers-dual`; known: {STATABLE}",
                "2: `facts[0].until` must be a day, YYYY-MM-DD",
            ],
        ),
        (
            "facts:\n  - {that: soaked, of: {}, by: me, because: x, until: 2027-02-28}\n",
            ["2: `facts[0].of` is empty"],
        ),
        (
            "aws:\n  - buckets: [x]\n    account: 1\n",
            ["3: `aws[0].account` must be an account number of twelve digits"],
        ),
        (
            "forge:\n  name: github\n  url: https://token@github.acme.example\n",
            ["3: `forge.url` must be an https:// URL without credentials"],
        ),
        (
            "repositories:\n  x:\n    facts: []\n",
            [f"3: `facts` is not a key of `repositories.x`; known: {KNOWN}"],
        ),
    ],
)
def test_every_mistake_is_said_with_its_line(text: str, said: list[str]) -> None:
    assert mistakes(text) == said


def test_what_has_ended_is_said() -> None:
    text = (
        "facts:\n  - that: soaked\n    of: {bucket: x}\n    by: me\n    because: x\n    until: 2026-01-01\n"
    )
    _, loaded = read_operator(text, "relock.yaml")
    assert ended(loaded.leaves, "relock.yaml", "2026-01-01") == ()
    assert ended(loaded.leaves, "relock.yaml", "2026-01-02") == (
        Mistake("relock.yaml", 6, "ended on 2026-01-01 and counts no more"),
    )


def test_the_operator_adds_to_what_a_repository_says_and_wins() -> None:
    acme = "github.com/acme/*: {exclude: [b], opt_out: frozen}"
    text = f"exclude: [a]\nengine: terraform\nrepositories:\n  {acme}\n"
    operator, _ = read_operator(text, "relock.yaml")
    says = Local(exclude=("c",), engine="opentofu")
    assert operator.of(RepoId("github.com/acme/net"), says) == Local(
        exclude=("b", "a", "c"), engine="terraform", opt_out="frozen"
    )
    assert operator.of(RepoId("github.com/other/net"), says) == Local(exclude=("a", "c"), engine="terraform")
