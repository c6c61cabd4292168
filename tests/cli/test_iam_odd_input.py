"""Policies that are not as they should be: what `iam check` says of them, where, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cli.estates import TABLE, Files, run
from tests.iam.policies import Json
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

STATE: Mapping[str, Json] = {
    "Effect": "Allow",
    "Action": ["s3:GetObject", "s3:PutObject"],
    "Resource": "arn:aws:s3:::acme-state/*",
}
MANY = [{**STATE, "Resource": f"arn:aws:s3:::acme-data-{number:03}/*"} for number in range(150)]
CUT = '{"Statement": [{"Effect": "Allow", "Action": "s3:PutObject"'
STUCK = "STUCK-LOCK role/ci"


def policy(*statements: Json, version: str = "2012-10-17") -> str:
    return json.dumps({"Version": version, "Statement": statements}, indent=2)


def role(document: str) -> str:
    return (
        'resource "aws_iam_role" "ci" {\n  name = "ci"\n}\n\n'
        'resource "aws_iam_role_policy" "ci" {\n  role   = aws_iam_role.ci.id\n'
        f"  policy = <<EOF\n{document}\nEOF\n}}\n"
    )


@pytest.mark.parametrize(
    ("document", "code", "said"),
    [
        (CUT, 6, "Not read: git.acme.example/acme/net iam.tf:9: this policy is not JSON before"),
        (
            '{"Statement": [{"Action": "s3:*"}, ${jsonencode(var.more)}]}',
            6,
            "Not read: git.acme.example/acme/net iam.tf:8: this policy is not JSON before",
        ),
        ('{"Statement": "s3:PutObject"}', 6, "that nobody who is known locks"),
        (policy(STATE, version="2008-10-17"), 2, STUCK),
        (policy(STATE, version="2026-10-17"), 6, "(iam.tf:9: Version 2026-10-17 is none of IAM's)"),
        (json.dumps({"Statement": STATE}), 2, STUCK),
        (policy({**STATE, "Action": "s3:PutObject"}), 2, STUCK),
        (
            policy({**STATE, "Action": ["s3:PutObject", "s3:GetObject", "s3:DeletObject"]}),
            2,
            "Misnamed: iam.tf:11-19: s3:DeletObject is no action and allows nothing; s3:DeleteObject may be",
        ),
        (policy({**STATE, "Sid": "A"}, {**STATE, "Sid": "A"}), 6, "Sid A stands twice)"),
        (policy(STATE, {**STATE, "Effect": "allow"}), 6, "(iam.tf:20: Effect is neither Allow nor Deny)"),
        (policy(STATE, *MANY), 2, STUCK),
    ],
    ids=[
        *("cut off", "a template", "no policy", "of 2008", "a Version of its own", "a single Statement"),
        *("a string for a list", "an unknown action", "a Sid twice", "no Effect of IAM's", "20 KB"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_policy_and_how_it_ends(
    document: str, code: int, said: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": role(document)})
    ran = run(capsys, "iam", "check", repo.path)
    assert (ran.code, said in " ".join(ran.out.split()), ran.err) == (code, True, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CUT, "ci.json:1: this policy is not JSON: a comma or } should stand here"),
        ('{"Statement": [{"Action": "s3:*"}, ${more}]}', "ci.json:1: this is a template whose expressions"),
    ],
)
def test_a_policy_that_cannot_be_read_keeps_no_other_from_its_verdict_and_edit(
    text: str, said: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": role(policy(STATE)), "ci.json": text})
    checked = run(capsys, "iam", "check", repo.path)
    assert (checked.code, STUCK in " ".join(checked.out.split())) == (6, True)
    assert f"Not read: git.acme.example/acme/net {said}" in " ".join(checked.out.split())
    edited = run(capsys, "edit", "--phase", "iam", "--write", repo.path)
    assert (edited.code, f"refused git.acme.example/acme/net {said}" in edited.err) == (5, True)
    assert "TerraformStateLockFile" in (repo.path / "iam.tf").read_text()
    assert (repo.path / "ci.json").read_text() == text


def test_json_that_speaks_of_no_bucket_is_nobodys_business(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "a.json": '{"Statement": [{"Action": "sns:Publish",}]}'})
    assert "Not read" not in run(capsys, "iam", "check", repo.path).out


def test_a_document_that_would_grow_too_long_is_not_edited(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": role(policy(STATE, *MANY))})
    ran = run(capsys, "edit", "--phase", "iam", "--write", repo.path)
    assert (ran.code, "of 10,240 → grant the lock in a policy of its own" in ran.err) == (5, True)


@pytest.mark.parametrize(
    ("saved", "why"),
    [
        ('{"RoleDetailList": [', "no JSON, or cut off"),
        ("{}", "this is no answer of aws iam get-account-authorization-details"),
        ('{"RoleDetailList": [], "NextToken": "A"}', "ends in the middle: more roles and policies"),
        (None, "cannot be read: no such file or directory"),
    ],
)
def test_a_saved_answer_that_is_not_whole_is_partial(
    saved: str | None, why: str, new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo, file = new_repo("net", {"main.tf": TABLE}), tmp_path / "saved.json"
    if saved is not None:
        file.write_text(saved)
    ran = run(capsys, "iam", "check", "--gaad", file, repo.path)
    assert (ran.code, why in ran.err, f"unreadable {file}" in ran.err) == (5, True, True)
