"""A person at a desk who proposes: an operator's configuration, an --out folder, git's own identity."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import TABLE, Files, Ran, backend, facts, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]
OLD = TABLE.replace(">= 1.11.0", ">= 1.5")
OLD_APP = backend(key="app.tfstate").replace(">= 1.11.0", ">= 1.5")
MAY_LOCK = facts("callers-may-lock")
SOAKED = facts("soaked", "table-known")


class Desk:
    """A person with an operator's configuration, an --out folder, and git's own identity."""

    def __init__(self, folder: Path, capsys: Capture) -> None:
        self.folder = folder
        self.out = folder / "out"
        self._capsys = capsys

    def propose(self, *arguments: object, config: str = "") -> Ran:
        given = []
        if config:
            (self.folder / "tfrelock.yaml").write_text(config)
            given = ["--config", self.folder / "tfrelock.yaml"]
        return run(self._capsys, "propose", *arguments, *given)

    def made(self, repo: Repo, *arguments: object, config: str = "") -> Ran:
        return self.propose("--yes", "--out", self.out, *arguments, repo.path, config=config)

    def pages(self) -> list[str]:
        return sorted(str(path.relative_to(self.out)) for path in self.out.rglob("*.md"))

    def page(self, name: str) -> str:
        return (self.out / "git.acme.example/acme" / name).read_text()


@pytest.fixture
def desk(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Desk:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Ada Acme\n\temail = ada@acme.example\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    return Desk(tmp_path, capsys)
