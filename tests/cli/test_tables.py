"""What makes the lock table: told by `audit`, never touched by `edit`."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.cli.estates import BOTH, Files, backend, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

MAKES = """\

resource "aws_dynamodb_table" "locks" {
  name     = "acme-locks"
  hash_key = "LockID"

  lifecycle {
    prevent_destroy = true
  }
}

output "dynamodb_table" {
  value = aws_dynamodb_table.locks.name
}
"""
FILES: Files = {
    "boot/main.tf": BOTH + MAKES,
    "app/main.tf": backend("use_lockfile = true", key="app.tfstate"),
}


def test_audit_tells_who_makes_the_table(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", FILES)
    told = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)
    (table,) = told["tables"]
    assert {name: table[name] for name in ("kind", "name", "table", "unknown", "path", "line", "guards")} == {
        "kind": "resource",
        "name": "aws_dynamodb_table.locks",
        "table": "acme-locks",
        "unknown": None,
        "path": "boot/main.tf",
        "line": 13,
        "guards": ["prevent_destroy"],
    }
    assert table["states"] == ["s3://acme-state/app.tfstate", "s3://acme-state/net.tfstate"]
    assert table["carriers"] == [
        {"kind": "output", "name": "dynamodb_table", "path": "boot/main.tf", "line": 22, "followed": False}
    ]
    assert told["summary"]["unaccounted"] == 0


def test_the_owner_is_told_in_words(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", FILES)
    ran = run(capsys, "audit", repo.path)
    head, row = next((head, row) for head, row in pairwise(ran.out.splitlines()) if head.startswith("TABLE "))
    assert head.split() == ["TABLE", "STATES", "MADE", "BY", "(goes", "last", "of", "all)", "GUARDS"]
    assert row.split() == [
        "acme-locks",
        "2",
        "aws_dynamodb_table.locks",
        "boot/main.tf:13",
        "prevent_destroy",
    ]
    found = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)["findings"]
    (message,) = [f["message"] for f in found if f["rule"] == "table-owner"]
    assert message == (
        "aws_dynamodb_table.locks makes the lock table acme-locks, which 2 states here lock in; "
        "its own root locks in it: that root retires first, and the table goes in a later change; "
        "with prevent_destroy; nothing read here follows output dynamodb_table (boot/main.tf:22)"
    )


def test_retire_leaves_it_as_it_is(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", FILES)
    run(capsys, "edit", "--phase", "retire", "--force", "all holders are dual", "--write", repo.path)
    text = (repo.path / "boot/main.tf").read_text()
    assert text.endswith(MAKES)
    assert "dynamodb_table =" not in text
