"""Commands are quick to start because they import little: a list of modules, not a stop-watch."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click

from migrate.cli import COMMANDS
from tests.pairs import block

HEAVY = {"boto3", "botocore", "hcl2", "httpx", "jinja2", "moto", "rich", "ruamel", "sqlite3", "tree_sitter"}


UNASKED = {
    *("csv", "difflib", "html", "logging", "multiprocessing", "pickle", "subprocess"),
    *(
        "migrate.aws",
        "migrate.compose",
        "migrate.forges",
        "migrate.git",
        "migrate.hcl.grammar",
        "migrate.iam",
    ),
    *(
        "migrate.leaves",
        "migrate.pages",
        "migrate.policies",
        "migrate.process",
        "migrate.proof",
        "migrate.roles",
    ),
}
"""What neither starts, nor reads, nor judges, nor reports the backends of a folder of plain files."""


LISTING = """
import sys
from migrate.cli.main import relock, run
run(relock, sys.argv[1:])
print(*sys.modules, file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    """Every module that a command line imports."""
    done = subprocess.run(
        [sys.executable, "-c", LISTING, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_help_imports_nothing_heavy() -> None:
    modules = imported("--help")
    assert "click" in modules
    assert modules & HEAVY == set()


def test_an_audit_of_plain_files_imports_nothing_that_it_does_not_ask(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(
        block('bucket = "acme-state"', 'key = "net"', 'dynamodb_table = "locks"')
    )
    modules = imported("audit", "--format", "json", str(tmp_path))
    assert {"migrate.estate.join", "migrate.reports.audit_json"} <= modules
    assert modules & (HEAVY | UNASKED) == set()


def own(module: str) -> tuple[str | None, str]:
    command = import_module(module).command
    assert isinstance(command, click.Command)
    return command.name, command.get_short_help_str(limit=200)


def test_listed_summaries_are_the_commands_own() -> None:
    listed = {(name, lazy.summary) for name, lazy in COMMANDS.items()}
    assert listed == {own(lazy.module) for lazy in COMMANDS.values()}
