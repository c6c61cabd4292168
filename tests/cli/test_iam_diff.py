"""`iam diff` from a saved answer: what it prints and writes, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from tests.cli.estates import TABLE, Files, Ran, run
from tests.repo import Repo

ACCOUNT = "111122223333"
Tree = Mapping[str, object]


def answer(*actions: str, at_home: Sequence[str] = ()) -> Tree:
    """One role with these rights on every object of the bucket, and some from one network alone."""
    statement = {"Effect": "Allow", "Action": list(actions), "Resource": "arn:aws:s3:::acme-state/*"}
    home = {"Condition": {"StringEquals": {"aws:SourceVpce": "vpce-1"}}}
    own = {
        "PolicyName": "own",
        "PolicyDocument": {
            "Version": "2012-10-17",
            "Statement": [statement, *([{**statement, "Action": at_home, **home}] if at_home else [])],
        },
    }
    arn = f"arn:aws:iam::{ACCOUNT}:role/ci"
    return {"RoleDetailList": [{"RoleName": "ci", "Arn": arn, "RolePolicyList": [own]}]}


STUCK = answer("s3:GetObject", "s3:PutObject")
WELL = answer("s3:*")
READER = answer("s3:GetObject")
OPEN = answer("s3:GetObject", "s3:PutObject", at_home=["s3:DeleteObject"])


class Diff(Protocol):
    def __call__(self, saved: object, /, *options: object) -> Ran: ...


@pytest.fixture
def diff(capsys: pytest.CaptureFixture[str], new_repo: Callable[[str, Files], Repo], tmp_path: Path) -> Diff:
    def call(saved: object, *options: object) -> Ran:
        new_repo("net", {"main.tf": TABLE})
        file = tmp_path / "saved.json"
        file.write_text(saved if isinstance(saved, str) else json.dumps(saved))
        return run(capsys, "iam", "diff", "--gaad", file, *options, tmp_path / "net")

    return call


def test_the_diff_and_the_commands(diff: Diff, tmp_path: Path) -> None:
    ran = diff(STUCK, "--out", tmp_path / "out")
    put = "aws iam put-role-policy --role-name ci --policy-name own --policy-document file://"
    assert (ran.code, ran.err) == (0, "")
    assert (
        ran.out
        == f"""\
# role/ci/own in account {ACCOUNT}: of role/ci
#   {put}{ACCOUNT}:role:ci:own.json
#   back: {put}{ACCOUNT}:role:ci:own.before.json
diff --git a/{ACCOUNT}:role:ci:own.json b/{ACCOUNT}:role:ci:own.json
--- a/{ACCOUNT}:role:ci:own.json
+++ b/{ACCOUNT}:role:ci:own.json
@@ -8,6 +8,14 @@
                 "s3:PutObject"
             ],
             "Resource": "arn:aws:s3:::acme-state/*"
+        }},
+        {{
+            "Sid": "TerraformStateLockFile",
+            "Effect": "Allow",
+            "Action": [
+                "s3:DeleteObject"
+            ],
+            "Resource": "arn:aws:s3:::acme-state/*.tflock"
         }}
     ]
 }}
# From a saved answer: what the account said then. Policies of buckets, endpoints, sessions and the \
organization are not in it, and are taken to add nothing and to deny nothing; those of keys to leave it to \
the account: --live reads all but those of sessions.
# Buckets that no entry of aws: names are taken to be of account {ACCOUNT}.
"""
    )
    before, after = (
        json.loads((tmp_path / "out" / f"{ACCOUNT}:role:ci:own{end}.json").read_text())
        for end in (".before", "")
    )
    assert (len(before["Statement"]), len(after["Statement"])) == (1, 2)


def test_the_same_for_programs(diff: Diff) -> None:
    ran = diff(STUCK, "--format", "json", "--lock-scope", "exact")
    assert ran.err == "the documents that the commands name are not written: --out DIR writes them\n"
    (change,) = json.loads(ran.out)["changes"]
    assert change["patch"][0]["op"] == "test"
    added = change["patch"][1]["value"]
    assert added["Resource"] == "arn:aws:s3:::acme-state/net.tfstate.tflock"
    assert change["after"]["Statement"][1] == added
    assert change["holders"] == ["role/ci"]


def test_nothing_to_change(diff: Diff) -> None:
    ran = diff(WELL)
    assert ran.code == 0
    assert ran.out.startswith("# no policy has to change")


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (READER, "# not known who locks s3://acme-state/net.tfstate: no policy that was read lets anybody"),
        (OPEN, "# Verdicts that are not known, and so not cured: 1."),
    ],
)
def test_what_is_not_known_is_said_and_is_no_success(of: Tree, said: str, diff: Diff) -> None:
    ran = diff(of)
    assert ran.code == 6
    assert said in ran.out


@pytest.mark.parametrize(("of", "untold"), [(READER, ["s3://acme-state/net.tfstate"]), (WELL, [])])
def test_states_that_nobody_locks_for_programs(of: Tree, untold: list[str], diff: Diff) -> None:
    assert json.loads(diff(of, "--format", "json").out)["untold"] == untold


def test_a_state_that_source_does_not_tell_is_said(
    diff: Diff, new_repo: Callable[[str, Files], Repo]
) -> None:
    ran = diff(WELL, new_repo("app", {"main.tf": TABLE.replace('"net.tfstate"', "var.key")}).path)
    assert (ran.code, "source does not tell its bucket or key" in ran.out) == (6, True)


@pytest.mark.parametrize(
    ("saved", "why"),
    [
        ("{", "no JSON, or cut off"),
        ("", "no JSON, or cut off"),
        ("{}", "this is no answer of aws iam get-account-authorization-details"),
        ({**STUCK, "NextToken": "A"}, "ends in the middle"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(saved: object, why: str, diff: Diff, tmp_path: Path) -> None:
    ran = diff(saved)
    assert ran.code == 5
    assert ran.err.startswith(f"unreadable {tmp_path / 'saved.json'}")
    assert why in ran.err


def test_one_way_to_ask(diff: Diff) -> None:
    assert diff(STUCK, "--live").code == 64
