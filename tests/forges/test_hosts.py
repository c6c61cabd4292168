"""One specification for all hosts of forges, against fakes of them that keep what they are told.

Where no fault is to come, what is said to GitHub and by it is held against GitHub's own description.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from msgspec.structs import replace

from migrate.errors import RelockError
from migrate.forges import Home
from migrate.model import Check, Outcome, Proposal, ProposalState, RepoId, Unknown
from tests.forge_server import Answer, Fault, Pull
from tests.forges.sites import BRANCH, CALLS, Site, hub_of, offered, site
from tests.github.fixtures import Host as GitHub

OFFER: Final = Proposal(RepoId(""), BRANCH, "main", "Lock state in S3 as well as DynamoDB", "Why and how.\n")
"""To no repository yet: `to` makes it one to that of a forge."""
ALL: Final = replace(OFFER, title="All", body="of it", draft=True, labels=("tfrelock", "infra"))
ASKING: Final = replace(OFFER, reviewers=("ada",), owners=("grace",))
UNKNOWN: Final = Check(Outcome.UNKNOWN, "soaked: nobody said so")
EVERY: Final = [(forge, call) for forge, calls in CALLS.items() for call in calls]
Open: TypeAlias = Callable[[str], Site]


@pytest.fixture
def named(request: pytest.FixtureRequest, tmp_path: Path, bare: Path) -> Iterator[Open]:
    """A forge by its name."""
    with ExitStack() as stack:

        def opened(name: str) -> Site:
            if name != "github":
                return stack.enter_context(site(name, tmp_path / name, bare))
            host = request.getfixturevalue("host")
            assert isinstance(host, GitHub)
            return hub_of(host, bare)

        yield opened


@pytest.fixture(params=list(CALLS))
def forge(request: pytest.FixtureRequest, named: Open) -> Site:
    return named(request.param)


def to(forge: Site, wanted: Proposal = OFFER) -> Proposal:
    return replace(wanted, repo=forge.repo)


def beside(forge: Site, name: str) -> RepoId:
    """Another repository there."""
    return RepoId(forge.repo.replace("acme/net", name))


def test_there_is_none_then_one_and_a_second_open_finds_it(forge: Site) -> None:
    client = forge.client()
    assert client.find(forge.repo, BRANCH) is None
    made = offered(client, to(forge))
    assert (made.repo, made.branch, made.number, made.standing) == (forge.repo, BRANCH, "1", "open")
    assert (made.title, made.body, made.draft, made.labels) == (OFFER.title, OFFER.body, False, ())
    assert made.head == forge.tip
    assert client.find(forge.repo, BRANCH) == made == offered(client, to(forge))
    assert len(forge.opened) == 1


@pytest.mark.parametrize(
    "wanted",
    [
        replace(OFFER, title="Another title"),
        replace(OFFER, body="Another body"),
        replace(OFFER, draft=True),
        replace(OFFER, labels=("tfrelock", "infra")),
        ALL,
    ],
)
def test_an_open_proposal_is_brought_up_to_date_and_back(forge: Site, wanted: Proposal) -> None:
    client = forge.client()
    offered(client, to(forge))
    forge.opened[0].labels.append("somebody's")
    now = offered(client, to(forge, wanted))
    assert (now.title, now.body, now.draft) == (wanted.title, wanted.body, wanted.draft)
    assert now.labels == ("somebody's", *wanted.labels)
    before = len(forge.hub.calls)
    assert offered(client, to(forge, wanted)) == now
    assert {call.split()[0] for call in forge.hub.calls[before:]} == {"GET"}, "nothing to change: a look"
    assert offered(client, to(forge)).draft is False


@pytest.mark.parametrize(
    ("pulls", "standing", "number"),
    [
        ([Pull(1, BRANCH, "main", "", "", draft=False, state="closed")], "closed", "1"),
        ([Pull(1, BRANCH, "main", "", "", draft=False, state="closed", merged=True)], "merged", "1"),
        (
            [
                Pull(1, BRANCH, "main", "", "", draft=False),
                *(Pull(n, f"theirs/{n}", "main", "", "", draft=False) for n in range(2, 8)),
                Pull(8, BRANCH, "next", "", "", draft=False, state="closed"),
            ],
            "open",
            "1",
        ),
        (
            [
                Pull(1, BRANCH, "main", "", "", draft=False, state="closed"),
                Pull(2, BRANCH, "main", "", "", draft=False, fork=True),
            ],
            "closed",
            "1",
        ),
    ],
)
def test_what_became_of_it(forge: Site, pulls: list[Pull], standing: str, number: str) -> None:
    forge.hub.pulls["acme/net"] = pulls
    found = forge.client().find(forge.repo, BRANCH)
    assert isinstance(found, ProposalState)
    assert (found.standing, found.number) == (standing, number)


def test_after_one_that_was_merged_another_is_made(forge: Site) -> None:
    forge.hub.pulls["acme/net"] = [Pull(1, BRANCH, "main", "", "", draft=False, state="closed", merged=True)]
    made = forge.client().open(to(forge))
    assert (made.number, made.standing) == ("2", "open")


def test_where_a_repository_is_at_home(forge: Site) -> None:
    home = forge.client().home(forge.repo)
    assert isinstance(home, Home)
    assert home == Home(f"{forge.url}/acme/net.git", "main", archived=False, may_push=True, token=forge.key)
    assert home.token not in repr(home)
    forge.hub.archived.add("acme/net")
    forge.hub.read_only.add("acme/net")
    shut = forge.client().home(forge.repo)
    assert isinstance(shut, Home)
    assert (shut.archived, shut.may_push) == (True, False)
    assert isinstance(forge.client().home(beside(forge, "acme/secret")), Unknown)


def test_a_renamed_repository_is_followed_on_the_same_host(forge: Site) -> None:
    """Git is told its name of today: with a token it follows nothing."""
    forge.hub.renamed["acme/old"] = "acme/net"
    home = forge.client(checked=False).home(beside(forge, "acme/old"))
    assert isinstance(home, Home)
    assert home.url == f"{forge.url}/acme/net.git"
    offer = replace(OFFER, repo=beside(forge, "acme/old"))
    assert offered(forge.client(checked=False), offer).number == "1"


def test_a_body_that_came_back_with_crlf_is_no_difference(forge: Site) -> None:
    client, offer = forge.client(), to(forge, replace(OFFER, body="a\nb\n"))
    offered(client, offer)
    forge.opened[0].body = "a\r\nb"
    before = len(forge.hub.calls)
    offered(client, offer)
    assert {call.split()[0] for call in forge.hub.calls[before:]} == {"GET"}


def test_a_line_that_gitlab_would_take_for_a_command_is_none(named: Open) -> None:
    lab = named("gitlab")
    offer = to(lab, replace(OFFER, body="Ask ops.\n\n/merge\n  /close now\n\n/ is a slash\n"))
    made = offered(lab.client(), offer)
    assert lab.opened[0].body == "Ask ops.\n\n\u2060/merge\n\u2060  /close now\n\n/ is a slash\n"
    assert offered(lab.client(), offer) == made


@pytest.mark.parametrize(("name", "most"), [("github", 140), ("gitlab", 255), ("gitea", 255)])
def test_the_gate_stands_beside_the_commit_once(named: Open, name: str, most: int) -> None:
    forge = named(name)
    client, red = forge.client(), "failed" if name == "gitlab" else "failure"
    for check, shown in (
        (UNKNOWN, ("pending", UNKNOWN.says)),
        (Check(Outcome.BROKEN, "x" * 300), (red, "x" * (most - 1) + "…")),
        (Check(Outcome.HOLDS, "every gate\x1b[2J is open"), ("success", "every gate [2J is open")),
    ):
        assert client.mark(forge.repo, forge.tip, check) is None
        assert client.mark(forge.repo, forge.tip, check) is None
        assert forge.status(forge.tip) == shown
    assert len(forge.hub.statuses[forge.tip]) == 3


def test_the_gate_is_found_among_those_of_many_pipelines(forge: Site) -> None:
    named, said = {"github": ("context", "state"), "gitlab": ("name", "status")}.get(
        forge.name, ("context", "status")
    )
    forge.hub.statuses[forge.tip] = [{named: f"job {number}", said: "success"} for number in range(40)]
    client = forge.client(checked=False)
    assert client.mark(forge.repo, forge.tip, UNKNOWN) is None
    assert client.mark(forge.repo, forge.tip, UNKNOWN) is None
    assert forge.status(forge.tip) == ("pending", UNKNOWN.says)
    assert len(forge.hub.statuses[forge.tip]) == 41


@pytest.mark.parametrize("status", [403, 404])
@pytest.mark.parametrize("call", ["see", "mark"])
@pytest.mark.parametrize(
    ("name", "permission"),
    [("github", "statuses: write"), ("gitlab", "the scope api"), ("gitea", "write:repository")],
)
def test_a_token_that_may_set_no_status(
    named: Open, name: str, permission: str, call: str, status: int
) -> None:
    forge = named(name)
    forge.hub.faults.append(Fault(forge.calls[call], Answer(status, {"message": "403 Forbidden"})))
    said = forge.client(checked=False).mark(forge.repo, "0" * 40, UNKNOWN)
    assert said == Unknown("the token may not set a commit status", f"give it {permission}")


# ── faults ───────────────────────────────────────────────────────────────────────────────────────────────

SILENCES: Final = {
    "the line goes dead before it acted": Fault("", None),
    "the line goes dead after it acted": Fault("", None, acted=True),
    "no answer in time, before it acted": Fault("", None, hangs=True),
    "no answer in time, after it acted": Fault("", None, acted=True, hangs=True),
    "the answer is cut short": Fault("", None, acted=True, cut=1),
    "500 before it acted": Fault("", Answer(500, {"message": "500 Internal Server Error"})),
    "502 after it acted": Fault("", Answer(502, "<html>"), acted=True),
    "503 after it acted": Fault("", Answer(503, None), acted=True),
}


def everything(forge: Site, *, timeout: float = 20.0) -> ProposalState:
    """A run that makes each kind of call: open, ask for reviews, mark, look around, then change all of it."""
    client = forge.client(timeout=timeout, checked=False)
    made = offered(client, to(forge, ASKING))
    assert client.mark(forge.repo, made.head, UNKNOWN) is None
    assert [one.branch for one in client.underway(forge.repo)] == [BRANCH]
    return offered(client, to(forge, ALL))


def same(now: ProposalState, forge: Site) -> None:
    assert (now.title, now.body, now.draft, set(now.labels)) == ("All", "of it", True, set(ALL.labels))
    [pull] = forge.opened
    assert set(pull.asked) == {"ada", "grace"}
    assert len(forge.labels) == len(set(forge.labels)), "no label is made twice"
    assert forge.status(now.head) == ("pending", UNKNOWN.says)


def is_one_of_two(call: str, fault: Fault) -> bool:
    """A look that nobody answers is the same before and after it acted."""
    return call.startswith("GET ") and fault.acted and fault.answer is None and fault.cut is None


@pytest.mark.parametrize(
    ("name", "call", "silence"),
    [
        (name, call, silence)
        for silence, fault in SILENCES.items()
        for name, call in EVERY
        if not is_one_of_two(CALLS[name][call], fault)
    ],
)
def test_after_silence_there_is_one_proposal_and_it_is_right(
    named: Open, name: str, call: str, silence: str
) -> None:
    forge, fault = named(name), replace(SILENCES[silence], at=CALLS[name][call])
    forge.hub.faults.append(fault)
    same(everything(forge, timeout=0.3 if fault.hangs else 20.0), forge)
    assert forge.hub.faults == []


@pytest.mark.parametrize("acted", [False, True])
def test_a_post_that_nobody_answers_is_followed_by_a_look(forge: Site, acted: bool) -> None:
    forge.hub.faults.append(Fault(forge.calls["make"], Answer(502, None), acted=acted))
    offered(forge.client(checked=False), to(forge))
    verbs = [call.split()[0] for call in forge.hub.calls]
    assert verbs[:4] == ["GET", "POST", "GET", *([] if acted else ["POST"])]


def test_a_forge_that_never_answers_is_an_error_and_not_a_second_proposal(forge: Site) -> None:
    forge.hub.faults.extend([Fault(forge.calls["make"], Answer(502, None))] * 4)
    with pytest.raises(RelockError) as error:
        offered(forge.client(checked=False), to(forge))
    assert "the forge gave no answer: it answered 502\n  try: run the same command again" in str(error.value)
    assert (forge.opened, forge.pauses) == ([], [2.0, 4.0, 8.0])


HARMLESS: Final = ("see", "mark", "owner", "owners", "own")
"""What is refused there leaves a check or an owner out, and is no error."""


@pytest.mark.parametrize("status", [401, 403, 404, 409, 422])
@pytest.mark.parametrize(("name", "call"), [(name, call) for name, call in EVERY if call not in HARMLESS])
def test_the_next_run_repairs_what_a_refusal_left(named: Open, name: str, call: str, status: int) -> None:
    forge = named(name)
    forge.hub.faults.extend([Fault(forge.calls[call], Answer(status, {"message": "No\x1b[2J"}))] * 4)
    with pytest.raises(RelockError) as error:
        everything(forge)
    assert "\n  try: " in str(error.value)
    assert "\x1b" not in str(error.value)
    assert forge.key not in str(error.value)
    forge.hub.faults.clear()
    same(everything(forge), forge)


WORDS: Final = [
    (401, {"message": "Bad credentials"}, "the forge does not accept the token (Bad credentials)"),
    (403, {"message": "Resource not accessible"}, "the token may not do this (Resource not accessible)"),
    (404, {"message": "Not Found"}, "the forge shows no such repository to this token (Not Found)"),
    (422, {"message": "Validation Failed"}, "the forge finds the request wrong (Validation Failed)"),
    (418, None, "the forge answered 418"),
    (401, {"message": "\x1b[31mred\r\nred"}, "the forge does not accept the token ( [31mred red)"),
]


@pytest.mark.parametrize(("status", "body", "what"), WORDS)
def test_a_refusal_is_said_in_the_words_of_the_forge(
    forge: Site, status: int, body: object, what: str
) -> None:
    forge.hub.faults.append(Fault(forge.calls["make"], Answer(status, body)))
    with pytest.raises(RelockError) as error:
        everything(forge)
    assert str(error.value).startswith(f"{forge.repo}: {what}\n  try: ")


@pytest.mark.parametrize(("name", "call"), EVERY)
def test_a_limit_may_come_at_any_call(named: Open, name: str, call: str) -> None:
    forge, said = named(name), {"message": "Retry later"}
    forge.hub.faults.append(Fault(forge.calls[call], Answer(429, said, {"Retry-After": "7"})))
    same(everything(forge), forge)
    assert forge.pauses == [7.0]


@pytest.mark.parametrize("after", ["121", "86400"])
def test_a_wait_that_is_too_long_is_told(forge: Site, after: str) -> None:
    forge.hub.faults.append(Fault(forge.calls["make"], Answer(429, None, {"Retry-After": after})))
    with pytest.raises(RelockError, match=f"the forge asks us to wait {after} seconds"):
        offered(forge.client(checked=False), to(forge))
    assert (forge.opened, forge.pauses) == ([], [])


@pytest.mark.parametrize(("name", "call"), EVERY)
def test_a_redirect_to_another_host_is_refused(named: Open, name: str, call: str) -> None:
    forge, elsewhere = named(name), {"Location": "https://evil.example/api"}
    forge.hub.faults.append(Fault(forge.calls[call], Answer(307, None, elsewhere)))
    with pytest.raises(
        RelockError, match=r"redirects to another host \(evil\.example\), and that is refused"
    ):
        everything(forge)


@pytest.mark.parametrize(
    "body", [{"message": "Down for maintenance"}, {}, None, [1], [{}], [{"number": "1/..", "iid": "1/.."}]]
)
def test_what_is_no_list_does_not_say_that_there_is_none(forge: Site, body: object) -> None:
    forge.hub.faults.extend([Fault(forge.calls["find"], Answer(200, body))])
    with pytest.raises(RelockError, match="the forge's answer is not of its kind"):
        forge.client(checked=False).find(forge.repo, BRANCH)


def test_a_list_that_ignores_the_number_of_its_page_is_not_read_for_ever(forge: Site) -> None:
    forge.hub.faults.extend([Fault(forge.calls["open"], Answer(200, [{"number": 1, "iid": 1}] * 100))] * 2)
    client = forge.client(checked=False)
    with pytest.raises(RelockError, match="the forge gives the same page again"):
        list(client.underway(forge.repo))


@pytest.mark.parametrize("status", [403, 404])
def test_a_repository_it_does_not_show_is_unknown(forge: Site, status: int) -> None:
    forge.hub.faults.extend([Fault("GET", Answer(status, {"message": "Not Found"}))] * 2)
    client = forge.client(checked=False)
    assert isinstance(client.find(forge.repo, BRANCH), Unknown)
    with pytest.raises(RelockError, match=f"does not show {forge.repo} to this"):
        offered(client, to(forge))


def test_a_wrong_token(forge: Site) -> None:
    with pytest.raises(RelockError, match="does not accept the token"):
        offered(forge.client(key="expired", checked=False), to(forge))


@pytest.mark.parametrize("path", ["acme", "acme/..", "/n", "../net"])
def test_what_is_no_repository_is_not_asked_for(forge: Site, path: str) -> None:
    for repo in (beside(forge, path), RepoId("git.acme.example/acme/net")):
        with pytest.raises(RelockError, match="this repository is not on this forge"):
            forge.client().find(repo, BRANCH)
    assert forge.hub.calls == []
