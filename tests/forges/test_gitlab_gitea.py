"""GitLab and Gitea over one wire: one specification for both, against fakes that keep what they are told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from migrate.errors import RelockError
from migrate.forges import Home, gitea, gitlab
from migrate.model import Check, Outcome, Proposal, ProposalState, RepoId, Unknown
from tests.forge_server import Answer, Fault, Pull
from tests.forges.sites import CALLS, NET, Site, site
from tests.repo import make

BRANCH: Final = "tfrelock/default/prepare"
OFFER: Final = Proposal(NET, BRANCH, "main", "Lock state in S3 as well as DynamoDB", "Why and how.\n")
ALL: Final = replace(OFFER, title="All", body="of it", draft=True, labels=("tfrelock", "infra"))
UNKNOWN: Final = Check(Outcome.UNKNOWN, "soaked: nobody said so")
EVERY: Final = [(forge, call) for forge, calls in CALLS.items() for call in calls if call != "home"]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with our branch, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("bare")
    work = make(folder / "work", {"net/backend.tf": "terraform {}\n"})
    work.branch(BRANCH)
    work.commit({"net/backend.tf": "terraform {\n}\n"})
    work.git("checkout", "--quiet", "main")
    work.git("clone", "--quiet", "--bare", ".", str(folder / "net.git"))
    return folder / "net.git"


@pytest.fixture(params=["gitlab", "gitea"])
def forge(request: pytest.FixtureRequest, tmp_path: Path, bare: Path) -> Iterator[Site]:
    with site(request.param, tmp_path, bare) as found:
        yield found


@pytest.fixture
def forges(tmp_path: Path, bare: Path) -> Iterator[dict[str, Site]]:
    """Both, for tests that name one."""
    with site("gitlab", tmp_path / "l", bare) as lab, site("gitea", tmp_path / "t", bare) as tea:
        yield {"gitlab": lab, "gitea": tea}


def test_there_is_none_then_one_and_a_second_open_finds_it(forge: Site) -> None:
    client = forge.client()
    assert client.find(NET, BRANCH) is None
    made = client.open(OFFER)
    assert (made.number, made.standing, made.draft, made.title, made.body, made.labels) == (
        *("1", "open", False, OFFER.title, OFFER.body, ()),
    )
    assert made.head == forge.hub.bare.commit("acme/net", BRANCH)
    assert client.find(NET, BRANCH) == made == client.open(OFFER)
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
    client.open(OFFER)
    forge.opened[0].labels.append("somebody's")
    now = client.open(wanted)
    assert (now.title, now.body, now.draft) == (wanted.title, wanted.body, wanted.draft)
    assert now.labels == ("somebody's", *wanted.labels)
    before = len(forge.hub.calls)
    assert client.open(wanted) == now
    assert {call.split()[0] for call in forge.hub.calls[before:]} == {"GET"}, "nothing to change: a look"
    assert client.open(OFFER).draft is False


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
    found = forge.client().find(NET, BRANCH)
    assert isinstance(found, ProposalState)
    assert (found.standing, found.number) == (standing, number)


def test_where_a_repository_is_at_home(forge: Site) -> None:
    home = forge.client().home(NET)
    assert isinstance(home, Home)
    assert home == Home(f"{forge.url}/acme/net.git", "main", archived=False, may_push=True, token=home.token)
    assert home.token not in repr(home)
    forge.hub.archived.add("acme/net")
    forge.hub.read_only.add("acme/net")
    shut = forge.client().home(NET)
    assert isinstance(shut, Home)
    assert (shut.archived, shut.may_push) == (True, False)
    assert isinstance(forge.client().home(RepoId("127.0.0.1/acme/secret")), Unknown)


def test_a_renamed_repository_is_followed_on_the_same_host(forge: Site) -> None:
    forge.hub.renamed["acme/old"] = "acme/net"
    assert forge.client().open(replace(OFFER, repo=RepoId("127.0.0.1/acme/old"))).number == "1"


def test_a_body_that_came_back_with_crlf_is_no_difference(forge: Site) -> None:
    client = forge.client()
    client.open(replace(OFFER, body="a\nb\n"))
    forge.opened[0].body = "a\r\nb"
    before = len(forge.hub.calls)
    client.open(replace(OFFER, body="a\nb\n"))
    assert {call.split()[0] for call in forge.hub.calls[before:]} == {"GET"}


def test_a_line_that_gitlab_would_take_for_a_command_is_none(forges: dict[str, Site]) -> None:
    lab = forges["gitlab"]
    offer = replace(OFFER, body="Ask ops.\n\n/merge\n  /close now\n\n/ is a slash\n")
    made = lab.client().open(offer)
    assert lab.opened[0].body == "Ask ops.\n\n\u2060/merge\n\u2060  /close now\n\n/ is a slash\n"
    assert lab.client().open(offer) == made


def test_the_gate_stands_beside_the_commit_once(forge: Site) -> None:
    client, tip = forge.client(), forge.hub.bare.commit("acme/net", BRANCH) or ""
    red = "failed" if forge.name == "gitlab" else "failure"
    for check, state in (
        (UNKNOWN, "pending"),
        (Check(Outcome.BROKEN, "x" * 300), red),
        (Check(Outcome.HOLDS, "every gate is open\x1b[2J"), "success"),
    ):
        assert client.mark(NET, tip, check) is None
        assert client.mark(NET, tip, check) is None
        shown = forge.status(tip)
        assert shown
        assert shown[0] == state
        assert len(str(shown[1])) <= 255
        assert "\x1b" not in str(shown[1])
    assert len(forge.hub.statuses[tip]) == 3


def test_it_is_found_among_those_of_many_pipelines(forge: Site) -> None:
    client, tip = forge.client(), forge.hub.bare.commit("acme/net", BRANCH) or ""
    jobs = [{"name": f"job {n}", "context": f"job {n}", "status": "success"} for n in range(40)]
    forge.hub.statuses[tip] = [dict(job) for job in jobs]
    assert client.mark(NET, tip, UNKNOWN) is None
    assert client.mark(NET, tip, UNKNOWN) is None
    assert forge.status(tip) == ("pending", UNKNOWN.says)
    assert len(forge.hub.statuses[tip]) == 41


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
    """A run that makes each kind of call: open, mark, then change all of it."""
    client = forge.client(timeout=timeout)
    made = client.open(OFFER)
    assert client.mark(NET, made.head, UNKNOWN) is None
    return client.open(ALL)


def same(now: ProposalState, forge: Site) -> None:
    assert (now.title, now.body, now.draft, set(now.labels)) == ("All", "of it", True, set(ALL.labels))
    assert len(forge.opened) == 1
    assert len(forge.hub.labels) == len(set(forge.hub.labels)), "no label is made twice"
    assert forge.status(now.head) == ("pending", UNKNOWN.says)


@pytest.mark.parametrize(("name", "call"), EVERY)
@pytest.mark.parametrize("silence", SILENCES)
def test_after_silence_there_is_one_proposal_and_it_is_right(
    forges: dict[str, Site], name: str, call: str, silence: str
) -> None:
    forge, fault = forges[name], replace(SILENCES[silence], at=CALLS[name][call])
    forge.hub.faults.append(fault)
    same(everything(forge, timeout=0.3 if fault.hangs else 20.0), forge)
    assert forge.hub.faults == []


@pytest.mark.parametrize("status", [401, 403, 404, 409, 422])
@pytest.mark.parametrize(
    ("name", "call"), [(name, call) for name, call in EVERY if call not in ("see", "mark")]
)
def test_the_next_run_repairs_what_a_refusal_left(
    forges: dict[str, Site], name: str, call: str, status: int
) -> None:
    forge = forges[name]
    forge.hub.faults.extend([Fault(CALLS[name][call], Answer(status, {"message": "No\x1b[2J"}))] * 4)
    with pytest.raises(RelockError) as error:
        everything(forge)
    assert "\n  try: " in str(error.value)
    assert "\x1b" not in str(error.value)
    forge.hub.faults.clear()
    same(everything(forge), forge)


@pytest.mark.parametrize(("name", "call"), EVERY)
def test_a_limit_may_come_at_any_call(forges: dict[str, Site], name: str, call: str) -> None:
    forge = forges[name]
    forge.hub.faults.append(
        Fault(CALLS[name][call], Answer(429, {"message": "Retry later"}, {"Retry-After": "7"}))
    )
    same(everything(forge), forge)
    assert forge.pauses == [7.0]


@pytest.mark.parametrize(("name", "call"), EVERY)
def test_a_redirect_to_another_host_is_refused(forges: dict[str, Site], name: str, call: str) -> None:
    elsewhere = {"Location": "https://evil.example/api"}
    forges[name].hub.faults.append(Fault(CALLS[name][call], Answer(307, None, elsewhere)))
    with pytest.raises(
        RelockError, match=r"redirects to another host \(evil\.example\), and that is refused"
    ):
        everything(forges[name])


@pytest.mark.parametrize("status", [403, 404])
@pytest.mark.parametrize("call", ["see", "mark"])
def test_a_token_that_may_set_no_status(forge: Site, call: str, status: int) -> None:
    forge.hub.faults.append(Fault(forge.calls[call], Answer(status, {"message": "403 Forbidden"})))
    said = forge.client().mark(NET, "0" * 40, UNKNOWN)
    assert isinstance(said, Unknown)
    assert said.why == "the token may not set a commit status on 127.0.0.1/acme/net"


def test_a_wrong_token(forge: Site) -> None:
    with pytest.raises(RelockError, match="does not accept the token"):
        forge.client(key="expired").open(OFFER)


@pytest.mark.parametrize(
    "repo",
    ["github.com/acme/net", "127.0.0.1/acme", "127.0.0.1/acme/..", "127.0.0.1/-acme/net", "127.0.0.1//n"],
)
def test_another_forge_is_not_asked(forge: Site, repo: str) -> None:
    with pytest.raises(RelockError, match="this repository is not on this forge"):
        forge.client().find(RepoId(repo), BRANCH)
    assert forge.hub.calls == []


# ── where it answers, and the token ──────────────────────────────────────────────────────────────────────


def test_the_token_is_that_of_the_environment() -> None:
    def sleep(_: float) -> None:
        raise AssertionError

    gitlab.reach(None, {"GITLAB_TOKEN": "t"}, sleep).close()
    gitea.reach("https://git.acme.example", {"GITEA_TOKEN": "t"}, sleep).close()
    with pytest.raises(RelockError, match="no token for GitLab"):
        gitlab.reach(None, {"GITHUB_TOKEN": "t"}, sleep)
    with pytest.raises(RelockError, match="no public host"):
        gitea.reach(None, {"GITEA_TOKEN": "t"}, sleep)
    with pytest.raises(RelockError, match="the forge's URL is not https"):
        gitea.reach("http://git.acme.example", {"GITEA_TOKEN": "t"}, sleep)
