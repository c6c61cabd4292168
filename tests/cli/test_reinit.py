"""`tfrelock reinit` before a stand-in that records its calls: directories in, commands and words out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from migrate.files.alone import alone
from tests.cli.desk import Capture, New
from tests.cli.estates import BOTH, TABLE, Ran, run
from tests.repo import Repo

STAND_IN = """\
#!/bin/sh
echo "$(basename "$0") $* in $(basename "$PWD")" >> "$CALLS"
[ -e interrupts ] && { kill -INT $PPID; sleep 5; }
[ -e hangs ] && { echo $$ > hangs; sleep 60; }
[ -e fails ] && { cat fails; exit 1; }
[ -e saved.json ] && mkdir -p .terraform && cp saved.json .terraform/terraform.tfstate
exit 0
"""
CONFIG: Mapping[str, object] = {
    "bucket": "acme-state",
    "key": "net.tfstate",
    "region": "eu-west-1",
    "dynamodb_table": "acme-locks",
}


PARTIAL = {
    "net/main.tf": 'terraform {\n  backend "s3" {\n    key = "net.tfstate"\n  }\n}\n',
    "net/dev.tfbackend": """\
bucket         = "acme-state"
region         = "eu-west-1"
dynamodb_table = "acme-locks"
use_lockfile   = true
""",
}


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the stand-ins for all three programs write down how they were called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("terraform", "tofu", "terragrunt"):
        (folder / name).write_text(STAND_IN)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "calls"


def saved(**changed: object) -> str:
    return json.dumps({"version": 3, "backend": {"type": "s3", "config": {**CONFIG, **changed}}})


def initialised(
    repo: Repo, root: str = "net", workspace: str = "", changed: Mapping[str, object] | None = None
) -> Path:
    """A root that was initialised with the table, or what else is said; an init would make it current."""
    folder = repo.path / root
    (folder / ".terraform").mkdir(parents=True)
    (folder / ".terraform/terraform.tfstate").write_text(saved(**(changed or {})))
    (folder / "saved.json").write_text(saved(use_lockfile=True))
    if workspace:
        (folder / ".terraform/environment").write_text(workspace)
    return folder


def statuses(capsys: Capture, repo: Repo, *arguments: object) -> tuple[list[tuple[str, str]], Ran]:
    ran = run(capsys, "reinit", "--format", "json", *arguments, repo.path)
    found = json.loads(ran.out)["directories"]
    return [(one["status"], one["why"] or "") for one in found], ran


def called(calls: Path) -> list[str]:
    return sorted(calls.read_text().splitlines()) if calls.exists() else []


def test_it_lists_and_runs_nothing(calls: Path, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    initialised(repo)
    ran = run(capsys, "reinit", repo.path)
    assert ran.out == (
        "stale     git.acme.example/acme/net net  use_lockfile was not set, is true\n"
        "          terraform init -reconfigure -input=false\n"
        "1 root: 1 stale\n"
    )
    assert ran.err == "1 directory would be initialised anew: --write does it\n"
    assert (ran.code, called(calls)) == (0, [])
    assert run(capsys, "reinit", "--check", repo.path).code == 2


def test_write_runs_it_once(calls: Path, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    (initialised(repo, workspace="blue") / ".terraform.lock.hcl").write_text("")
    found, ran = statuses(capsys, repo, "--write")
    assert (found, ran.code) == ([("done", "use_lockfile was not set, is true")], 0)
    assert called(calls) == ["terraform init -reconfigure -input=false -lockfile=readonly in net"]
    assert (repo.path / "net/.terraform/environment").read_text() == "blue"
    assert statuses(capsys, repo, "--write")[0] == [("current", "")]
    assert len(called(calls)) == 1


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"bucket": "other"}, "bucket is acme-state in source, other in the directory"),
        ({"key": "old.tfstate"}, "key is net.tfstate in source, old.tfstate in the directory"),
        ({"region": "us-east-1"}, "region is eu-west-1 in source, us-east-1 in the directory"),
        ({"workspace_key_prefix": "w"}, "workspace_key_prefix is nothing in source, w in the directory"),
        ({"endpoints": {"s3": "https://s3.acme.example"}}, "endpoints.s3 is nothing in source"),
    ],
)
def test_another_state_is_refused(
    changed: Mapping[str, object], why: str, calls: Path, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    initialised(repo, changed=changed)
    ((status, said),), ran = statuses(capsys, repo, "--write")
    assert (status, ran.code, called(calls)) == ("refused", 5, [])
    assert said.startswith(why)


@pytest.mark.parametrize(
    ("text", "state", "why"),
    [
        (BOTH.replace('"net.tfstate"', "var.key"), saved(), "key is var.key: not known from source"),
        (BOTH, "{", "its terraform.tfstate is no JSON: an init was broken off there"),
        (BOTH, '{"backend": {"type": "local"}}', "it was initialised for a backend of type local"),
        ('terraform {\n  backend "s3" {\n  }\n}\n', saved(), "the rest of its backend comes from a file"),
    ],
)
def test_what_is_not_known_is_refused(
    text: str, state: str, why: str, calls: Path, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"net/main.tf": text})
    (initialised(repo) / ".terraform/terraform.tfstate").write_text(state)
    ((status, said),), _ = statuses(capsys, repo, "--write")
    assert (status, called(calls)) == ("refused", [])
    assert said.startswith(why)


def test_a_workspace_whose_name_is_no_text_is_refused(calls: Path, new_repo: New, capsys: Capture) -> None:
    """It could not be selected again as it was."""
    repo = new_repo("net", {"net/main.tf": BOTH})
    (initialised(repo) / ".terraform/environment").write_bytes(b"\xff")
    found, _ = statuses(capsys, repo, "--write")
    assert (found, called(calls)) == ([("refused", "the name of its workspace is no UTF-8")], [])


def test_no_name_of_a_workspace_is_that_of_default(calls: Path, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    initialised(repo, workspace="\n")
    ran = run(capsys, "reinit", "--format", "json", repo.path)
    assert [one["workspace"] for one in json.loads(ran.out)["directories"]] == ["default"]


def test_a_new_directory_is_left_unless_asked_for(calls: Path, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH, "net/saved.json": saved(use_lockfile=True)})
    assert statuses(capsys, repo, "--write")[0] == [("new", "")]
    assert statuses(capsys, repo, "--write", "--new")[0] == [("done", "")]
    assert called(calls) == ["terraform init -reconfigure -input=false in net"]


@pytest.mark.parametrize(
    "said",
    [
        "Error: no such bucket\n",
        "Initializing the backend...\n╷\n│ Error: no such bucket\n│ \n│ one more Error: word\n╵\n",
        "12:10:02.690 INFO   Downloading\n12:10:02.731 STDERR tofu: Error: no such bucket\nexit status 1\n",
    ],
    ids=["plain", "framed", "through Terragrunt"],
)
def test_a_failure_is_told_and_the_next_run_goes_on(
    said: str, calls: Path, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"a/main.tf": BOTH, "b/main.tf": TABLE.replace("net.tfstate", "b.tfstate")})
    (initialised(repo, "a") / "fails").write_text(said)
    initialised(repo, "b", changed={"key": "b.tfstate"})
    found, ran = statuses(capsys, repo, "--write")
    assert [status for status, _ in found] == ["failed", "current"]
    assert found[0][1].startswith("Error: no such bucket (all of it: ")
    assert (ran.code, "[1/1] FAILED" in ran.err) == (5, True)
    (repo.path / "a/fails").unlink()
    assert statuses(capsys, repo, "--write")[0][0][0] == "done"


def test_a_failure_without_an_error_is_told_by_its_first_line(
    calls: Path, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"a/main.tf": BOTH})
    (initialised(repo, "a") / "fails").write_text("\n  panic: broken\nmore\n")
    assert statuses(capsys, repo, "--write")[0][0][1].startswith("panic: broken (all of it: ")


def test_one_that_was_broken_off_runs_again(calls: Path, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    folder = initialised(repo, workspace="blue")
    (folder / "interrupts").touch()
    assert run(capsys, "reinit", "--write", repo.path).code == 130
    (folder / "interrupts").unlink()
    (folder / ".terraform/terraform.tfstate").write_text(saved(use_lockfile=True))  # it got so far
    (folder / ".terraform/environment").write_text("default")
    found, _ = statuses(capsys, repo, "--write")
    assert found[0][0] == "done"
    assert found[0][1].startswith("workspace blue stays selected")
    assert (folder / ".terraform/environment").read_text() == "blue"


@pytest.mark.parametrize("request_", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_whoever_asks_it_to_end_the_inits_end_with_it(
    request_: signal.Signals, calls: Path, new_repo: New, capsys: Capture
) -> None:
    """As runners do on cancel: all inits are asked at once, and the next run goes on."""
    repo = new_repo("net", {"a/main.tf": BOTH, "b/main.tf": BOTH})
    waiting = [initialised(repo, name) / "hangs" for name in ("a", "b")]
    for file in waiting:
        file.touch()
    command = [sys.executable, "-m", "migrate", "reinit", "--write", "--jobs", "2", str(repo.path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        pids = [awaited(file) for file in waiting]
        running.send_signal(request_)
        said = running.communicate(timeout=30)
    assert (running.returncode, *said) == (130, b"", b"\ntfrelock: interrupted\n")
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
    for file in waiting:
        file.unlink()
        (file.parent / ".terraform/terraform.tfstate").write_text(saved(use_lockfile=True))  # it got so far
    assert [status for status, _ in statuses(capsys, repo, "--write")[0]] == ["done", "done"]


def test_inits_that_outlive_a_killed_run_keep_the_next_one_waiting(
    calls: Path, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"a/main.tf": BOTH})
    hangs = initialised(repo, "a") / "hangs"
    hangs.touch()
    command = [sys.executable, "-m", "migrate", "reinit", "--write", str(repo.path)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as running:
        pid = int(awaited(hangs))
        running.kill()
    ran = run(capsys, "reinit", "--write", repo.path)
    assert (ran.code, "another run is at work" in ran.err) == (1, True)
    os.killpg(pid, signal.SIGKILL)
    hangs.unlink()
    assert [status for status, _ in statuses(capsys, repo, "--write")[0]] == ["done"]


def awaited(file: Path) -> str:
    """What is written to a file before long."""
    until = time.monotonic() + 60
    while not (said := file.read_text().strip()) and time.monotonic() < until:
        time.sleep(0.05)
    return said


@pytest.mark.parametrize("selected", ["green", "default"])
def test_a_workspace_that_was_selected_after_a_failure_stays(
    selected: str, calls: Path, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    folder = initialised(repo, workspace="blue")
    (folder / "fails").write_text("Error: no such bucket\n")
    statuses(capsys, repo, "--write")
    (folder / "fails").unlink()
    (folder / ".terraform/environment").write_text(selected)
    assert statuses(capsys, repo, "--write")[0][0][0] == "done"
    assert (folder / ".terraform/environment").read_text() == selected


def test_two_runs_are_never_at_work_at_once(
    calls: Path, new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    initialised(repo)
    with alone(tmp_path / "logs/lock"):
        ran = run(capsys, "reinit", "--write", "--logs", tmp_path / "logs", repo.path)
    assert (ran.code, called(calls)) == (1, [])
    assert "another run is at work\n  try: wait until it has ended\n" in ran.err
    assert run(capsys, "reinit", "--write", "--logs", tmp_path / "logs", repo.path).code == 0


@pytest.mark.parametrize("name", ["a b", "e\x1b[31mx", "n" * 250, "caf\udce9"])
def test_a_directory_may_have_any_name(name: str, calls: Path, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {})
    (initialised(repo, name) / "main.tf").write_text(BOTH)
    assert [status for status, _ in statuses(capsys, repo, "--write")[0]] == ["done"]


def test_a_partial_file_that_terraform_takes_for_a_setting_is_refused(
    calls: Path, new_repo: New, capsys: Capture
) -> None:
    """`-backend-config=key=prod/dev.tfbackend` would go to another state."""
    files = {
        "net/main.tf": PARTIAL["net/main.tf"],
        "net/key=prod/dev.tfbackend": PARTIAL["net/dev.tfbackend"],
    }
    settings = "backend_config:\n  net: [net/key=prod/dev.tfbackend]\n"
    repo = new_repo("net", {**files, ".tfrelock.yaml": settings})
    initialised(repo)
    ((status, why),), _ = statuses(capsys, repo, "--write")
    assert (status, called(calls)) == ("refused", [])
    assert why.startswith("key=prod/dev.tfbackend has a = in its name")


@pytest.mark.parametrize("data", ["/data", "../data"])
def test_one_data_directory_for_many_roots_is_refused(
    data: str, new_repo: New, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TF_DATA_DIR", data)
    ran = run(capsys, "reinit", new_repo("net", {"net/main.tf": BOTH}).path)
    assert (ran.code, "one data directory cannot serve many roots" in ran.err) == (1, True)


def test_an_init_that_did_not_do_it_is_not_believed(calls: Path, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    (initialised(repo) / "saved.json").unlink()
    found, ran = statuses(capsys, repo, "--write")
    assert found == [("failed", "init ended well, and yet: use_lockfile was not set, is true")]
    assert ran.code == 5


TERRAGRUNT = """\
remote_state {
  backend = "s3"
  config = {
    bucket         = "acme-state"
    key            = "net.tfstate"
    region         = "eu-west-1"
    dynamodb_table = "acme-locks"
    use_lockfile   = true
  }
}
"""


@pytest.mark.parametrize(
    ("files", "command"),
    [
        (PARTIAL, "terraform init -reconfigure -input=false -backend-config=dev.tfbackend in net"),
        ({"net/main.tofu": BOTH}, "tofu init -reconfigure -input=false in net"),
        ({"net/terragrunt.hcl": TERRAGRUNT}, "terragrunt init -reconfigure -input=false in net"),
    ],
)
def test_each_engine_by_its_own_command(
    files: Mapping[str, str], command: str, calls: Path, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", files)
    initialised(repo)
    assert [status for status, _ in statuses(capsys, repo, "--write")[0]] == ["done"]
    assert called(calls) == [command]


@pytest.mark.parametrize("name", ["TF_CLI_ARGS_init", "TF_WORKSPACE", "TG_WORKING_DIR"])
def test_the_environment_has_no_say(
    name: str, calls: Path, new_repo: New, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "-backend-config=key=x")
    ran = run(capsys, "reinit", "--write", new_repo("net", {"net/main.tf": BOTH}).path)
    assert (ran.code, ran.err) == (
        1,
        f"tfrelock: {name}: it would have a say in every init\n  try: unset it\n",
    )
