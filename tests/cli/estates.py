"""Small invented estates, and the command line run over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec import Struct

from migrate.cli.main import relock
from migrate.cli.main import run as run_command
from tests.secrets import MARK


class Ran(Struct, frozen=True):
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """One command line, in this process; whatever it is asked, it prints no token."""
    capsys.readouterr()
    code = run_command(relock, [str(argument) for argument in arguments])
    printed = capsys.readouterr()
    assert MARK not in printed.out + printed.err
    return Ran(code, printed.out, printed.err)


def backend(*extra: str, key: str = "net.tfstate", table: str = "acme-locks") -> str:
    """A `terraform` block with a backend; `extra` are lines after the table."""
    lines = [
        'bucket         = "acme-state"',
        f'key            = "{key}"',
        'region         = "eu-west-1"',
        *([f'dynamodb_table = "{table}"'] if table else []),
        *extra,
    ]
    body = "\n".join(f"    {line}" for line in lines)
    return f'terraform {{\n  required_version = ">= 1.11.0"\n\n  backend "s3" {{\n{body}\n  }}\n}}\n'


def reader(table: str = "acme-locks", key: str = "net.tfstate") -> str:
    named = f'\n    dynamodb_table = "{table}"' if table else ""
    return (
        'data "terraform_remote_state" "net" {\n  backend = "s3"\n\n  config = {\n'
        f'    bucket         = "acme-state"\n    key            = "{key}"{named}\n  }}\n}}\n'
    )


TABLE = backend()
BOTH = backend("use_lockfile   = true")
LOCKFILE = backend("use_lockfile   = true", table="")
UNLOCKED = backend(table="")

POLICY = """\
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": ["s3:GetObject", "s3:PutObject"],
      "Resource": "arn:aws:s3:::acme-state/net.tfstate"
    }
  ]
}
"""
"""Whoever holds it may write the state of `backend()`."""

FACTS = """\
facts:
  - that: {that}
    of: {{bucket: "acme-*"}}
    by: platform@acme.example
    because: "canary run 8841"
    until: 2099-01-01
"""


def facts(*named: str) -> str:
    """An operator's configuration that states these facts."""
    entries = [FACTS.format(that=that).removeprefix("facts:\n") for that in named]
    return "facts:\n" + "".join(entries)


Files = Mapping[str, str | bytes]
Lines = Sequence[str]
