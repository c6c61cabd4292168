"""The entry point: what it prints and which code it exits with."""

from collections.abc import Iterator

import click
import pytest

from migrate import __version__
from migrate.cli.exits import Exit
from migrate.cli.main import relock, run
from migrate.errors import RelockError


@pytest.mark.parametrize(
    ("arguments", "code", "out", "err"),
    [
        (["--version"], 0, f"tfrelock {__version__}\n", ""),
        (["--help"], 0, "Usage: tfrelock", ""),
        (["--nonsense"], 64, "", "No such option"),
        (["nonsense"], 64, "", "No such command 'nonsense'"),
        (["explain", "soaked"], 0, "soaked (gate of retire)\n\nWhy\n", ""),
        (["explain", "soakd"], 64, "", "'soakd' is no rule, gate or class of a lock; did you mean soaked?\n"),
        (
            ["explain", "x"],
            64,
            "",
            "'x' is no rule, gate or class of a lock; tfrelock explain --help names them all\n",
        ),
    ],
)
def test_command_lines(
    arguments: list[str], code: int, out: str, err: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(relock, arguments) == code
    printed = capsys.readouterr()
    assert out in printed.out
    assert err in printed.err


@pytest.mark.parametrize(
    ("group", "listed"),
    [
        (
            "iam",
            ["check  Say for each holder of policies and each state what becomes of the lock,"],
        ),
        ("campaign", ["init ", "add ", "next ", "sync ", "status ", "pause ", "close ", "export "]),
    ],
)
def test_a_group_lists_whole_sentences_in_the_order_of_use(
    group: str, listed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(relock, [group, "--help"]) == 0
    said = " ".join(capsys.readouterr().out.partition("Commands:")[2].split())
    at = [said.find(" ".join(words.split())) for words in listed]
    assert at == sorted(at)
    assert -1 not in at
    assert "..." not in said


def options(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Option]]:
    """Every option, with the words that it is given behind."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in command.list_commands(context):
            if found := command.get_command(context, inner):
                yield from options(found, f"{name} {inner}")
    yield from ((name, option) for option in command.params if isinstance(option, click.Option))


def test_the_help_of_an_option_is_a_sentence_and_says_what_may_be_repeated() -> None:
    said = [(command, option, option.help or "") for command, option in options(relock)]
    wrong = [
        (command, option.name, told)
        for command, option, told in said
        if not told.endswith(".") or option.multiple != ("(repeatable)" in told)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", ["pause", "close"])
def test_what_stops_a_campaign_takes_no_option_that_would_seem_to_spare_a_repository(name: str) -> None:
    assert run(relock, ["campaign", name, "--only", "net", "FILE", "--because", "x"]) == Exit.USAGE


def ends(outcome: BaseException | Exit | None) -> click.Command:
    """A command that ends so."""

    def act() -> Exit | None:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return click.Command("act", callback=act)


@pytest.mark.parametrize(
    ("outcome", "code", "err"),
    [
        (None, 0, ""),
        (Exit.FINDINGS, 2, ""),
        (
            RelockError("git is not on PATH", "", "install git"),
            1,
            "tfrelock: git is not on PATH\n  try: install git\n",
        ),
        (click.FileError("out.json", "read-only"), 1, "Error: Could not open file 'out.json': read-only\n"),
        (click.UsageError("--confirm is missing"), 64, "Error: --confirm is missing\n"),
        (KeyboardInterrupt(), 130, "\ntfrelock: interrupted\n"),
    ],
)
def test_outcomes(
    outcome: BaseException | Exit | None, code: int, err: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(ends(outcome), []) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith(err)
