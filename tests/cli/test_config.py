"""`tfrelock config show`: files in; values, words and exit code out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import TABLE, Files, facts, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


def test_every_value_that_holds_is_shown_with_its_line(
    new_repo: New, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = new_repo("net", {".tfrelock.yaml": "engine: opentofu\nexclude:\n  - vendor/**\n"})
    (tmp_path / "relock.yaml").write_text(facts("soaked"))
    monkeypatch.setenv("GITHUB_TOKEN", "s3cr3t")
    ran = run(capsys, "config", "show", repo.path, "--config", tmp_path / "relock.yaml")
    assert (ran.code, ran.err) == (0, "")
    assert (
        ran.out
        == """\
operator
  facts[0].that       soaked                 relock.yaml:2
  facts[0].of.bucket  acme-*                 relock.yaml:3
  facts[0].by         platform@acme.example  relock.yaml:4
  facts[0].because    canary run 8841        relock.yaml:5
  facts[0].until      2099-01-01             relock.yaml:6
git.acme.example/acme/net
  engine      opentofu   .tfrelock.yaml:1
  exclude[0]  vendor/**  .tfrelock.yaml:3
environment
  GITHUB_TOKEN  set
"""
    )


def test_without_configuration_nothing_is_shown(new_repo: New, capsys: Capture) -> None:
    ran = run(capsys, "config", "show", new_repo("net", {"main.tf": TABLE}).path)
    said = "no operator's configuration is given: --config FILE, or its default, names one\n"
    assert (ran.code, ran.out, ran.err) == (0, "", said)


def test_what_is_past_its_day_is_told(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    ended = "ignore:\n  - {rule: floor-open, because: known, until: 2026-01-31}\n"
    file = tmp_path / "relock.yaml"
    file.write_text(ended)
    repo = new_repo("net", {"main.tf": TABLE, ".tfrelock.yaml": ended})
    ran = run(capsys, "config", "show", repo.path, "--config", file)
    told = [
        f"tfrelock: {name}:2: ended on 2026-01-31 and counts no more"
        for name in (file.name, ".tfrelock.yaml")
    ]
    assert (ran.code, ran.err.splitlines()) == (0, told)


def test_all_mistakes_of_the_operator_are_said_at_once(
    new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    file = tmp_path / "relock.yaml"
    file.write_text("fact: []\nforge:\n  name: githug\n")
    ran = run(capsys, "audit", new_repo("net", {"main.tf": TABLE}).path, "--config", file)
    assert ran.code == 1
    assert ran.err == (
        f"tfrelock: {file}: it has 2 mistakes, by line:\n"
        "  1: `fact` is not a key; did you mean `facts`?\n"
        "  3: `forge.name` cannot be `githug`; did you mean `github`?\n"
        "  try: tfrelock config show --schema operator\n"
    )


@pytest.mark.parametrize("command", [("audit", "--fail-on", "never"), ("config", "show")])
@pytest.mark.parametrize("key", ["facts", "aws", "forge", "proposals"])
def test_a_repository_that_says_what_only_an_operator_may_is_told(
    command: tuple[str, ...], key: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, ".tfrelock.yaml": f"engine: terraform\n{key}: {{}}\n"})
    ran = run(capsys, *command, repo.path)
    assert ran.code == 5
    said = f"`{key}` is for the operator's configuration: a repository may not say this of itself"
    assert said in ran.out + ran.err


@pytest.mark.parametrize("whose", ["operator", "repository"])
def test_the_schemas_are_published(whose: str, capsys: Capture) -> None:
    ran = run(capsys, "config", "show", "--schema", whose)
    assert ran.code == 0
    assert json.loads(ran.out)["properties"]["exclude"]["type"] == "array"


def test_a_path_that_is_not_there_is_3(capsys: Capture, tmp_path: Path) -> None:
    ran = run(capsys, "config", "show", tmp_path / "absent")
    assert ran.code == 3
    assert "no such file or directory" in ran.err
