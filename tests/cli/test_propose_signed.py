"""Where GitHub takes only signed commits, an App needs no key of its own: GitHub makes and signs them."""

from __future__ import annotations

import pytest

from tests.cli.desk import Desk
from tests.cli.test_propose_github import clone, on_github, push
from tests.cli.test_propose_rules import offered
from tests.forge_server import Answer, Fault
from tests.github.fixtures import Host
from tests.repo import Repo
from tests.secrets import MARK

__all__ = ["clone"]

BRANCH = "tfrelock/default/prepare"


@pytest.fixture
def net(clone: Repo, host: Host, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A clone of a repository that takes only signed commits, and the token of an App for it."""
    host.hub.key = f"ghs_{MARK}"
    monkeypatch.setenv("GITHUB_TOKEN", host.hub.key)
    host.hub.rules.append({"type": "required_signatures"})
    return clone


def on_branch(host: Host) -> Repo:
    return Repo(host.hub.folder / "acme/net.git")


def pushed(host: Host) -> bool:
    return any("git-receive-pack" in call for call in host.hub.calls)


def test_it_makes_and_signs_them(desk: Desk, net: Repo, host: Host) -> None:
    assert "would open: " in on_github(desk, host, net).out
    assert not host.hub.signed
    ran = offered(desk, host, net)
    repo, [pull] = on_branch(host), host.hub.pulls["acme/net"]
    made = repo.git("rev-list", f"main..{BRANCH}").split()
    assert (ran.code, pull.head, pushed(host)) == (0, BRANCH, False), ran.out
    assert set(made) == host.hub.signed
    assert repo.git("log", "--reverse", "--format=%an: %s", f"main..{BRANCH}").splitlines() == [
        "acme[bot]: Require Terraform 1.11 or newer",
        "acme[bot]: Lock state in S3 as well as DynamoDB",
    ]
    trailers = repo.git("log", "--format=%(trailers:key=Relock-Change,valueonly)", f"main..{BRANCH}")
    assert len(trailers.split()) == 2
    assert host.status(made[0]) == ("success", "every gate is open")


@pytest.mark.parametrize(("shown", "signs"), [(True, True), ("Not Found", True), (False, False)])
def test_it_signs_where_the_base_is_protected_and_may_want_it(
    desk: Desk, net: Repo, host: Host, shown: bool | str, signs: bool
) -> None:
    host.hub.rules.clear()
    host.hub.protected["main"] = shown
    ran = offered(desk, host, net)
    assert (ran.code, pushed(host), bool(host.hub.signed)) == (0, not signs, signs), ran.err


def test_the_commits_hold_what_a_push_would_bring(desk: Desk, net: Repo, host: Host) -> None:
    offered(desk, host, net)
    signed = on_branch(host).git("rev-parse", f"{BRANCH}^{{tree}}")
    on_branch(host).git("update-ref", "-d", f"refs/heads/{BRANCH}")
    host.hub.pulls.clear()
    host.hub.rules.clear()
    offered(desk, host, net)
    assert pushed(host)
    assert on_branch(host).git("rev-parse", f"{BRANCH}^{{tree}}") == signed


def test_a_second_run_makes_nothing(desk: Desk, net: Repo, host: Host) -> None:
    offered(desk, host, net)
    tip = host.hub.commit("acme/net", BRANCH)
    host.hub.calls.clear()
    ran = offered(desk, host, net)
    assert (ran.code, " stands: " in ran.out, host.hub.commit("acme/net", BRANCH)) == (0, True, tip)
    assert not [call for call in host.hub.calls if "/git/trees" in call or "/git/commits" in call]


def test_a_base_that_changed_since_moves_the_branch(desk: Desk, net: Repo, host: Host) -> None:
    offered(desk, host, net)
    push(net, host, {"net/main.tf": net.git("show", "HEAD:net/main.tf") + "\n# more\n"})
    ran = offered(desk, host, net)
    repo = on_branch(host)
    assert (ran.code, " updated: " in ran.out) == (0, True), ran.out
    assert repo.git("merge-base", "main", BRANCH) == repo.git("rev-parse", "main")
    assert set(repo.git("rev-list", f"main..{BRANCH}").split()) <= host.hub.signed


def test_the_users_own_signature_is_pushed(desk: Desk, net: Repo, host: Host) -> None:
    signs = desk.folder / "signs"
    signs.write_text(
        "#!/bin/sh\ncat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\n"
        "echo '-----BEGIN PGP SIGNATURE-----'\necho x\necho '-----END PGP SIGNATURE-----'\n"
    )
    signs.chmod(0o755)
    with (desk.folder / "home/.gitconfig").open("a") as file:
        file.write(f"[gpg]\n\tprogram = {signs}\n[commit]\n\tgpgsign = true\n")
    assert offered(desk, host, net).code == 0
    assert (pushed(host), host.hub.signed) == (True, set())
    assert "BEGIN PGP SIGNATURE" in on_branch(host).git("cat-file", "commit", BRANCH)


def test_an_executable_file_stays_one(desk: Desk, net: Repo, host: Host) -> None:
    net.git("update-index", "--chmod=+x", "net/main.tf")
    net.git("commit", "--quiet", "-m", "Executable")
    net.git("checkout", "--quiet", "--", ".")
    push(net, host, {"net/notes.txt": "é\n"})
    assert offered(desk, host, net).code == 0
    assert on_branch(host).git("ls-tree", BRANCH, "net/main.tf").startswith("100755 ")


@pytest.mark.parametrize(
    ("call", "answer", "why"),
    [
        ("POST .*/git/trees", {"sha": "0" * 40}, "GitHub did not write the files as they are"),
        (
            "POST .*/git/commits",
            {"sha": "0" * 40, "verification": {"verified": False, "reason": "unsigned"}},
            "GitHub did not sign the commit it made",
        ),
    ],
)
def test_what_it_made_is_looked_at(
    desk: Desk, net: Repo, host: Host, call: str, answer: object, why: str
) -> None:
    host.hub.faults.append(Fault(call, Answer(201, answer)))
    ran = offered(desk, host, net)
    assert (ran.code, why in ran.out + ran.err) == (5, True), ran
    assert host.hub.commit("acme/net", BRANCH) is None
    assert host.hub.pulls == {}


CALLS = ("GET .*/rules/", "POST .*/git/trees", "POST .*/git/commits", "POST .*/graphql")


@pytest.mark.parametrize("acted", [False, True], ids=["before it acted", "after"])
@pytest.mark.parametrize("call", CALLS)
def test_a_silence_is_overcome(desk: Desk, net: Repo, host: Host, call: str, *, acted: bool) -> None:
    host.hub.faults.append(Fault(call, acted=acted))
    ran = offered(desk, host, net)
    assert (ran.code, host.hub.faults, len(host.hub.pulls["acme/net"])) == (0, [], 1), ran.out
    assert on_branch(host).git("rev-list", "--count", f"main..{BRANCH}") == "2"


def test_without_a_bots_token_people_are_told_both_ways(
    desk: Desk, net: Repo, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.hub.key = f"ghp_{MARK}"
    monkeypatch.setenv("GITHUB_TOKEN", host.hub.key)
    ran = offered(desk, host, net)
    assert ran.code == 5
    assert "use an App, whose commits GitHub signs, or set commit.gpgsign" in ran.out
