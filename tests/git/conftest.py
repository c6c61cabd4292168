"""A remote that is reached by an ssh of the user's own configuration, and goes nowhere."""

import shlex
from pathlib import Path

import pytest

from tests.repo import Repo, make


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A bare repository behind `ssh://acme.example/net.git`, by way of the user's own `core.sshCommand`."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name, raising=False)
    ssh = home / "ssh"
    script = 'for last; do :; done\ncd "$(dirname "$0")/.." && eval "${last%% *} ./net.git"'
    ssh.write_text(f"#!/bin/sh\n{script}\n")
    ssh.chmod(0o755)
    (home / ".gitconfig").write_text(f"[core]\nsshCommand = {shlex.quote(str(ssh))}\n[ssh]\nvariant = ssh\n")
    make(tmp_path / "origin", {"main.tf": "table\n"})
    Repo(tmp_path).git("clone", "-q", "--bare", "origin", "net.git")
    return Repo(tmp_path / "net.git")
