"""Remotes, with real git on both sides of an ssh that goes nowhere."""

from __future__ import annotations

import shlex
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path, PurePosixPath
from threading import Thread

import pytest

from migrate.errors import RelockError
from migrate.git.branches import Base, There
from migrate.git.commits import Author, Draft, commit, log
from migrate.git.own import Own, borrow
from migrate.git.remote import (
    Rejected,
    Remote,
    _authorization,
    fetch,
    push,
    remote,
    remote_branches,
    remote_tip,
)
from tests.repo import Repo

BRANCH = "tfrelock/default/prepare"


@pytest.fixture
def own(server: Repo, tmp_path: Path) -> Own:
    Repo(tmp_path).git("clone", "-q", "net.git", "checkout")
    (tmp_path / "scratch").mkdir()
    return borrow(tmp_path / "checkout", tmp_path / "scratch")


AT = Remote("ssh://acme.example/net.git", "ssh")


def made(own: Own, parent: str, data: bytes) -> str:
    kim = Author("Kim Example", "kim@acme.example")
    return commit(
        own, Draft(parent, {PurePosixPath("main.tf"): data}, "Lock both\n", kim, "1700000000 +0000")
    )


def test_a_branch_is_made_moved_and_never_forced_over_others(own: Own, server: Repo) -> None:
    base = server.git("rev-parse", "main")
    assert remote_tip(own, AT, BRANCH) is None
    first, second = made(own, base, b"both\n"), made(own, base, b"both, again\n")
    assert push(own, AT, BRANCH, first, None) is None
    assert remote_tip(own, AT, BRANCH) == first
    assert push(own, AT, BRANCH, second, None) == Rejected("the push was refused: [rejected] (stale info)")
    assert push(own, AT, BRANCH, second, first) is None
    assert server.git("rev-parse", BRANCH) == second


def test_a_ref_that_only_ends_like_a_branch_is_none(own: Own, server: Repo) -> None:
    base = server.git("rev-parse", "main")
    server.git("update-ref", f"refs/aside/refs/heads/{BRANCH}", base)
    for folder in ("refs/heads", "refs/other/refs/heads"):
        server.git("update-ref", f"{folder}/{BRANCH}/part", base)
    assert remote_tip(own, AT, BRANCH) is None
    assert remote_branches(own, AT, BRANCH) == [f"{BRANCH}/part"]


def test_commits_of_the_remote_are_fetched_into_our_own_repository(
    own: Own, server: Repo, tmp_path: Path
) -> None:
    base = server.git("rev-parse", "main")
    theirs = server.git("commit-tree", "-p", base, "-m", "Theirs", f"{base}^{{tree}}")
    server.git("update-ref", f"refs/heads/{BRANCH}", theirs)
    before = sorted((tmp_path / "checkout").rglob("*"))
    assert fetch(own, AT, BRANCH) == theirs
    assert [entry.message for entry in log(own, base, theirs)] == ["Theirs\n"]
    assert sorted((tmp_path / "checkout").rglob("*")) == before


def test_a_rule_of_the_remote_is_told_in_its_own_words(own: Own, server: Repo) -> None:
    hook = server.path / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'branch names must start with a ticket' >&2\nexit 1\n")
    hook.chmod(0o755)
    told = push(own, AT, BRANCH, made(own, server.git("rev-parse", "main"), b"both\n"), None)
    assert told == Rejected(
        "the push was refused: [remote rejected] (pre-receive hook declined); "
        "remote: branch names must start with a ticket"
    )


def test_a_branch_of_the_remote_may_be_in_the_way(own: Own, server: Repo) -> None:
    base = server.git("rev-parse", "main")
    server.git("branch", "tfrelock", "main")
    told = There(own, AT, Base("main", base)).put(BRANCH, made(own, base, b"both\n"), None)
    assert told == Rejected(
        "git keeps no such branch beside the branch tfrelock that is there",
        "rename tfrelock, or give proposals.branch another beginning",
    )


