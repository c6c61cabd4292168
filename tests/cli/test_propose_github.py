"""`tfrelock propose --forge github`, against a GitHub of our own that may fail in every way."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.cli.desk import MAY_LOCK, OLD, SOAKED, Desk
from tests.cli.estates import BOTH, TABLE, Files, Ran, reader
from tests.forge_server import Answer, Fault
from tests.github import fake
from tests.github.fixtures import Host
from tests.repo import Repo, make


@pytest.fixture
def clone(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A clone of `acme/net` of the fake GitHub, a token for it; waiting takes no time."""
    monkeypatch.setenv("GITHUB_TOKEN", fake.TOKEN)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    source = make(tmp_path / "source", {"net/main.tf": OLD})
    host.hub.create("acme/net", source.path)
    source.git("clone", "--quiet", str(host.hub.folder / "acme/net.git"), str(tmp_path / "net"))
    repo = Repo(tmp_path / "net")
    repo.git("remote", "set-url", "origin", f"{host.services.direct}/acme/net.git")
    return repo


def on_github(desk: Desk, host: Host, repo: Repo, *arguments: str) -> Ran:
    where = ("--forge", "github", "--forge-url", host.services.direct)
    return desk.propose(*where, *arguments, repo.path, config=MAY_LOCK)


def test_a_proposal(desk: Desk, clone: Repo, host: Host) -> None:
    assert "would open: Lock state" in on_github(desk, host, clone).out
    assert host.hub.pulls == {}
    first, second = on_github(desk, host, clone, "--yes"), on_github(desk, host, clone, "--yes")
    assert (first.code, second.code) == (0, 0)
    assert (
        " opened: Lock state in S3 as well as DynamoDB (1 file) https://github.com/acme/net/pull/1"
        in first.out
    )
    assert " stands: " in second.out
    [pull] = host.hub.pulls["acme/net"]
    assert (pull.head, pull.base, pull.draft) == ("tfrelock/default/prepare", "main", False)
    assert clone.git("branch", "--format=%(refname:short)") == "main", "the clone itself has no new branch"
    assert fake.TOKEN not in first.out + first.err + second.out + second.err


def test_what_the_gates_say_stands_beside_it(desk: Desk, clone: Repo, host: Host) -> None:
    on_github(desk, host, clone, "--yes")
    tip = host.hub.commit("acme/net", "tfrelock/default/prepare") or ""
    assert host.status(tip) == ("success", "every gate is open")
    host.hub.statuses.clear()
    host.hub.faults.append(Fault("POST .*/statuses/", Answer(403, {"message": "Resource not accessible"})))
    ran = on_github(desk, host, clone, "--yes")
    assert (ran.code, " stands: " in ran.out) == (5, True)
    assert ran.err.splitlines()[-2:] == [
        "1 proposal: no check tfrelock/gate, the token may not set a commit status → give it statuses: write",
        "  127.0.0.1/acme/net tfrelock/default/prepare",
    ]


@pytest.mark.parametrize("status", [401, 409, 422])
def test_a_proposal_stands_whatever_comes_of_its_check(
    desk: Desk, clone: Repo, host: Host, status: int
) -> None:
    host.hub.faults.append(Fault("POST .*/statuses/", Answer(status, {"message": "No"})))
    ran = on_github(desk, host, clone, "--yes")
    assert (ran.code, " opened: " in ran.out, "not made" in ran.out) == (5, True, False)
    assert "no check tfrelock/gate, the forge " in ran.err
    assert len(host.hub.pulls["acme/net"]) == 1


def test_labels_of_the_configuration(desk: Desk, clone: Repo, host: Host) -> None:
    where = ("--forge", "github", "--forge-url", host.services.direct)
    config = f"{MAY_LOCK}proposals:\n  labels: [locks]\n"
    ran = desk.propose(*where, "--yes", clone.path, config=config)
    assert (ran.code, [pull.labels for pull in host.hub.pulls["acme/net"]]) == (0, [["locks"]]), ran.err


def push(clone: Repo, host: Host, files: Files) -> None:
    clone.commit(files)
    clone.git("push", "--quiet", str(host.hub.folder / "acme/net.git"), "main")


