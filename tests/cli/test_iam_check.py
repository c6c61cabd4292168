"""`iam check` on source: one line of verdict for each role and lock, with the statement that decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import BOTH, TABLE, Files, backend, facts, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

ROLE = """\
resource "aws_iam_role" "{name}" {{
  name = "acme-{name}"
}}

resource "aws_iam_role_policy" "{name}" {{
  role = aws_iam_role.{name}.id
  policy = jsonencode({{
    Version = "2012-10-17"
    Statement = [
      {{
        Sid      = "State"
        Effect   = "Allow"
        Action   = [{actions}]
        Resource = "{resource}"
      }},
    ]
  }})
}}

"""


def role(name: str, *actions: str, on: str = "arn:aws:s3:::acme-state/*") -> str:
    return ROLE.format(name=name, actions=", ".join(f'"s3:{one}"' for one in actions), resource=on)


ALL = role("all", "GetObject", "PutObject", "DeleteObject")
STUCK = role("ci", "GetObject", "PutObject")
STATE_ONLY = role("exact", "GetObject", "PutObject", on="arn:aws:s3:::acme-state/net.tfstate")
READER = role("app", "GetObject")
UNKNOWN = role("odd", "GetObject", "PutObject", "DeleteObject", on="arn:aws:s3:::acme-state/${var.key}")


def test_each_role_and_lock_with_the_statement_that_decides(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": READER + STUCK + STATE_ONLY + ALL})
    ran = run(capsys, "iam", "check", repo.path)
    assert ran.code == 2
    assert (
        ran.out
        == """\
STUCK-LOCK          role/acme-ci
                    s3://acme-state/net.tfstate
                    s3:PutObject, s3:GetObject: allowed by "State" (iam.tf:29-34)
                    s3:DeleteObject: nothing in the identity policies allows it
                    → the lock would be created and never released; tfrelock edit --phase iam
CANNOT-LOCK         role/acme-exact
                    s3://acme-state/net.tfstate
                    s3:PutObject, s3:GetObject, s3:DeleteObject: nothing in the identity policies
                      allows it
                    → its next plan would be refused; tfrelock edit --phase iam
ok                  role/acme-all
                    s3://acme-state/net.tfstate
                    allowed by "State" (iam.tf:67-72)
4 holders of policies, 1 state: 1 stuck-lock, 1 cannot-lock, 1 ok
From source: what is merged here, not what is live. Not looked at: service control and resource
  control policies, policies of endpoints and of sessions, rights to KMS keys, and what other
  repositories attach.
Role and bucket are taken to be of one account.
"""
    )


@pytest.mark.parametrize(
    ("roles", "code"),
    [(ALL, 0), (READER, 6), (STUCK, 2), (STATE_ONLY, 2), (UNKNOWN, 6), (STUCK + UNKNOWN, 6), ("", 6)],
)
def test_how_it_ends(roles: str, code: int, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": BOTH, "iam.tf": roles})
    assert run(capsys, "iam", "check", repo.path).code == code


OPEN = ALL.replace('"arn:aws:s3:::acme-state/*"', '"${var.state_bucket_arn}/*"')
ALONE = '{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}}'


@pytest.mark.parametrize(
    ("files", "condition"),
    [
        ({"iam.tf": OPEN}, "only if ${var.state_bucket_arn} means the state's bucket"),
        ({"ci.json": ALONE}, "only if nothing else denies it to whoever holds it"),
    ],
)
def test_what_holds_only_if_something_else_is_so_is_not_known(
    files: Files, condition: str, new_repo: New, capsys: Capture
) -> None:
    ran = run(capsys, "iam", "check", new_repo("net", {"main.tf": BOTH, **files}).path)
    assert (ran.code, ran.out.split()[0], condition in ran.out) == (6, "ok", True)


def test_the_edit_cures_what_it_says(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": STUCK + STATE_ONLY})
    run(capsys, "edit", "--phase", "iam", "--write", repo.path)
    ran = run(capsys, "iam", "check", repo.path)
    assert (ran.code, ran.out.splitlines()[-5]) == (0, "2 holders of policies, 1 state: 2 ok")


def test_what_is_for_people_to_paste_keeps_no_other_edit_of_its_file_back(
    new_repo: New, capsys: Capture
) -> None:
    over = """\