def test_a_remote_that_does_not_answer_is_an_error(own: Own, server: Repo) -> None:
    server.path.rename(server.path.with_name("gone"))
    for act in (remote_tip, fetch):
        with pytest.raises(RelockError, match=r"ssh://acme\.example/net\.git: fatal: "):
            act(own, AT, BRANCH)
    with pytest.raises(RelockError):
        push(own, AT, BRANCH, "HEAD", None)


def test_the_checkout_s_own_ssh_command_credentials_and_hooks_are_not_used(
    own: Own, server: Repo, tmp_path: Path
) -> None:
    checkout, marker = Repo(tmp_path / "checkout"), tmp_path / "ran"
    trap = f"touch {shlex.quote(str(marker))}; false"
    for key in (
        "core.sshCommand",
        "credential.helper",
        "remote.origin.uploadpack",
        "remote.origin.receivepack",
    ):
        checkout.git("config", key, trap)
    checkout.git("config", "url.ext::sh -c touch%20x.insteadOf", "ssh://acme.example/")
    checkout.git("config", "remote.origin.vcs", "ext")
    for name in ("pre-push", "reference-transaction"):
        hook = checkout.path / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\n{trap}\n")
        hook.chmod(0o755)
    base = fetch(own, AT, "main")
    assert push(own, AT, BRANCH, made(own, base, b"both\n"), None) is None
    assert not marker.exists()


@pytest.mark.parametrize(
    ("url", "scheme"),
    [
        ("https://github.com/acme/net.git", "https"),
        ("https://me:pw@git.acme.example:8443/acme/net", "https"),
        ("ssh://git@acme.example:7999/acme/net.git", "ssh"),
        ("git@github.com:acme/net.git", "ssh"),
        ("http://127.0.0.1:8080/acme/net.git", "http"),
    ],
)
def test_https_and_ssh_are_remotes(url: str, scheme: str) -> None:
    assert remote(url) == Remote(url, scheme)


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% /tmp/x",
        "--upload-pack=touch x",
        "-oProxyCommand=touch x",
        "ssh://-oProxyCommand=x/acme",
        "git@-oProxyCommand=x:acme",
        "-x@acme.example:net",
        "http://github.com/acme/net",
        "git://github.com/acme/net",
        "file:///srv/net.git",
        "/srv/net.git",
        "../net.git",
        "fd::17",
        "https://",
        "https://[::1",
        "https://acme.example/a\nb",
        "",
    ],
)
def test_nothing_else_is_a_remote(url: str) -> None:
    with pytest.raises(RelockError, match="not a remote we push to"):
        remote(url)


def test_a_token_goes_to_its_host_alone_and_is_never_shown() -> None:
    at = remote("https://git.acme.example/acme/net.git", "t0ken")
    assert "t0ken" not in repr(at)
    assert _authorization(at) == {
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "http.https://git.acme.example/.extraHeader",
        "GIT_CONFIG_VALUE_0": "Authorization: Basic eC1hY2Nlc3MtdG9rZW46dDBrZW4=",
        "GIT_CONFIG_KEY_1": "http.https://git.acme.example/.followRedirects",
        "GIT_CONFIG_VALUE_1": "false",
    }
    assert remote("git@acme.example:net", "t0ken").token is None


class Asked(BaseHTTPRequestHandler):
    """Tells what it was asked for, and sends `/acme/` to where its server says."""

    server: Elsewhere

    def do_GET(self) -> None:
        self.server.tokens.append(self.headers.get("Authorization", ""))
        self.send_response(301)
        self.send_header("Location", f"{self.server.onward}{self.path}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The test's own output is enough."""


class Elsewhere(HTTPServer):
    onward = "http://[::1]:1"

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.tokens: list[str] = []


def test_no_redirect_takes_the_token_along(own: Own) -> None:
    """Git sends the header to wherever it was led, from the second request on."""
    with Elsewhere() as other, Elsewhere() as forge:
        forge.onward = f"http://localhost:{other.server_address[1]}"
        for server in (forge, other):
            Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        url = f"http://127.0.0.1:{forge.server_address[1]}/acme/net.git"
        with pytest.raises(RelockError, match="The requested URL returned error: 301"):
            fetch(own, remote(url, "t0ken"), "main")
        assert (len(forge.tokens), other.tokens) == (1, [])
        for server in (forge, other):
            server.shutdown()
