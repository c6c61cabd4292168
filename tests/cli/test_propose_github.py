"""`tfrelock propose --forge github`, against a GitHub of our own."""

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


def test_what_is_refused_once_it_is_made_leaves_it_open_and_is_said(
    desk: Desk, clone: Repo, host: Host
) -> None:
    where = ("--forge", "github", "--forge-url", host.services.direct)
    config = f"{MAY_LOCK}proposals:\n  labels: [locks]\n"
    host.hub.faults.append(Fault("POST .*/issues/1/labels", Answer(403, {"message": "No"})))
    ran = desk.propose(*where, "--yes", clone.path, config=config)
    said = "not brought up to date (https://github.com/acme/net/pull/1): the token may not do this (No) → "
    assert (ran.code, f"/net tfrelock/default/prepare {said}" in ran.out) == (5, True), ran.out
    ran = desk.propose(*where, "--yes", clone.path, config=config)
    assert (ran.code, [pull.labels for pull in host.hub.pulls["acme/net"]]) == (0, [["locks"]])


def push(clone: Repo, host: Host, files: Files, to: str = "acme/net") -> None:
    clone.commit(files)
    clone.git("push", "--quiet", str(host.hub.folder / f"{to}.git"), "main")


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


def test_a_checkout_that_is_behind_opens_no_gate(desk: Desk, clone: Repo, host: Host) -> None:
    """What was pushed meanwhile reads the state, and nobody here has seen it."""
    push(clone, host, {"net/main.tf": BOTH})
    before = clone.git("rev-parse", "HEAD")
    push(clone, host, {"app/main.tf": reader()})
    clone.git("reset", "--quiet", "--hard", before)
    where = ("--forge", "github", "--forge-url", host.services.direct)
    ran = desk.propose(*where, "--yes", clone.path, config=SOAKED)
    said = "app/main.tf is not what main holds, and gates are judged on what stands here"
    assert (ran.code, f" not made: {said} → bring the checkout to main, run again\n" in ran.out) == (5, True)
    assert host.hub.pulls == {}


@pytest.mark.parametrize(
    ("origin", "app_id", "why"),
    [
        (
            "{host}/acme/app.git",
            "127.0.0.1/acme/app",
            "app/main.tf is not what main holds, and gates are judged on what stands here",
        ),
        ("https://localhost:9/acme/app.git", "localhost/acme/app", "what its base holds is not known: "),
        ("/srv/app.git", "app", "what its base holds is not known: not a remote we push to: "),
    ],
)
def test_a_neighbour_that_is_behind_opens_no_gate_though_its_turn_is_not_now(
    desk: Desk, clone: Repo, host: Host, origin: str, app_id: str, why: str
) -> None:
    push(clone, host, {"net/main.tf": BOTH})
    app = make(desk.folder / "app", {"README": "no state yet"})
    host.hub.create("acme/app", app.path)
    app.git("remote", "add", "origin", origin.format(host=host.services.direct))
    app.git("clone", "--quiet", str(host.hub.folder / "acme/app.git"), str(desk.folder / "theirs"))
    push(Repo(desk.folder / "theirs"), host, {"app/main.tf": reader()}, "acme/app")
    where = ("--forge", "github", "--forge-url", host.services.direct)
    ran = desk.propose(*where, "--yes", clone.path, app.path, config=SOAKED)
    assert (ran.code, host.hub.pulls) == (5, {}), ran
    assert f"/net tfrelock/default/finish not made: {app_id}: {why}" in ran.out


def test_a_neighbour_without_another_home_is_what_it_is_here(desk: Desk, clone: Repo, host: Host) -> None:
    push(clone, host, {"net/main.tf": BOTH})
    app = make(desk.folder / "app", {"README": "no state"})
    where = ("--forge", "github", "--forge-url", host.services.direct)
    ran = desk.propose(*where, "--yes", clone.path, app.path, config=SOAKED)
    assert (ran.code, len(host.hub.pulls["acme/net"])) == (0, 1), ran


def test_a_closed_gate_turns_the_check_red_though_no_draft_can_be_made(
    desk: Desk, clone: Repo, host: Host
) -> None:
    where = ("--forge", "github", "--forge-url", host.services.direct)
    push(clone, host, {"net/main.tf": BOTH})
    desk.propose(*where, "--yes", clone.path, config=SOAKED)
    push(clone, host, {"app/main.tf": reader()})
    host.hub.faults.append(Fault("PATCH .*/pulls/1", Answer(403, {"message": "No"})))
    ran = desk.propose(*where, "--yes", clone.path, config=SOAKED)
    assert (ran.code, "/finish not brought up to date (https://github.com/acme/net/pull/1): " in ran.out) == (
        5,
        True,
    )
    red = host.status(host.hub.commit("acme/net", "tfrelock/default/finish") or "")
    assert (red or ("",))[0] == "failure"


@pytest.mark.parametrize(
    ("flag", "why"), [("archived", "is archived"), ("read_only", "does not let this token push")]
)
def test_a_repository_that_takes_no_pushes(desk: Desk, clone: Repo, host: Host, flag: str, why: str) -> None:
    getattr(host.hub, flag).add("acme/net")
    ran = on_github(desk, host, clone, "--yes")
    assert (ran.code, f"the repository {why} → " in ran.out) == (5, True)


def test_a_proposal_to_be_paused_that_is_not_shown_is_not_passed_over(
    desk: Desk, clone: Repo, host: Host
) -> None:
    where = ("--forge", "github", "--forge-url", host.services.direct)
    push(clone, host, {"net/main.tf": BOTH})
    desk.propose(*where, "--yes", clone.path, config=SOAKED)
    host.hub.faults.append(Fault(r"pulls\?head=.*finish", Answer(404, {"message": "Not Found"})))
    ran = desk.propose(*where, "--yes", clone.path)
    why = "127.0.0.1 does not show 127.0.0.1/acme/net to this token"
    assert (ran.code, f"/net tfrelock/default/finish not made: {why} → " in ran.out) == (5, True)
    assert [pull.draft for pull in host.hub.pulls["acme/net"]] == [False]
