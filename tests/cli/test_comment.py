"""`tfrelock comment`: one comment of ours under a proposal, on every forge, whatever fails."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Protocol

import pytest

from tests.cli.estates import Ran, run
from tests.forge_server import Answer, Fault, Pull
from tests.forges.sites import site
from tests.gitea import fake as gitea
from tests.github import fake as github
from tests.github.fixtures import Host
from tests.gitlab import fake as gitlab
from tests.repo import Repo, make

FIRST: Final = "<!-- tfrelock: what this change does to locks -->"


class Comment(Protocol):
    def __call__(self, *arguments: object) -> Ran: ...


class Place:
    """A checkout of `acme/net` with one open proposal on a forge, and a report to put under it."""

    def __init__(self, pull: Pull, faults: list[Fault], say: Comment, file: Path) -> None:
        self.pull, self.faults, self.say, self.file = pull, faults, say, file


@pytest.fixture(params=["github", "gitlab", "gitea"])
def place(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Place]:
    for name, key in (("GITHUB", github.TOKEN), ("GITLAB", gitlab.TOKEN), ("GITEA", gitea.TOKEN)):
        monkeypatch.setenv(f"{name}_TOKEN", key)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    repo = make(tmp_path / "net", {"main.tf": ""})
    pull = Pull(1, "theirs", "main", "", "", draft=False, comments=["Nice.", "Thanks"])
    report = tmp_path / "report.md"
    report.write_text("**1 state**\n")
    with ExitStack() as stack:
        if request.param == "github":
            host = request.getfixturevalue("host")
            assert isinstance(host, Host)
            host.hub.create("acme/net", repo.path)
            host.hub.pulls["acme/net"], url, faults = [pull], host.services.direct, host.hub.faults
        else:
            repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "net.git"))
            found = stack.enter_context(site(request.param, tmp_path / "hub", tmp_path / "net.git"))
            found.hub.pulls["acme/net"], url, faults = [pull], found.url, found.hub.faults
        repo.git("remote", "add", "origin", f"{url}/acme/net.git")

        def say(*arguments: object) -> Ran:
            where = ("--forge", request.param, "--forge-url", url)
            return run(capsys, "comment", "1", repo.path, "--file", report, *where, *arguments)

        yield Place(pull, faults, say, report)


def test_it_is_made_then_stands_then_changes(place: Place) -> None:
    dry = place.say()
    assert (dry.code, "would comment with" in dry.out, len(place.pull.comments)) == (0, True, 2)
    assert place.say("--yes", "--update-only").out.endswith(" 1: comment there is none\n")
    assert place.say("--yes").out.endswith(" 1: comment made\n")
    assert place.pull.comments[2:] == [f"{FIRST}\n**1 state**\n"]
    assert place.say("--yes").out.endswith(" 1: comment stands\n")
    place.file.write_text("**2 states**\n")
    assert place.say("--yes", "--update-only").out.endswith(" 1: comment changed\n")
    assert place.pull.comments[2:] == [f"{FIRST}\n**2 states**\n"]


def test_it_is_found_among_many(place: Place) -> None:
    place.pull.comments.extend(f"word {number}" for number in range(120))
    place.say("--yes")
    place.file.write_text("again\n")
    assert place.say("--yes").out.endswith(" 1: comment changed\n")
    assert [said for said in place.pull.comments if said.startswith(FIRST)] == [f"{FIRST}\nagain\n"]


@pytest.mark.parametrize("acted", [False, True])
@pytest.mark.parametrize("answer", [None, Answer(502, None)])
def test_after_silence_there_is_one(place: Place, acted: bool, answer: Answer | None) -> None:
    place.faults.append(Fault("POST .*/(comments|notes)$", answer, acted=acted))
    assert place.say("--yes").code == 0
    assert len(place.pull.comments) == 3


@pytest.mark.parametrize("status", [401, 403, 404, 422])
def test_a_refusal_is_an_error(place: Place, status: int) -> None:
    place.faults.append(Fault("POST .*/(comments|notes)$", Answer(status, {"message": "No"})))
    ran = place.say("--yes")
    assert (ran.code, "(No)" in ran.err, len(place.pull.comments)) == (1, True, 2)


def test_a_long_report_is_cut_and_says_so(place: Place) -> None:
    place.file.write_text("x" * 70_000)
    place.say("--yes")
    assert len(place.pull.comments[2]) == 60_000
    assert place.pull.comments[2].endswith("\n\nThe rest is left out here for length.\n")


def test_what_is_no_number_or_no_forge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo: Repo = make(tmp_path / "net", {"main.tf": ""})
    report = tmp_path / "report.md"
    report.write_text("")
    assert run(capsys, "comment", "1/../2", repo.path, "--file", report).code == 64
    for yes in ([], ["--yes"]):
        ran = run(capsys, "comment", "1", repo.path, "--file", report, *yes)
        assert (ran.code, ran.out) == (64, "")
        assert ran.err.endswith("Error: --forge local takes no comments: name a host with --forge\n")
