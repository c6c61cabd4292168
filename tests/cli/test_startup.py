"""`--help` is quick because it imports little: a list of modules, not a stop-watch."""

import subprocess
import sys
from importlib import import_module

import click

from migrate.cli import COMMANDS

HEAVY = {"boto3", "botocore", "hcl2", "httpx", "jinja2", "moto", "rich", "ruamel", "sqlite3", "tree_sitter"}


def test_help_imports_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "migrate", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "click" in imported
    assert imported & HEAVY == set()


def own(module: str) -> tuple[str | None, str]:
    command = import_module(module).command
    assert isinstance(command, click.Command)
    return command.name, command.get_short_help_str(limit=200)


def test_listed_summaries_are_the_commands_own() -> None:
    listed = {(name, lazy.summary) for name, lazy in COMMANDS.items()}
    assert listed == {own(lazy.module) for lazy in COMMANDS.values()}
