"""The client against a GitHub of our own; requests and answers are held against GitHub's description."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from migrate.errors import RelockError
from migrate.forges import Home
from migrate.forges.github import connect
from migrate.forges.github.login import Endpoints, endpoints, token
from migrate.forges.wire import Wire
from migrate.model import Check, Outcome, Proposal, ProposalState, RepoId, Unknown
from tests.forge_server import Answer, Fault, Pull
from tests.forges.github.test_gate import shown
from tests.github import fake
from tests.github.fixtures import Host
from tests.repo import make

NET: Final = RepoId("github.com/acme/net")
BRANCH: Final = "tfrelock/default/prepare"
OFFER: Final = Proposal(NET, BRANCH, "main", "Lock state in S3 as well as DynamoDB", "Why and how.\n")
POST: Final = "POST /repos/acme/net/pulls$"
LIMIT: Final = {"message": "You have exceeded a secondary rate limit. Please wait."}


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


@pytest.fixture
def repo(host: Host, bare: Path) -> Host:
    shutil.copytree(bare, host.hub.folder / "acme/net.git")
    return host


def opened(host: Host) -> list[Pull]:
    return host.hub.pulls.get("acme/net", [])


def test_there_is_none_then_one_and_a_second_open_finds_it(repo: Host) -> None:
    forge = repo.client()
    assert forge.find(NET, BRANCH) is None
    made = forge.open(OFFER)
    assert made == ProposalState(
        repo=NET,
        branch=BRANCH,
        number="1",
        handle="acme/net#1",
        url="https://github.com/acme/net/pull/1",
        standing="open",
        draft=False,
        title=OFFER.title,
        body=OFFER.body,
        labels=(),
        head=repo.hub.commit("acme/net", BRANCH) or "",
    )
    assert forge.find(NET, BRANCH) == made == forge.open(OFFER)
    assert len(opened(repo)) == 1


@pytest.mark.parametrize(
    "wanted",
    [
        replace(OFFER, title="Another title"),
        replace(OFFER, body="Another body"),
        replace(OFFER, draft=True),
        replace(OFFER, labels=("tfrelock", "infra")),
        replace(OFFER, title="All", body="of it", draft=True, labels=("tfrelock",)),
    ],
)
def test_an_open_proposal_is_brought_up_to_date(repo: Host, wanted: Proposal) -> None:
    forge = repo.client()
    forge.open(OFFER)
    opened(repo)[0].labels.append("somebody's")
    now = forge.open(wanted)
    assert (now.title, now.body, now.draft) == (wanted.title, wanted.body, wanted.draft)
    assert now.labels == ("somebody's", *wanted.labels)
    before = len(repo.hub.calls)
    assert forge.open(wanted) == now
    assert len(repo.hub.calls) == before + 1, "nothing to change: one look"


@pytest.mark.parametrize(
    ("pulls", "standing", "number"),
    [
        ([Pull(1, BRANCH, "main", "", "", draft=False, state="closed")], "closed", "1"),
        ([Pull(1, BRANCH, "main", "", "", draft=False, state="closed", merged=True)], "merged", "1"),
        (
            [
                Pull(1, BRANCH, "main", "", "", draft=False),
                Pull(2, BRANCH, "next", "", "", draft=False, state="closed"),
            ],
            "open",
            "1",
        ),
    ],
)
def test_what_became_of_it(repo: Host, pulls: list[Pull], standing: str, number: str) -> None:
    repo.hub.pulls["acme/net"] = pulls
    found = repo.client().find(NET, BRANCH)
    assert isinstance(found, ProposalState)
    assert (found.standing, found.number) == (standing, number)


def test_where_a_repository_is_at_home(repo: Host) -> None:
    url = f"{repo.services.direct}/acme/net.git"
    assert repo.client().home(NET) == Home(url, "main", archived=False, may_push=True, token=fake.TOKEN)
    repo.hub.archived.add("acme/net")
    repo.hub.read_only.add("acme/net")
    assert repo.client().home(NET) == Home(url, "main", archived=True, may_push=False, token=fake.TOKEN)
    assert isinstance(repo.client().home(RepoId("github.com/acme/secret")), Unknown)


def test_a_renamed_repository_is_followed_on_the_same_host(repo: Host) -> None:
    repo.hub.renamed["acme/old-net"] = "acme/net"
    assert (
        repo.client(checked=False).open(replace(OFFER, repo=RepoId("github.com/acme/old-net"))).number == "1"
    )


def test_a_body_that_came_back_with_crlf_is_no_difference(repo: Host) -> None:
    forge = repo.client()
    forge.open(replace(OFFER, body="a\nb\n"))
    opened(repo)[0].body = "a\r\nb"
    assert [call for call in _calls_of(repo, replace(OFFER, body="a\nb\n")) if "PATCH" in call] == []


def _calls_of(host: Host, offer: Proposal) -> list[str]:
    before = len(host.hub.calls)
    host.client().open(offer)
    return host.hub.calls[before:]


# ── faults ───────────────────────────────────────────────────────────────────────────────────────────────


SILENCES: Final = {
    "the line goes dead before it acted": Fault("", None),
    "the line goes dead after it acted": Fault("", None, acted=True),
    "no answer in time, before it acted": Fault("", None, hangs=True),
    "no answer in time, after it acted": Fault("", None, acted=True, hangs=True),
    "the answer is cut short": Fault("", None, acted=True, cut=40),
    "500 before it acted": Fault("", Answer(500, {"message": "Server Error"})),
    "500 after it acted": Fault("", Answer(500, None), acted=True),
    "502 before it acted": Fault("", Answer(502, "<html>")),
    "502 after it acted": Fault("", Answer(502, "<html>"), acted=True),
}
CALLS: Final = {
    "find": "GET /repos/acme/net/pulls\\?",
    "make": POST,
    "write": "PATCH /repos/acme/net/pulls/1",
    "label": "POST /repos/acme/net/issues/1/labels",
    "draft": "POST /graphql",
    "look": "GET /repos/acme/net/pulls/1",
    "see": "GET /repos/acme/net/commits/",
    "mark": "POST /repos/acme/net/statuses/",
}


def everything(host: Host, *, timeout: float = 20.0) -> ProposalState:
    """A run that makes each kind of call: open, then change all of it."""
    forge = host.client(checked=False, timeout=timeout)
    made = forge.open(OFFER)
    assert forge.mark(NET, made.head, Check(Outcome.UNKNOWN, "soaked: nobody said so")) is None
    return forge.open(replace(OFFER, title="All", body="of it", draft=True, labels=("tfrelock",)))


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("silence", SILENCES)
def test_after_silence_there_is_one_proposal_and_it_is_right(repo: Host, call: str, silence: str) -> None:
    fault = replace(SILENCES[silence], at=CALLS[call])
    repo.hub.faults.append(fault)
    now = everything(repo, timeout=0.15 if fault.hangs else 20.0)
    assert (now.title, now.body, now.draft, now.labels) == ("All", "of it", True, ("tfrelock",))
    assert len(opened(repo)) == 1
    assert shown(repo, now.head) == ("pending", "soaked: nobody said so")
    assert repo.hub.faults == []


@pytest.mark.parametrize("acted", [False, True])
def test_a_post_that_nobody_answers_is_followed_by_a_look(repo: Host, acted: bool) -> None:
    repo.hub.faults.append(Fault(POST, Answer(502, None), acted=acted))
    repo.client(checked=False).open(OFFER)
    verbs = [call.split()[0] for call in repo.hub.calls]
    assert verbs == (["GET", "POST", "GET"] if acted else ["GET", "POST", "GET", "POST"])


def test_a_forge_that_never_answers_is_an_error_and_not_a_second_proposal(repo: Host) -> None:
    repo.hub.faults.extend([Fault(POST, Answer(502, None))] * 4)
    with pytest.raises(RelockError) as error:
        repo.client(checked=False).open(OFFER)
    assert "the forge gave no answer: it answered 502\n  try: run the same command again" in str(error.value)
    assert (opened(repo), repo.pauses) == ([], [2.0, 4.0, 8.0])


@pytest.mark.parametrize(
    ("answer", "pauses"),
    [
        (Answer(429, LIMIT, {"Retry-After": "7"}), [7.0]),
        (Answer(403, LIMIT, {"Retry-After": "7"}), [7.0]),
        (Answer(403, LIMIT), [60.0]),
        (Answer(429, None), [60.0]),
        (
            Answer(
                403,
                {"message": "API rate limit exceeded"},
                {
                    "X-RateLimit-Remaining": "0",
                    "X-RateLimit-Reset": "1767603630",
                    "Date": "Mon, 05 Jan 2026 09:00:00 GMT",
                },
            ),
            [30.0],
        ),
    ],
)
def test_a_limit_is_waited_for(repo: Host, answer: Answer, pauses: list[float]) -> None:
    repo.hub.faults.append(Fault(POST, answer))
    assert everything(repo).title == "All"
    assert (len(opened(repo)), repo.pauses) == (1, pauses)


@pytest.mark.parametrize("call", CALLS)
def test_a_limit_may_come_at_any_call(repo: Host, call: str) -> None:
    repo.hub.faults.append(Fault(CALLS[call], Answer(403, LIMIT, {"Retry-After": "7"})))
    assert everything(repo).title == "All"
    assert (len(opened(repo)), repo.pauses) == (1, [7.0])


@pytest.mark.parametrize("after", ["121", "86400"])
def test_a_wait_that_is_too_long_is_told(repo: Host, after: str) -> None:
    repo.hub.faults.append(Fault(POST, Answer(429, LIMIT, {"Retry-After": after})))
    with pytest.raises(RelockError, match=f"the forge asks us to wait {after} seconds"):
        repo.client(checked=False).open(OFFER)
    assert (opened(repo), repo.pauses) == ([], [])


ELSEWHERE: Final = {"Location": "https://evil.example/repos/acme/net/pulls"}
WORDS: Final = [
    (401, {"message": "Bad credentials"}, "the forge does not accept the token (Bad credentials)"),
    (403, {"message": "Resource not accessible"}, "the token may not do this (Resource not accessible)"),
    (404, {"message": "Not Found"}, "the forge shows no such repository to this token (Not Found)"),
    (409, {"message": "Git Repository is empty."}, "the forge says this conflicts with what it has (Git Re"),
    (422, {"message": "Validation Failed"}, "the forge finds the request wrong (Validation Failed)"),
    (418, None, "the forge answered 418"),
    (401, {"message": "\x1b[31mred\r\nred"}, "the forge does not accept the token ( [31mred red)"),
]


@pytest.mark.parametrize(("status", "body", "what"), WORDS)
def test_a_refusal_is_said_with_what_to_do(repo: Host, status: int, body: object, what: str) -> None:
    repo.hub.faults.append(Fault(POST, Answer(status, body)))
    with pytest.raises(RelockError) as error:
        everything(repo)
    assert str(error.value).startswith(f"github.com/acme/net: {what}")
    assert "\n  try: " in str(error.value)
    assert fake.TOKEN not in str(error.value)


FAILING: Final = [
    (call, status)
    for call in CALLS
    if call not in ("find", "mark")
    for status in (401, 403, 404, 409, 422)
    if (call, status) not in (("see", 403), ("see", 404))  # a status that may not be seen is no error
]


@pytest.mark.parametrize(("call", "status"), FAILING)
def test_the_next_run_repairs_what_a_refusal_left(repo: Host, call: str, status: int) -> None:
    repo.hub.faults.append(Fault(CALLS[call], Answer(status, None)))
    with pytest.raises(RelockError):
        everything(repo)
    assert everything(repo).title == "All"
    assert len(opened(repo)) == 1


@pytest.mark.parametrize("call", CALLS)
def test_a_redirect_to_another_host_is_refused(repo: Host, call: str) -> None:
    repo.hub.faults.append(Fault(CALLS[call], Answer(307, None, ELSEWHERE)))
    with pytest.raises(
        RelockError, match=r"redirects to another host \(evil\.example\), and that is refused"
    ):
        everything(repo)


@pytest.mark.parametrize("status", [403, 404])
def test_a_repository_it_does_not_show_is_unknown(repo: Host, status: int) -> None:
    repo.hub.faults.extend([Fault("GET", Answer(status, {"message": "Not Found"}))] * 2)
    forge = repo.client(checked=False)
    assert isinstance(forge.find(NET, BRANCH), Unknown)
    with pytest.raises(RelockError, match=r"does not show github\.com/acme/net to this"):
        forge.open(OFFER)


def test_a_repository_without_drafts(repo: Host) -> None:
    repo.hub.drafts = False
    with pytest.raises(RelockError, match="Draft pull requests are not supported in this repository"):
        repo.client().open(replace(OFFER, draft=True))
    assert opened(repo) == []


def test_a_draft_that_the_graphql_api_refuses(repo: Host) -> None:
    problem = Answer(200, {"data": None, "errors": [{"message": "No drafts in this plan."}]})
    repo.hub.faults.append(Fault("POST /graphql", problem))
    with pytest.raises(RelockError, match=r"No drafts in this plan\."):
        everything(repo)


def test_a_wrong_token(repo: Host) -> None:
    with pytest.raises(RelockError, match="does not accept the token"):
        repo.client(checked=False, key="ghp_expired").open(OFFER)


def test_a_branch_that_is_not_there(repo: Host) -> None:
    with pytest.raises(RelockError, match="head or base is invalid"):
        repo.client().open(replace(OFFER, branch="nowhere"))


@pytest.mark.parametrize(
    "repo_id", ["gitlab.com/acme/net", "github.com/acme", "github.com/acme/..", "github.com/a/b/c"]
)
def test_another_forge_is_not_asked(repo: Host, repo_id: str) -> None:
    with pytest.raises(RelockError, match="this repository is not on this forge"):
        repo.client().find(RepoId(repo_id), BRANCH)
    assert repo.hub.calls == []


# ── where it answers, and the token ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "https://github.com",
            Endpoints("github.com", "https://api.github.com"),
        ),
        (
            "https://git.acme.example/",
            Endpoints("git.acme.example", "https://git.acme.example/api", "/v3", "https://git.acme.example"),
        ),
    ],
)
def test_endpoints(url: str, expected: Endpoints) -> None:
    assert endpoints(url) == expected


def test_a_token_is_not_sent_in_the_clear() -> None:
    with pytest.raises(RelockError, match="the forge's URL is not https"):
        connect(endpoints("http://git.acme.example"), "t", sleep=_refuse)


def test_the_token_is_that_of_the_environment() -> None:
    assert token({"GITHUB_TOKEN": "a", "GH_TOKEN": "b"}) == "a"
    assert token({"GITHUB_TOKEN": "", "GH_TOKEN": "b"}) == "b"
    with pytest.raises(RelockError, match="no token for GitHub"):
        token({})


# ── the proxy itself ─────────────────────────────────────────────────────────────────────────────────────


def test_the_proxy_refuses_an_answer_that_is_not_githubs(repo: Host) -> None:
    """Else the tests above would prove nothing."""
    repo.hub.faults.append(Fault("GET", Answer(200, [{"number": "one"}])))
    wire = Wire(repo.services.checked, {"Accept": "application/json"}, sleep=_refuse)
    with closing(wire), pytest.raises(RelockError, match="no second call"):
        wire.get("/repos/acme/net/pulls")


def _refuse(_: float) -> None:
    raise RelockError("no second call", "", "")