def test_what_is_not_known_is_pending_and_a_gate_that_closes_turns_it_red(
    desk: Desk, clone: Repo, host: Host
) -> None:
    where = ("--forge", "github", "--forge-url", host.services.direct)
    push(clone, host, {"net/main.tf": TABLE})
    desk.propose(*where, "--yes", clone.path)
    draft = host.hub.commit("acme/net", "tfrelock/default/dual-lock") or ""
    because = "callers-may-lock: nobody said whether the roles of 127.0.0.1/acme/net may write the lock"
    assert host.status(draft) == ("pending", because)
    push(clone, host, {"net/main.tf": BOTH})
    desk.propose(*where, "--yes", clone.path, config=SOAKED)
    tip = host.hub.commit("acme/net", "tfrelock/default/finish") or ""
    assert host.status(tip) == ("success", "every gate is open")
    push(clone, host, {"app/main.tf": reader()})
    assert " not to be merged: " in desk.propose(*where, "--yes", clone.path, config=SOAKED).out
    because = "127.0.0.1/acme/net app/main.tf:1 reads this state and names the table."
    assert host.status(tip) == ("failure", f"A gate has closed since this was offered: {because}")


@pytest.mark.parametrize(
    ("flag", "why"), [("archived", "is archived"), ("read_only", "does not let this token push")]
)
def test_a_repository_that_takes_no_pushes(desk: Desk, clone: Repo, host: Host, flag: str, why: str) -> None:
    getattr(host.hub, flag).add("acme/net")
    ran = on_github(desk, host, clone, "--yes")
    assert (ran.code, f"the repository {why} → " in ran.out) == (5, True)


def test_no_token(desk: Desk, clone: Repo, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    ran = on_github(desk, host, clone)
    assert (ran.code, "no token for GitHub" in ran.err) == (1, True)


LATER = {"Retry-After": "3600"}
NO_ANSWER = "the forge gave no answer: "
SAID = [
    (
        Answer(401, {"message": "Bad credentials"}),
        "the forge does not accept the token (Bad credentials) → set",
    ),
    (Answer(409, {"message": "Conflict"}), "the forge says this conflicts with what it has (Conflict) → run"),
    (
        Answer(422, {"message": "Invalid"}),
        "the forge finds the request wrong (Invalid) → read its words above",
    ),
    (Answer(429, None, LATER), "the forge asks us to wait 3600 seconds → run the same command again after"),
    (Answer(500, None), f"{NO_ANSWER}it answered 500 → run the same command again: it looks before it makes"),
    (Answer(502, None), f"{NO_ANSWER}it answered 502 → run the same command again: it looks before it makes"),
    (None, f"{NO_ANSWER}the connection broke (RemoteProtocolError) → run the same command again"),
]
LOOK, MAKE = "GET /api/v3/repos/acme/net", "POST /api/v3/repos/acme/net/pulls$"
UNSEEN = "127.0.0.1 does not show 127.0.0.1/acme/net to this token → give it access to 127.0.0.1/acme/net"


@pytest.mark.parametrize(
    ("call", "answer", "said"),
    [
        *((call, answer, said) for call in (LOOK, MAKE) for answer, said in SAID),
        (LOOK, Answer(403, None), UNSEEN),
        (LOOK, Answer(404, None), UNSEEN),
        (
            MAKE,
            Answer(403, None),
            "the token may not do this → give it write access to contents and pull req",
        ),
        (MAKE, Answer(404, None), "the forge shows no such repository to this token → check the name, and"),
    ],
)
def test_what_a_failing_forge_comes_to(
    desk: Desk, clone: Repo, host: Host, call: str, answer: Answer | None, said: str
) -> None:
    host.hub.faults.extend([Fault(call, answer)] * 4)
    ran = on_github(desk, host, clone, "--yes")
    assert (ran.code, f" not made: {said}" in ran.out) == (5, True), ran.out
    host.hub.faults.clear()
    assert on_github(desk, host, clone, "--yes").code == 0
    assert len(host.hub.pulls["acme/net"]) == 1


def test_no_forge_at_all(desk: Desk, clone: Repo) -> None:
    where = ("--forge", "github", "--forge-url", "http://127.0.0.1:1")
    ran = desk.propose(*where, "--yes", clone.path, config=MAY_LOCK)
    assert (ran.code, "the forge gave no answer: the connection broke (ConnectError)" in ran.out) == (5, True)


def test_a_refused_push(desk: Desk, clone: Repo, host: Host) -> None:
    hook = host.hub.folder / "acme/net.git/hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'acme: branches begin with team/' >&2\nexit 1\n")
    hook.chmod(0o755)
    ran = on_github(desk, host, clone, "--yes")
    assert ran.code == 5
    assert (
        "not made: the push was refused: [remote rejected] (pre-receive hook declined); remote: acme: br"
        in ran.out
    )
    assert host.hub.pulls == {}


def test_a_repository_without_a_remote(desk: Desk, clone: Repo, host: Host) -> None:
    clone.git("remote", "remove", "origin")
    ran = on_github(desk, host, clone, "--yes")
    assert (ran.code, "not made: this repository is not on this forge → name the forge" in ran.out) == (
        5,
        True,
    )