data "aws_iam_policy_document" "teams" {
  dynamic "statement" {
    for_each = var.teams
    content {
      actions   = ["s3:PutObject"]
      resources = ["arn:aws:s3:::acme-state/${statement.value}*"]
    }
  }
}
"""
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": STUCK + over})
    ran = run(capsys, "edit", "--phase", "iam", "--write", repo.path)
    assert (ran.code, "acme/net iam.tf:21: an expression makes" in ran.err) == (0, True)
    assert "TerraformStateLockFile" in (repo.path / "iam.tf").read_text()


def test_roles_and_states_of_two_repositories_meet(new_repo: New, capsys: Capture) -> None:
    net, iam = new_repo("net", {"main.tf": TABLE}), new_repo("iam", {"iam.tf": STUCK})
    assert run(capsys, "iam", "check", net.path, iam.path).code == 2
    assert run(capsys, "iam", "check", iam.path).code == 0


def test_the_document_for_programs(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": READER + STUCK})
    document = json.loads(run(capsys, "iam", "check", "--format", "json", repo.path).out)
    assert document["schema"] == "tfrelock.iam/1"
    assert document["summary"] == {
        "holders": 2,
        "states": 1,
        "ok": 0,
        "ok-as-state": 0,
        "cannot-lock": 0,
        "stuck-lock": 1,
        "partial-workspaces": 0,
        "unknown": 0,
        "not-a-locker": 1,
    }
    (verdict,) = document["verdicts"]
    assert (verdict["holder"], verdict["state"], verdict["class"], verdict["by"]) == (
        "role/acme-ci",
        "s3://acme-state/net.tfstate",
        "stuck-lock",
        "source",
    )
    assert [(one["action"], one["answer"], one["where"]) for one in verdict["actions"]] == [
        ("s3:PutObject", "allowed", "iam.tf:29-34"),
        ("s3:GetObject", "allowed", "iam.tf:29-34"),
        ("s3:DeleteObject", "denied", None),
    ]
    assert verdict["workspaces"] == {"default": "stuck-lock", "every workspace": "stuck-lock"}


def test_a_bucket_policy_has_a_say(new_repo: New, capsys: Capture) -> None:
    deny = """\
resource "aws_s3_bucket_policy" "state" {
  bucket = "acme-state"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid       = "Keep"
        Effect    = "Deny"
        Principal = "*"
        Action    = "s3:DeleteObject"
        Resource  = "arn:aws:s3:::acme-state/*"
      },
    ]
  })
}
"""
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": ALL + deny})
    ran = run(capsys, "iam", "check", repo.path)
    assert ran.code == 2
    assert 's3:DeleteObject: denied by "Keep" (iam.tf:25-31)' in ran.out
    assert "except the lock from that Deny" in ran.out


def test_a_policy_that_may_be_the_buckets_leaves_it_unknown(new_repo: New, capsys: Capture) -> None:
    deny = """\
resource "aws_s3_bucket_policy" "state" {
  bucket = "${var.team}-state"
  policy = jsonencode({
    Statement = [{ Effect = "Deny", Principal = "*", Action = "s3:DeleteObject", Resource = "*" }]
  })
}
"""
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": ALL, "bucket/main.tf": deny})
    ran = run(capsys, "iam", "check", repo.path)
    told = "s3:DeleteObject: not known: it hangs on bucket/main.tf:3 being the policy of acme-state"
    assert (ran.code, told in " ".join(ran.out.split())) == (6, True)


def test_workspaces_that_are_used_count(new_repo: New, capsys: Capture) -> None:
    exact = role("ci", "GetObject", "PutObject", "DeleteObject", on="arn:aws:s3:::acme-state/net.tfstate*")
    wide = exact + role("wide", "PutObject", on="arn:aws:s3:::acme-state/env:/*")
    both = wide.replace("aws_iam_role.wide.id", "aws_iam_role.ci.id")
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": both})
    ran = run(capsys, "iam", "check", repo.path)
    assert (ran.code, "named workspaces, if any is used: stuck-lock" in ran.out) == (0, True)
    ran = run(capsys, "iam", "check", "--workspace", "stage", repo.path)
    assert (ran.code, ran.out.split()[0]) == (2, "PARTIAL-WORKSPACES")


def test_a_role_that_would_be_stuck_closes_the_gate_of_the_dual_lock(
    new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo, config = new_repo("net", {"main.tf": TABLE, "iam.tf": STUCK}), tmp_path / "operator.yaml"
    config.write_text(facts("callers-may-lock"))
    ran = run(capsys, "plan", repo.path, "--config", config)
    said = "dual-lock closed git.acme.example/acme/net iam.tf:1: role/acme-ci: stuck lock: s3:DeleteObject"
    assert said in " ".join(ran.out.split())
    run(capsys, "edit", "--phase", "iam", "--write", repo.path)
    ran = run(capsys, "plan", repo.path, "--config", config)
    assert "stuck lock" not in ran.out
    assert "callers-may-lock is stated by" in ran.out


def test_a_session_policy_of_a_workflow_leaves_it_unknown(new_repo: New, capsys: Capture) -> None:
    workflow = """\
jobs:
  plan:
    steps:
      - uses: aws-actions/configure-aws-credentials@v4
        with:
          role-to-assume: arn:aws:iam::111122223333:role/acme-all
          managed-session-policies: arn:aws:iam::111122223333:policy/plan
      - run: terraform plan
