"""`tfrelock explain`: a rule, a class of locks, or the engine table."""

from __future__ import annotations

import re

import pytest

from migrate.cli.main import relock, run
from migrate.config import read_operator
from migrate.reports.class_text import CLASSES
from migrate.rules import ALL
from migrate.versions import FACTS


@pytest.mark.parametrize("rule", [*sorted(ALL), "cannot-lock", "partial-workspaces", "stuck-lock"])
def test_every_rule_and_class_has_why_and_remedy(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(relock, ["explain", rule]) == 0
    printed = capsys.readouterr().out
    assert all(word in printed for word in (rule, "Why\n", "Remedy\n"))


@pytest.mark.parametrize(
    ("gate", "stated"),
    [("soaked", True), ("callers-may-lock", True), ("writers-dual", False), ("table-unused", False)],
)
def test_a_gate_that_may_be_stated_shows_an_entry_that_can_be_pasted(
    gate: str, stated: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(relock, ["explain", gate]) == 0
    _, _, entry = capsys.readouterr().out.partition("To state it, in the file given by --config\n")
    assert bool(entry) == stated
    if stated:
        operator, loaded = read_operator(entry.replace("YYYY-MM-DD", "2099-01-01"), "relock.yaml")
        assert [(fact.that, dict(fact.of)) for fact in operator.facts] == [(gate, {"bucket": "acme-state-*"})]
        assert loaded.mistakes == ()


@pytest.mark.parametrize("arguments", [[], ["engines"]])
def test_the_engine_table(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(relock, ["explain", *arguments]) == 0
    printed = capsys.readouterr().out
    assert "Terraform: use_lockfile from 1.10.0 on, floor 1.11.0\n" in printed
    assert max(map(len, printed.splitlines())) <= 100
    words = " ".join(printed.split())
    for fact in (fact for facts in FACTS.values() for fact in facts):
        assert f"{fact.bearing} {fact.span} {fact.what}: {fact.consequence}" in words
        assert all(source in words for source in fact.sources)


def test_help_names_every_rule_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Each can be copied: no name is broken where it has a hyphen."""
    assert run(relock, ["explain", "--help"]) == 0
    _, _, listed = capsys.readouterr().out.partition("RULE is one of: ")
    assert {*ALL, *CLASSES, "engines"} == {*re.split(r"[,.]\s+", listed.strip() + " ")} - {""}


def test_an_unknown_rule_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(relock, ["explain", "nonsense"]) == 64
    assert "'nonsense' is no rule" in capsys.readouterr().err
