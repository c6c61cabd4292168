"""Documents name commands, flags, targets and files that exist."""

import re
from pathlib import Path

import click
import pytest

from migrate.cli.main import relock
from tests import docs

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("playbooks/**/*.md"))]
_CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
TEMPLATES = sorted(path for path in ROOT.glob("templates/**/*") if path.is_file())
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def test_commands_and_flags_exist() -> None:
    said = [
        (page.name, f"tfrelock {arguments}", mistake)
        for page in PAGES + TEMPLATES
        for arguments in docs.commands(page.read_text("utf-8"), "tfrelock")
        for mistake in docs.mistakes(arguments, relock)
    ]
    assert said == []


def test_targets_of_make_exist() -> None:
    said = [
        (page.name, f"make {arguments}")
        for page in PAGES
        for arguments in docs.commands(page.read_text("utf-8"), "make")
        if arguments.split()[0] not in TARGETS
    ]
    assert said == []


def test_code_shown_to_contributors_is_that_of_the_program() -> None:
    shown = re.findall(
        r"`(migrate/[\w/]+\.py)`[^`]*(?:`[^`\n]*`[^`]*)*?```python\n(.*?)```", _CONTRIBUTING, re.DOTALL
    )
    assert [path for path, code in shown if code not in (ROOT / path).read_text("utf-8")] == []
    assert shown


def test_linked_files_exist() -> None:
    dead = [
        (page.name, link)
        for page in PAGES
        for link in docs.links(page.read_text("utf-8"))
        if not (page.parent / link).exists()
    ]
    assert dead == []


SAMPLE = click.Group(
    commands={
        "edit": click.Command(
            "edit",
            params=[
                click.Option(["--phase"], type=click.Choice(["pin", "iam"])),
                click.Option(["-o", "--out"]),
            ],
        ),
        "iam": click.Group("iam", commands={"check": click.Command("check")}),
    }
)


@pytest.mark.parametrize(
    ("document", "wrong"),
    [
        ("Prose may say tfrelock sing --loud.", []),
        ("`tfrelock` alone", []),
        ("`tfrelock edit --phase pin --out=DIR .`", []),
        ("`tfrelock edit [PATH…] --phase P [-o DIR]`", []),
        ("`tfrelock iam check` and `tfrelock --help`", []),
        ("`tfrelock sing`", ["no command sing"]),
        ("`tfrelock iam sing`", ["no command sing"]),
        ("`tfrelock iam check --loud`", ["no option --loud"]),
        ("`tfrelock edit --phase retire`", ["--phase does not take retire"]),
        ("`tfrelock edit --phase=retire`", ["--phase does not take retire"]),
        ("```console\n$ tfrelock edit --write\n```\n", ["no option --write"]),
        ("```\ntfrelock edit \\\n  --write | less --raw\n```\n", ["no option --write"]),
    ],
)
def test_mistakes_are_found(document: str, wrong: list[str]) -> None:
    found = [docs.mistakes(arguments, SAMPLE) for arguments in docs.commands(document, "tfrelock")]
    assert [mistake for mistakes in found for mistake in mistakes] == wrong


def test_sessions_are_read() -> None:
    page = "```console\n$ relock a\none\n\n$ relock b\n$ relock c\n  two\n…\n```\n```sh\nrelock d\n```\n"
    assert list(docs.sessions(page)) == [
        [("relock a", ["one"]), ("relock b", []), ("relock c", ["  two", "…"])]
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "told"),
    [
        ("one", "one\n", True),
        ("one", "one\ntwo\n", False),
        ("one\n…", "one\ntwo\nthree\n", True),
        ("…\nthree", "one\ntwo\nthree\n", True),
        ("one\n…\nfour", "one\ntwo\nthree\n", False),
        ("a.c", "abc\n", False),
    ],
)
def test_what_is_shown_may_leave_lines_out(shown: str, printed: str, told: bool) -> None:
    assert docs.tells(shown.split("\n"), printed) is told
