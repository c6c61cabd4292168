"""The playbook, command by command as it stands there, to the first ten proposals."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests import docs
from tests.cli.campaign.estate import Estate, net
from tests.cli.desk import MAY_LOCK
from tests.cli.estates import Ran

PLAYBOOK: Final = Path(__file__).parents[3] / "playbooks/campaign.md"


def commands(section: str) -> Iterator[list[str]]:
    """The commands in the code blocks of a section, by its number, as words; comments are none."""
    text = PLAYBOOK.read_text().partition(f"## {section}.")[2].partition("\n## ")[0]
    for line in docs.code(text):
        if line.startswith(("tfrelock campaign ", "$ tfrelock campaign ")):
            yield shlex.split(line.removeprefix("$ "), comments=True)[2:]


def ran(estate: Estate, words: list[str]) -> Ran:
    """As in the playbook, but for the folder, the forge and the repositories."""
    names = {"locks.campaign": str(estate.file), "*/payments-*": "*/net2"}
    names |= {name: str(estate.folder / name) for name in ("relock.yaml", "wave2")}
    url = ("--forge-url", estate.host.services.direct)
    where = ("--forge", "github", *url) if "--config" in words else url if words[0] == "add" else ()
    return estate.run(*(names.get(word, word) for word in words), *where)


def test_the_first_ten_proposals(estate: Estate) -> None:
    (estate.folder / "relock.yaml").write_text(MAY_LOCK)
    for number in range(12):
        estate.create(f"net{number}", net(number))
    for section in ("1", "2"):
        for words in commands(section):
            assert ran(estate, words).code == 0, words
    assert len(estate.pulls()) == 5
    estate.merge("net0", "net1", "net10")
    for words in commands("3"):
        assert ran(estate, words).code == 0, words
    assert len(estate.pulls()) == 12
    assert "proposals: 2 open, 3 merged" in estate.out[-2]
    for section in ("4", "5"):
        for words in commands(section):
            assert ran(estate, [*words[:1], *_settled(words[1:])]).code == 0, words


def test_the_file_may_be_named_from_where_one_stands(estate: Estate, monkeypatch: pytest.MonkeyPatch) -> None:
    estate.create("net0", net(0))
    estate.begun()
    monkeypatch.chdir(estate.folder)
    where = ("--forge", "github", "--forge-url", estate.host.services.direct)
    assert estate.run("next", estate.file.name, *where, "--yes").code == 0
    assert len(estate.pulls()) == 1


def _settled(words: list[str]) -> list[str]:
    """These two name no configuration and write into a folder of their own."""
    return [*words, "--config", "relock.yaml"] if "--over" not in words else words
