"""A repository → its statements about states, locks and lock tables, each with the class it is read as."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.corpus.edits import SCREEN, unscreened
from tests.corpus.statements import CLASSES, classed
from tests.corpus.wishes import Change

BACKEND = """\
terraform {
  backend "s3" {
    bucket         = "acme-state"
    key            = "net.tfstate"
    region         = "eu-west-1"
    dynamodb_table = "acme-locks"
  }
}
"""
WRITE = ["s3:GetObject", "s3:PutObject"]
ALL = [*WRITE, "s3:DeleteObject"]
STATE = "arn:aws:s3:::acme-state/*"
ROWS = ["dynamodb:PutItem", "dynamodb:DeleteItem"]
TABLE = "arn:aws:dynamodb:eu-west-1:111122223333:table/acme-locks"


def statement(actions: list[str], resource: str, effect: str = "Allow") -> Mapping[str, object]:
    return {"Effect": effect, "Action": actions, "Resource": resource}


@pytest.mark.parametrize(
    ("statements", "kinds"),
    [
        ([statement(WRITE, STATE)], ["edited"]),
        ([statement(WRITE, "arn:aws:s3:::${state_bucket}/*")], ["edited, to review"]),
        ([statement(ALL, STATE)], ["granted"]),
        ([statement(["s3:GetObject"], STATE)], ["reads"]),
        ([statement(["s3:GetObject"], STATE), statement(ROWS, TABLE)], ["edited", "locks"]),
        ([statement(WRITE, "arn:aws:s3:::${uploads}/*")], ["of something else"]),
        ([statement(WRITE, "arn:aws:s3:::acme-uploads/*")], []),
        ([statement(WRITE, STATE), statement(ALL, "*", "Deny")], ["refused", "denies"]),
        ([statement(["ec2:RunInstances"], "*")], []),
    ],
)
def test_every_statement_that_may_concern_a_lock_has_a_class(
    statements: list[Mapping[str, object]], kinds: list[str], tmp_path: Path
) -> None:
    repo = tmp_path / "net"
    (repo / ".git").mkdir(parents=True)
    (repo / "main.tf").write_text(BACKEND)
    (repo / "ci.json").write_text(json.dumps({"Version": "2012-10-17", "Statement": statements}, indent=2))
    found = classed(repo)
    assert [one.kind for one in found] == kinds
    assert {one.kind for one in found} <= CLASSES.keys()


@pytest.mark.parametrize(("count", "broken"), [(SCREEN, 0), (SCREEN + 1, 1)])
def test_a_grant_that_fills_more_than_a_screen_is_a_broken_promise(count: int, broken: int) -> None:
    added = [Change(7, "", f"line {at}") for at in range(count)]
    assert len(list(unscreened("iam", "ci.tf", added))) == broken
    assert list(unscreened("pin", "ci.tf", added)) == []
