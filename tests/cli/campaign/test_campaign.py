"""`tfrelock campaign`: commands in; proposals on a GitHub of our own, and what `status` says, out."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.campaign.estate import ALL, Estate, net
from tests.cli.desk import MAY_LOCK, Capture, Desk
from tests.cli.estates import BOTH, run
from tests.forge_server import Answer, Fault
from tests.repo import Repo, make


def test_from_nothing_to_merged(estate: Estate) -> None:
    for number in range(7):
        estate.create(f"net{number}", net(number))
    estate.begun()
    dry = estate.led("next")
    assert (dry.code, dry.out.count("would open: "), estate.pulls()) == (0, 5, {})
    assert dry.err.endswith("nothing was made: --yes makes them\n")
    first = estate.led("next", "--yes")
    assert (first.code, first.out.count(" opened: ")) == (0, 5)
    assert "prepare is for 2 more repositories once three have merged it" in first.err
    assert sorted(estate.pulls()) == ["net0", "net1", "net2", "net3", "net4"]
    assert estate.led("next", "--yes").out.count(" stands: ") == 5
    estate.merge("net0", "net1", "net2")
    assert estate.led("sync").code == 0
    assert estate.standing()["net0"] == ["prepare merged"]
    second = estate.led("next", "--yes")
    assert (second.code, second.out.count(" opened: "), second.out.count(" stands: ")) == (0, 2, 2)
    assert [len(pulls) for pulls in estate.pulls().values()] == [1] * 7
    [pull] = estate.pulls()["net6"]
    assert (pull.head, pull.base, pull.draft) == ("tfrelock/locks/prepare", "main", False)


def test_status_says_where_everything_stands(estate: Estate) -> None:
    estate.create("net", {**net(0), "CODEOWNERS": "* @acme/net\n"})
    estate.begun()
    estate.led("next", "--yes")
    [pull] = estate.pulls()["net"]
    pull.reviews.append(("ada", "CHANGES_REQUESTED"))
    head = estate.host.hub.commit("acme/net", pull.head)
    estate.host.hub.runs[str(head)] = ["success"]
    estate.led("sync")
    [proposal] = estate.of("net", "proposals")
    said = {
        "slice": "prepare",
        "wave": 1,
        "standing": "open",
        "number": "1",
        "reviews": "changes requested",
        "checks": "passed",
        "stuck": "a reviewer asks for changes",
    }
    assert {key: proposal[key] for key in said} == said
    assert estate.report()["net"]["owner"] == "@acme/net"
    table = estate.run("status", estate.file).out
    assert "campaign locks: 1 repository, wave 1; proposals: 1 open, 0 merged, 0 closed\n" in table
    assert "s3://acme-state/0.tfstate" in table
    assert "stuck: 1\n  127.0.0.1/acme/net prepare  a reviewer asks for changes\n" in table


def test_the_whole_way_of_a_state(estate: Estate) -> None:
    """Prepare is offered, merged, then finish; each once."""
    estate.config = ALL
    estate.create("net", net(0))
    estate.begun()
    estate.led("next", "--yes")
    estate.merge()
    estate.led("sync")
    assert estate.led("next", "--yes").out.count(" opened: Stop locking state in DynamoDB") == 1
    estate.merge()
    estate.led("sync")
    assert estate.standing() == {"net": ["finish merged", "prepare merged"]}
    bare = Repo(estate.host.hub.folder / "acme/net.git")
    assert "dynamodb_table" not in bare.git("show", "main:net/main.tf")
    assert "use_lockfile = true" in bare.git("show", "main:net/main.tf").replace("  ", " ")
    assert [state["status"] for state in estate.of("net", "states")] == ["done"]
    assert estate.led("next").err.endswith("nothing new to offer\n")


def test_what_is_left_out(estate: Estate) -> None:
    estate.create("app", {"README": "no state"})
    estate.create("asked", {**net(1), ".tfrelock.yaml": "opt_out: we move by ourselves\n"})
    estate.create("fork", net(2))
    estate.create("old", net(3))
    estate.create("renamed", net(4), branch="trunk")
    estate.host.hub.create("acme/void")
    estate.host.hub.archived.add("acme/old")
    estate.host.hub.forks.add("acme/fork")
    ran = estate.begun().led("next", "--yes")
    assert ran.code == 0, ran
    assert {name: pulls[0].base for name, pulls in estate.pulls().items()} == {"renamed": "trunk"}
    report = estate.report()
    assert {name: report[name]["left_out"] for name in ("fork", "old", "void", "asked")} == {
        "fork": "a fork",
        "old": "archived",
        "void": "empty",
        "asked": None,
    }
    assert report["asked"]["trouble"] == "wants no proposals: we move by ourselves"


def test_the_forge_that_is_configured_is_the_one_that_is_asked_for_a_list(
    estate: Estate, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = estate.folder / "relock.yaml"
    config.write_text("forge: {name: github, url: https://127.0.0.1:9}\n")  # where nobody answers
    assert estate.run("init", estate.file).code == 0
    asked, silent = ("add", estate.file, "--github-org", "acme"), "tfrelock: 127.0.0.1:9: the forge gave no"
    assert estate.run(*asked, "--config", config).err.startswith(silent)
    monkeypatch.setenv("TFRELOCK_CONFIG", str(config))
    assert estate.run(*asked).err.startswith(silent)


def test_a_closed_proposal_is_a_no(estate: Estate) -> None:
    estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    estate.pulls()["net"][0].state = "closed"
    estate.led("sync")
    assert estate.led("next", "--yes").out == ""
    assert estate.standing() == {"net": ["prepare closed"]}
    assert len(estate.pulls()["net"]) == 1


def test_somebodys_commit_on_our_branch_stops_us_and_nobody_else(estate: Estate) -> None:
    estate.create("app", net(1))
    bare = estate.create("net", net(2))
    work = make(estate.folder / "work", {})
    work.git("fetch", "--quiet", str(bare), "main")
    work.git("checkout", "--quiet", "-B", "theirs", "FETCH_HEAD")
    work.commit({"net/more.tf": "# theirs\n"}, "Theirs")
    work.git("push", "--quiet", str(bare), "theirs:tfrelock/locks/prepare")
    ran = estate.begun().led("next", "--yes")
    assert (ran.code, " not made: commit " in ran.out, sorted(estate.pulls())) == (5, True, ["app"])
    assert "is not ours" in str(estate.report()["net"])


def test_pause_and_on_again(estate: Estate) -> None:
    estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    assert "would be a draft" in estate.led("pause", "--because", "an outage").out
    assert estate.led("pause", "--because", "an outage", "--yes").code == 0
    [pull] = estate.pulls()["net"]
    assert (pull.draft, "an outage" in pull.body[:200]) == (True, True)
    held = estate.led("next", "--yes")
    assert (held.code, "the campaign is paused: an outage" in held.err) == (1, True)
    assert "paused: an outage\n" in estate.run("status", estate.file).out
    assert estate.led("pause", "--over").code == 0
    assert " updated: " in estate.led("next", "--yes").out
    assert (pull.draft, "an outage" in pull.body) == (False, False)


def test_close_says_why_and_stays_closed(estate: Estate) -> None:
    for name in ("app", "net"):
        estate.create(name, net(ord(name[0])))
    estate.begun().led("next", "--yes")
    told = ("--because", "Not this quarter.", "--repository", "*/net", "--yes")
    assert [estate.led("close", *told).code for _ in range(2)] == [0, 0]
    [pull], [other] = estate.pulls()["net"], estate.pulls()["app"]
    assert (pull.state, pull.comments, other.state) == ("closed", ["Not this quarter."], "open")
    estate.led("next", "--yes")
    assert estate.standing() == {"app": ["prepare open"], "net": ["prepare closed"]}
    assert "127.0.0.1/acme/net prepare  Not this quarter.\n" in estate.run("status", estate.file).out


def test_a_pause_that_no_check_shows_is_said(estate: Estate) -> None:
    estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    estate.host.hub.faults.append(Fault("POST .*/statuses/", Answer(403, {"message": "No"})))
    ran = estate.led("pause", "--because", "an outage", "--yes")
    [pull] = estate.pulls()["net"]
    assert (ran.code, pull.draft, "127.0.0.1/acme/net tfrelock/locks/prepare a draft" in ran.out) == (
        *(5, True, True),
    )
    assert "1 proposal: no check tfrelock/gate, the token may not set a commit status" in ran.err


def test_a_proposal_that_is_made_and_not_finished_is_known_at_once(estate: Estate) -> None:
    estate.config = f"{MAY_LOCK}proposals:\n  labels: [locks]\n"
    estate.create("net", net(0))
    estate.begun()
    estate.host.hub.faults.append(Fault("POST .*/labels", Answer(403, {"message": "No"})))
    ran = estate.led("next", "--yes")
    assert (ran.code, "prepare not brought up to date (https://github.com/" in ran.out) == (5, True)
    [proposal] = estate.of("net", "proposals")
    assert (proposal["standing"], proposal["number"]) == ("open", "1")
    assert str(proposal["stuck"]).startswith("the token may not do this (No) → give it write access")
    assert estate.led("next", "--yes").out.count(" updated: ") == 1
    assert [one["stuck"] for one in estate.of("net", "proposals")] == [None]


def test_a_token_that_is_not_accepted_is_said_once_of_each_repository(
    estate: Estate, monkeypatch: pytest.MonkeyPatch
) -> None:
    estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    monkeypatch.setenv("GITHUB_TOKEN", "expired")
    ran = estate.led("sync")
    assert (ran.code, ran.err.count("the forge does not accept the token")) == (5, 1)
    [proposal] = estate.of("net", "proposals")
    assert "the forge does not accept the token" in str(proposal["stuck"])


@pytest.mark.parametrize("command", ["close", "pause"])
def test_what_the_forge_does_not_show_is_not_taken_for_ended(estate: Estate, command: str) -> None:
    estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    estate.host.hub.faults.append(Fault(r"/acme/net/pulls\?head=", Answer(404, None)))
    ran = estate.led(command, "--because", "An outage.", "--yes")
    why = "127.0.0.1 does not show 127.0.0.1/acme/net to this token"
    assert (ran.code, f"tfrelock/locks/prepare not {DONE[command]}: {why} → " in ran.out) == (5, True)
    [pull] = estate.pulls()["net"]
    assert (pull.state, pull.draft) == ("open", False)


@pytest.mark.parametrize("command", ["close", "pause"])
def test_what_was_merged_meanwhile_is_left_and_said(estate: Estate, command: str) -> None:
    estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    estate.merge("net")
    ran = estate.led(command, "--because", "An outage.", "--yes")
    assert (ran.code, ran.out) == (0, "127.0.0.1/acme/net tfrelock/locks/prepare is not open any more\n")


DONE = {"close": "closed", "pause": "a draft"}


def test_a_wave_as_files(estate: Estate, tmp_path: Path) -> None:
    bare = estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    assert estate.led("export", "--to", tmp_path / "out").code == 0
    out = tmp_path / "out"
    assert (out / "turbolift/repos.txt").read_text() == "acme/net\n"
    assert 'repo: ["acme/net"]\nbranch: "tfrelock/locks/prepare"\n' in (out / "multi-gitter.yaml").read_text()
    for how in (("am", "--quiet", str(out / "patches/acme/net/prepare.patch")), ()):
        work = Repo(tmp_path / f"work{len(how)}")
        Repo(bare).git("clone", "--quiet", ".", str(work.path))
        if how:
            work.git(*how)
        else:
            script = f"REPOSITORY=acme/net {shlex.quote(str(out / 'apply.sh'))}"
            work.git("-c", f"alias.apply-all=!{script}", "apply-all")
            work.git("commit", "--quiet", "--message", "All")
        ours = Repo(bare).git("rev-parse", "tfrelock/locks/prepare^{tree}")
        assert work.git("rev-parse", "HEAD^{tree}") == ours


@pytest.mark.parametrize(("wave", "last"), [("1", "none was offered yet"), ("9", "the last is 1")])
def test_a_wave_that_is_not_there_is_an_error(estate: Estate, wave: str, last: str) -> None:
    estate.create("net", net(0))
    estate.begun()
    if wave == "9":
        estate.led("next", "--yes")
    ran = estate.led("export", "--wave", wave, "--to", estate.folder / "out")
    assert (ran.code, ran.err) == (3, f"tfrelock: --wave {wave}: there is no such wave, {last}\n")
    assert not (estate.folder / "out").exists()


def test_a_wave_of_which_nothing_is_left_is_no_folder(estate: Estate) -> None:
    estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    estate.merge("net")
    ran = estate.led("export", "--wave", "1", "--to", estate.folder / "out")
    assert (ran.code, ran.err) == (3, "nothing to export\n")
    assert not (estate.folder / "out").exists()


def test_close_says_which_repositories_are_not_in_the_campaign(estate: Estate) -> None:
    estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    ran = estate.led("close", "--because", "x", "--repository", "*/net", "--repository", "*/app")
    assert (ran.code, ran.out) == (3, "127.0.0.1/acme/net tfrelock/locks/prepare would be closed\n")
    assert ran.err.splitlines() == [
        "tfrelock: --repository */app: no repository of the campaign matches it",
        "nothing was changed: --yes does it",
    ]
    [pull] = estate.pulls()["net"]
    assert pull.state == "open"


def test_where_nothing_is_open_it_is_said(estate: Estate) -> None:
    estate.create("net", net(0))
    ran = estate.begun().led("pause", "--because", "holidays", "--yes")
    assert (ran.code, ran.out, ran.err) == (0, "", "no proposal is open\n")


def test_export_before_the_first_wave_is_what_next_would_offer(estate: Estate) -> None:
    for number in range(6):
        estate.create(f"net{number}", net(number))
    estate.begun()
    assert estate.led("export", "--to", estate.folder / "out").code == 0
    names = [f"acme/net{number}" for number in range(5)]
    assert (estate.folder / "out/turbolift/repos.txt").read_text().splitlines() == names
    assert estate.pulls() == {}


def test_a_repository_that_cannot_be_reached_holds_back_retire_alone(estate: Estate) -> None:
    estate.config = ALL
    for name in ("app", "net"):
        estate.create(name, net(ord(name[0])))
    estate.begun("--github-org", "acme", "--forge-url", estate.host.services.direct)
    gone = estate.folder / "list"
    gone.write_text(f"# moved away\n{estate.host.services.direct}/acme/gone.git  # long ago\n")
    assert estate.run("add", estate.file, "--list", gone).code == 0
    ran = estate.led("next", "--yes")
    assert (ran.code, ran.out.count(" opened: "), "does not show 127.0.0.1/acme/gone" in ran.err) == (
        5,
        2,
        True,
    )
    estate.merge()
    estate.led("sync")
    ran = estate.led("next", "--yes")
    assert (ran.code, ran.out, "nothing is retired while 1 repository cannot be read" in ran.err) == (
        5,
        "",
        True,
    )


def test_an_open_finish_is_not_brought_up_to_date_while_a_repository_cannot_be_read(
    estate: Estate,
) -> None:
    estate.config = ALL
    for name, files in {"app": {"README": "no state"}, "net": {"net/main.tf": BOTH}}.items():
        estate.create(name, files)
    estate.begun()
    assert " finish opened: " in estate.led("next", "--yes").out.replace("tfrelock/locks/", "")
    estate.host.hub.faults += [Fault("GET .*/repos/acme/app", Answer(404, None))] * 9
    ran = estate.led("next", "--yes")
    why = "127.0.0.1/acme/app: 127.0.0.1 does not show 127.0.0.1/acme/app to this token"
    assert (ran.code, f"/net tfrelock/locks/finish not made: {why}" in ran.out) == (5, True), ran
    out = estate.folder / "out"
    ran = estate.led("export", "--to", out)
    assert (ran.code, list(out.rglob("*.patch"))) == (5, []), ran


def test_what_is_open_is_paused_where_nothing_is_wanted_any_more(estate: Estate) -> None:
    estate.create("net", net(0))
    estate.begun().led("next", "--yes")
    estate.config += "repositories:\n  '*/net':\n    opt_out: frozen until March\n"
    ran = estate.led("next", "--yes")
    said = "tfrelock/locks/prepare updated, not to be merged: Nothing is offered here any more: frozen until"
    [pull] = estate.pulls()["net"]
    assert (ran.code, said in ran.out, pull.draft, "frozen until March" in pull.body[:100]) == (
        0,
        *(True,) * 3,
    )
    red = estate.host.status(estate.host.hub.commit("acme/net", pull.head) or "")
    assert red == ("failure", "Nothing is offered here any more: frozen until March.")
    [proposal] = estate.of("net", "proposals")
    assert (proposal["standing"], proposal["draft"]) == ("open", True)


def test_repositories_of_this_machine(desk: Desk, tmp_path: Path, capsys: Capture) -> None:
    for number in range(2):
        make(tmp_path / f"repos/net{number}", net(number), f"https://git.acme.example/acme/net{number}.git")
    file, out, config = tmp_path / "locks.campaign", tmp_path / "out", tmp_path / "relock.yaml"
    config.write_text(MAY_LOCK)
    assert run(capsys, "campaign", "init", file).code == 0
    assert run(capsys, "campaign", "add", file, tmp_path / "repos").code == 0
    ran = run(capsys, "campaign", "next", file, "--yes", "--out", out, "--config", config)
    assert (ran.code, ran.out.count(" opened: ")) == (0, 2)
    Repo(tmp_path / "repos/net0").git("merge", "--quiet", "tfrelock/locks/prepare")
    assert run(capsys, "campaign", "sync", file, "--out", out, "--config", config).code == 0
    summary = json.loads(run(capsys, "campaign", "status", file, "--format", "json").out)["summary"]
    counts = {"repositories": 2, "left_out": 0, "states": 2, "open": 1, "merged": 1, "closed": 0, "stuck": 0}
    assert summary == counts


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("status", "none"), 1, "none: there is no such campaign\n  try: tfrelock campaign init none\n"),
        (("add", "none", "."), 1, "there is no such campaign"),
        (("pause", "none", "--over", "--because", "x"), 64, "say --because WHY, or --over"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], code: int, said: str, capsys: Capture) -> None:
    ran = run(capsys, "campaign", *arguments)
    assert (ran.code, said in ran.err) == (code, True), ran.err
