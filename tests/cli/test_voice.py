"""`--quiet` and `--verbose`: a command line in, what stands on standard error out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import migrate.cli
from migrate.cli import COMMANDS
from migrate.cli.main import relock
from tests.cli.desk import MAY_LOCK, OLD, Capture, Desk, New
from tests.cli.estates import BOTH, TABLE, Files, facts, reader, run
from tests.cli.test_reinit import called, calls, initialised
from tests.github import fake
from tests.github.fixtures import Host
from tests.repo import Repo, make
from tests.secrets import FORMS, MARK

__all__ = ["calls"]


def leaves(command: click.Command, *names: str) -> Iterator[tuple[str, ...]]:
    """The names of every command that does something."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if found := command.get_command(context, name):
                yield from leaves(found, *names, name)
    else:
        yield names


EVERY = list(leaves(relock))


def test_it_is_every_command() -> None:
    assert {names[0] for names in EVERY} == set(COMMANDS)
    assert ("campaign", "next") in EVERY


@pytest.mark.parametrize("names", EVERY, ids=" ".join)
def test_both_together_are_wrong_use(names: tuple[str, ...], capsys: Capture) -> None:
    for both in (("--quiet", "--verbose"), ("--verbose", "--quiet")):
        ran = run(capsys, *names, *both)
        assert (ran.code, ran.out) == (64, "")
        assert ran.err.endswith("Error: --quiet says less and --verbose says more: say one of them\n")


SLOW = """
import time, click
from threading import Thread
from migrate.cli.voice import Progress, followed, hint

def proving():
    for _ in followed("proving edits:", range(20), 20):
        time.sleep(0.06)

def act():
    with Progress("making edits:"):
        beside = Thread(target=proving)
        beside.start()
        beside.join()
        hint("half is done")
        proving()

click.Command("act", callback=act).main([], standalone_mode=False)
"""


def test_how_far_slow_work_is_stands_on_a_terminal_alone_and_is_wiped_at_its_end() -> None:
    command = [sys.executable, "-c", SLOW]
    ours, theirs = os.openpty()
    piped = subprocess.Popen(command, stderr=subprocess.PIPE)
    subprocess.run(command, stderr=theirs, check=True, env={**os.environ, "TERM": "xterm"})
    said = os.read(ours, 10_000).decode()
    os.close(ours)
    os.close(theirs)
    making = r"(\rmaking edits: \d s\x1b\[K)+"
    proving = r"(\rproving edits: \d+ of 20\x1b\[K)+\r\x1b\[K"
    pattern = rf"{making}\r\x1b\[Khalf is done\r\n({making})?{proving}({making})?\r\x1b\[K"
    assert re.fullmatch(pattern, said), said
    assert piped.communicate()[1] == b"half is done\n"


def test_all_words_are_a_hint_or_what_went_wrong() -> None:
    """Beside what ends a run, and a line on a terminal that is written over."""
    folder = Path(migrate.cli.__file__).parent
    saying = {
        str(file.relative_to(folder)) for file in folder.rglob("*.py") if "err=True" in file.read_text()
    }
    assert saying == {"voice.py", "main.py"}


CUT = {"cut.tf": "terraform {\n  backend"}
UNASKED = ("gate callers-may-lock unknown ", True)
WAITS = ("gate soaked unknown ", True), ("gate table-known unknown ", True)
CLOSED = ("gate readers-safe closed ", True)
STATE = ("facts: what a person states in the file given by --config; tfrelock explain ", False)
NO_HCL = ("refused git.acme.example/acme/", True)
NOTHING = ("tfrelock: --only nope: nothing that was found matches it", True)
NETS: Files = {"main.tf": TABLE}
READ: Files = {"main.tf": BOTH, "app.tf": reader()}


