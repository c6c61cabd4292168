"""What else runs the program for people: the GitLab template and the pre-commit hook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from ruamel.yaml import YAML

from migrate.cli.main import relock
from tests import docs
from tests.action.runner import ACTION, Tree
from tests.cli.desk import OLD
from tests.cli.estates import LOCKFILE, TABLE
from tests.forge_server import Pull
from tests.forges.sites import Site, site
from tests.gitlab import fake
from tests.repo import Repo, make

ROOT: Final = ACTION.parent
TEMPLATE: Final = ROOT / "templates/ci/gitlab.yml"


def loaded(file: Path) -> Tree:
    tree = YAML(typ="safe").load(file.read_text("utf-8"))
    assert isinstance(tree, dict)
    return tree


@pytest.fixture
def gitlab(tmp_path: Path) -> Iterator[Site]:
    """A GitLab with a repository whose branch `change` swaps the lock, and its open merge request."""
    source = make(tmp_path / "source", {"net/main.tf": TABLE, "app/main.tf": OLD.replace("net", "app")})
    source.branch("change")
    source.commit({"net/main.tf": LOCKFILE})
    source.git("checkout", "--quiet", "main")
    source.git("clone", "--quiet", "--bare", ".", str(tmp_path / "net.git"))
    Repo(tmp_path / "net.git").git("config", "http.receivepack", "true")
    with site("gitlab", tmp_path / "hub", tmp_path / "net.git") as found:
        found.hub.pulls["acme/net"] = [Pull(1, "change", "main", "Change", "", draft=False)]
        yield found


_BASIC: Final = b64encode(f"x-access-token:{fake.TOKEN}".encode()).decode()


def job(
    name: str, forge: Site, folder: Path, branch: str, token: str = fake.TOKEN
) -> subprocess.CompletedProcess[str]:
    """A job's script as GitLab's runner gives it to a shell, in a checkout of a branch."""
    work = Repo(folder / "work")
    if not work.path.exists():
        Repo(folder).git("clone", "--quiet", str(folder / "source"), str(work.path))
        work.git("remote", "set-url", "origin", f"{forge.url}/acme/net.git")
    work.git("checkout", "--quiet", branch)
    described = loaded(TEMPLATE)[name]
    assert isinstance(described, dict)
    script = described["script"]
    assert isinstance(script, list)
    environment = {
        "HOME": str(folder),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "CI_SERVER_URL": forge.url,
        "CI_SERVER_HOST": "127.0.0.1",
        "CI_MERGE_REQUEST_IID": "1",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "GIT_CONFIG_COUNT": "1",  # the runner leaves what its job may fetch with
        "GIT_CONFIG_KEY_0": "http.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: Basic {_BASIC}",
        "GITLAB_TOKEN": token,
        "TFRELOCK_FAIL_ON": "warning",
    }
    lines = "\n".join(["set -eo pipefail", *map(str, script)])
    return subprocess.run(
        ["bash", "-c", lines], cwd=work.path, env=environment, capture_output=True, text=True, check=False
    )


def test_gitlabs_guard(gitlab: Site, tmp_path: Path) -> None:
    first = job("tfrelock-guard", gitlab, tmp_path, "change")
    assert first.returncode == 2, first.stdout + first.stderr
    again = job("tfrelock-guard", gitlab, tmp_path, "change")
    assert again.returncode == 2
    [note] = gitlab.opened[0].comments
    assert "**one-step-swap** (error, 1)" in note
    assert "one-step-swap" in (tmp_path / "work/tfrelock.sarif").read_text()
    assert fake.TOKEN not in first.stdout + first.stderr + again.stdout + again.stderr


def test_gitlabs_guard_ends_as_the_audit_did_though_no_note_can_be_written(
    gitlab: Site, tmp_path: Path
) -> None:
    done = job("tfrelock-guard", gitlab, tmp_path, "change", token="expired")
    assert (done.returncode, gitlab.opened[0].comments) == (2, [])
    assert "the forge does not accept the token" in done.stderr


def test_gitlabs_migrate(gitlab: Site, tmp_path: Path) -> None:
    done = job("tfrelock-migrate", gitlab, tmp_path, "main")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [pull.head for pull in gitlab.opened][1:] == [
        "tfrelock/default/prepare",
        "tfrelock/default/dual-lock",
    ]


SAID: Final = re.compile(r"(?:^|[ -] )tfrelock ([a-z]+ [^|;\n]+)|arguments=\(([^\n]+)\)", re.MULTILINE)


@pytest.mark.parametrize("file", ["action.yml", "templates/ci/gitlab.yml"])
def test_commands_and_flags_exist(file: str) -> None:
    lines = (ROOT / file).read_text("utf-8").splitlines()
    code = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    commands = [one or two for one, two in SAID.findall(code)]
    assert len(commands) >= 3
    assert [(one, *docs.mistakes(one, relock)) for one in commands if list(docs.mistakes(one, relock))] == []


def test_the_hook_of_pre_commit() -> None:
    [hook] = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert list(docs.mistakes(hook["entry"].removeprefix("tfrelock "), relock)) == []
    named = re.compile(hook["files"])
    assert all(map(named.search, ["main.tf", "a/terragrunt.hcl", "x.tfbackend", "main.tf.json", "a.tofu"]))
    assert not any(map(named.search, ["main.py", "tf", "README.md"]))