"""
    files = {"main.tf": TABLE, "iam.tf": ALL, ".github/workflows/plan.yml": workflow}
    ran = run(capsys, "iam", "check", new_repo("net", files).path)
    assert ran.code == 6
    assert "Not weighed: managed-session-policies at .github/workflows/plan.yml:7" in ran.out


BUCKET_POLICY = """\
resource "aws_s3_bucket_policy" "this" {
  bucket = var.bucket
  policy = jsonencode({
    Statement = [{ Effect = "Deny", Principal = "*", Action = "%s", Resource = "*" }]
  })
}
"""


@pytest.mark.parametrize(("denied", "code"), [("s3:DeleteObject", 6), ("s3:DeleteBucket", 0)])
def test_a_policy_that_may_be_the_buckets_and_refuse_a_lock_leaves_it_unknown(
    denied: str, code: int, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam.tf": ALL + BUCKET_POLICY % denied})
    ran = run(capsys, "iam", "check", repo.path)
    assert (ran.code, "Not weighed: the policy of a bucket" in ran.out) == (code, code == 6)


ATTACHED = """\
data "aws_iam_role" "it" {
  name = "%s"
}

resource "aws_iam_role_policy" "more" {
  role   = data.aws_iam_role.it.name
  policy = jsonencode({ Statement = [{ Effect = "%s", Action = "s3:DeleteObject", Resource = "*" }] })
}
"""


@pytest.mark.parametrize(
    ("made", "name", "effect", "outcome"),
    [
        (ALL, "acme-all", "Deny", "unknown"),
        (ALL, "acme-all", "Allow", "ok"),
        (ALL, "acme-other", "Deny", "ok"),
        (STUCK, "acme-ci", "Allow", "unknown"),
        (STUCK, "acme-other", "Allow", "stuck-lock"),
    ],
)
def test_what_another_directory_attaches_to_a_role_of_that_name_it_may_hold(
    made: str, name: str, effect: str, outcome: str, new_repo: New, capsys: Capture
) -> None:
    files = {"main.tf": TABLE, "iam/main.tf": made, "guard/main.tf": ATTACHED % (name, effect)}
    ran = run(capsys, "iam", "check", "--format", "json", new_repo("net", files).path)
    verdicts = {one["holder"]: one["class"] for one in json.loads(ran.out)["verdicts"]}
    assert [verdicts[holder] for holder in verdicts if "iam/main.tf" in holder or " " not in holder] == [
        outcome
    ]


def test_asking_is_for_self(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    ran = run(capsys, "iam", "check", "--yes", repo.path)
    assert (ran.code, "go with --self" in ran.err) == (64, True)


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        (
            '"acme-state"',
            '"arn:aws:s3:eu-west-1:111122223333:accesspoint/acme"',
            "its bucket is an access point, which has a policy of its own",
        ),
        (
            '"acme-state"',
            '"acme--euw1-az1--x-s3"',
            "its bucket is a directory bucket, which has actions of its own",
        ),
        ('"acme-state"', "var.bucket", "source does not tell its bucket or key"),
        (
            'region         = "eu-west-1"',
            'region = "eu-west-1"\n    endpoints = { s3 = "https://obj.acme.example" }',
            "its store is not AWS's own",
        ),
    ],
)
def test_a_state_whose_lock_is_not_weighed_is_named_and_leaves_it_unknown(
    old: str, new: str, note: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE.replace(old, new), "iam.tf": ALL})
    ran = run(capsys, "iam", "check", repo.path)
    assert ran.code == 6
    assert "Not weighed: " in ran.out
    assert note in " ".join(ran.out.split())


KEY = """\
resource "aws_kms_key" "state" {
  policy = jsonencode({
    Statement = [
      {
        Sid       = "OfStates"
        Effect    = "Allow"
        Principal = { AWS = aws_iam_role.all.arn }
        Action    = "kms:*"
        Resource  = "*"
        Condition = {
          StringLike = { "kms:EncryptionContext:aws:s3:arn" = "arn:aws:s3:::acme-state/*.tfstate" }
        }
      },
    ]
  })
}
"""


@pytest.mark.parametrize(("key", "code"), [(KEY, 6), (KEY.replace(".tfstate", ""), 0)])
def test_a_key_that_encrypts_states_alone_leaves_their_locks_unknown(
    key: str, code: int, new_repo: New, capsys: Capture
) -> None:
    encrypted = backend('encrypt    = true\n    kms_key_id = "arn:aws:kms:eu-west-1:111122223333:key/1"')
    repo = new_repo("net", {"main.tf": encrypted, "iam.tf": ALL, "kms.tf": key})
    ran = run(capsys, "iam", "check", repo.path)
    why = 'the whole of the key policy ("OfStates" (kms.tf:4-13) looks at kms:encryptioncontext:aws:s3:arn)'
    assert (ran.code, why in " ".join(ran.out.split())) == (code, code == 6)
