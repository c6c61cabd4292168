from pathlib import Path

import pytest

from tests.cli.desk import Capture, Desk
from tests.github.fixtures import host, services

__all__ = ["host", "services"]


@pytest.fixture
def desk(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Desk:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Ada Acme\n\temail = ada@acme.example\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    return Desk(tmp_path, capsys)