@pytest.mark.parametrize(
    ("line", "files", "said"),
    [
        (
            "edit --phase dual-lock",
            NETS,
            [UNASKED, STATE, ("1 file would change: --write changes them", False)],
        ),
        (
            "edit --phase dual-lock --write",
            {**NETS, **CUT},
            [UNASKED, STATE, NO_HCL, ("wrote 1 file in ", False)],
        ),
        ("edit --phase 3", NETS, [("phase 3 is pin", False), ("nothing to change for pin", False)]),
        (
            "edit --phase retire",
            READ,
            [CLOSED, *WAITS, STATE, ("1 place stays as before: a gate of retire is not open", True)],
        ),
        ("propose", READ, [CLOSED, *WAITS, STATE, ("nothing was made: --yes --out DIR makes them", False)]),
        ("propose --phase retire", READ, [CLOSED, *WAITS, STATE, ("nothing to offer", False)]),
        ("plan", {**NETS, **CUT}, [NO_HCL]),
        ("audit --only nope", NETS, [NOTHING]),
        ("iam check --only nope", NETS, [NOTHING]),
        (
            "reinit",
            {**NETS, "odd.tf": BOTH.encode() + b"# \xff\n"},
            [("unreadable git.acme.example/acme/", True), ("1 directory never initialised: --new", False)],
        ),
        (
            "config show",
            {".tfrelock.yaml": "nonsense: 1\n"},
            [("no operator's configuration is given: ", False), ("tfrelock: git.acme.example/acme/", True)],
        ),
    ],
)
def test_quiet_leaves_what_went_wrong(
    line: str, files: Files, said: list[tuple[str, bool]], new_repo: New, capsys: Capture
) -> None:
    usual = run(capsys, *line.split(), new_repo("usual", files).path)
    quiet = run(capsys, *line.split(), "--quiet", new_repo("quiet", files).path)
    assert begins(usual.err, said) == [start for start, _ in said]
    assert begins(quiet.err, said) == [start for start, stays in said if stays]
    assert (quiet.code, quiet.out) == (usual.code, usual.out.replace("acme/usual", "acme/quiet"))


def begins(err: str, said: list[tuple[str, bool]]) -> list[str]:
    """Each line as the start that is known of it, or whole."""
    return [next((start for start, _ in said if one.startswith(start)), one) for one in err.splitlines()]


def test_an_open_gate_holds_nothing(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    stated = tmp_path / "stated.yaml"
    stated.write_text(facts("callers-may-lock"))
    line = ("edit", "--phase", "dual-lock", "--config", stated, new_repo("net", NETS).path)
    assert "gate callers-may-lock open, stated " in run(capsys, *line).err
    assert run(capsys, *line, "--quiet").err == ""


def test_an_init_that_failed_is_said(calls: Path, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"app/main.tf": BOTH.replace("net.tf", "app.tf"), "net/main.tf": BOTH})
    (initialised(repo) / "fails").write_text("Error: no credentials\n")
    (repo.path / "app/.terraform").mkdir()
    ran = run(capsys, "reinit", "--write", "--new", "--jobs", "1", "--quiet", repo.path)
    assert (ran.code, len(called(calls))) == (5, 2)
    assert [one.split()[1:] for one in ran.err.splitlines()] == [["FAILED", "git.acme.example/acme/net/net"]]


def test_each_run_of_an_init_is_told(calls: Path, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    initialised(repo)
    ran = run(capsys, "reinit", "--write", "--verbose", repo.path)
    assert (ran.code, "terraform init -reconfigure -input=false" in ran.err.splitlines()) == (0, True)


@pytest.fixture
def clone(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repo]:
    """A token in the environment and another in the URL of the origin; waiting takes no time."""
    monkeypatch.setenv("GITHUB_TOKEN", fake.TOKEN)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    source = make(tmp_path / "source", {"net/main.tf": OLD})
    host.hub.create("acme/net", source.path)
    source.git("clone", "--quiet", str(host.hub.folder / "acme/net.git"), str(tmp_path / "net"))
    repo = Repo(tmp_path / "net")
    named = host.services.direct.replace("://", f"://ada:{MARK}@")
    repo.git("remote", "set-url", "origin", f"{named}/acme/net.git")
    yield repo
    repo.git("remote", "remove", "origin")


def test_programs_and_requests_are_told_without_a_token(desk: Desk, clone: Repo, host: Host) -> None:
    where = ("--forge", "github", "--forge-url", host.services.direct)
    ran = desk.propose(*where, "--yes", "--verbose", clone.path, config=MAY_LOCK)
    lines = ran.err.splitlines()
    assert ran.code == 0
    assert "GET 127.0.0.1/api/v3/repos/acme/net" in lines
    assert "POST 127.0.0.1/api/v3/repos/acme/net/pulls" in lines
    branch = "refs/heads/tfrelock/default/prepare"
    assert f"git ls-remote -- {host.services.direct}/acme/net.git {branch}" in lines
    assert [one for one in lines if one.startswith("git push ")]
    told = "\n".join(lines)
    assert [secret for secret in ("Authorization", *FORMS) if secret in told] == []
    assert [one for one in lines if "?" in one and one.partition(" ")[0].isupper()] == []
