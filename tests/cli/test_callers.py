"""Who takes a lock, as workflows, backends and policies name them → what the gate of the dual lock says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import TABLE, Files, backend, facts, reader, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

AS_STATE = backend('assume_role    = { role_arn = "arn:aws:iam::111122223333:role/state" }')
WORKFLOW = """\
jobs:
  plan:
    steps:
      - uses: aws-actions/configure-aws-credentials@v4
        with:
          role-to-assume: arn:aws:iam::111122223333:role/ci
      - run: terraform plan
"""
LIMITED = WORKFLOW.replace("      - run", "          inline-session-policy: ${{ vars.POLICY }}\n      - run")
CALLING = WORKFLOW.replace("terraform plan", "%s")
ROLE = """\
resource "aws_iam_role" "ci" {
  name = "ci"
  inline_policy {
    policy = jsonencode({
      Statement = [{ Effect = "Allow", Action = [%s], Resource = "arn:aws:s3:::%s/*" }]
    })
  }
}
"""
PROVIDER = """\
provider "aws" {
  assume_role {
    role_arn = "arn:aws:iam::111122223333:role/deploy"
  }
}
"""
PUT = '"s3:GetObject", "s3:PutObject"'
ALL = f'{PUT}, "s3:DeleteObject"'
NOBODY = "nobody said whether the roles of git.acme.example/acme/net may write the lock"
HERE = ".github/workflows/plan.yml"
MAY_LIMIT = f"named in {HERE}:6, which inline-session-policy at {HERE}:7 may limit"
NO_LOCK = "a provider's, which takes no lock"
NOTHING = "nothing that is attached to it at iam/ci.tf:1 reaches the state"
ELSEWHERE = "what makes it is in none of the given repositories"


def gate(capsys: Capture, *arguments: object) -> tuple[str, str, str]:
    ran = run(capsys, "plan", "--format", "json", *arguments)
    steps = json.loads(ran.out)["states"][0]["steps"]
    (said,) = [one for step in steps for one in step["because"] if one["gate"] == "callers-may-lock"]
    return said["outcome"], said["message"], said["settle"]


@pytest.mark.parametrize(
    ("files", "outcome", "because"),
    [
        ({"main.tf": TABLE}, "unknown", NOBODY),
        (
            {"main.tf": TABLE, HERE: WORKFLOW},
            "unknown",
            f"role/ci: named in {HERE}:6, and {ELSEWHERE}; {NOBODY}",
        ),
        (
            {"main.tf": TABLE, HERE: WORKFLOW, "iam/ci.tf": ROLE % (PUT, "acme-state")},
            "broken",
            f"role/ci: stuck lock: s3:DeleteObject; named in {HERE}:6",
        ),
        (
            {"main.tf": TABLE, HERE: WORKFLOW, "iam/ci.tf": ROLE % (ALL, "acme-state")},
            "unknown",
            f"role/ci: may lock; named in {HERE}:6; {NOBODY}",
        ),
        (
            {"main.tf": TABLE, HERE: LIMITED, "iam/ci.tf": ROLE % (PUT, "acme-state")},
            "unknown",
            f"role/ci: stuck lock: s3:DeleteObject; {MAY_LIMIT}; {NOBODY}",
        ),
        (
            {"main.tf": TABLE, HERE: WORKFLOW, "iam/ci.tf": ROLE % (ALL, "acme-other")},
            "unknown",
            f"role/ci: named in {HERE}:6, and {NOTHING}; {NOBODY}",
        ),
        (
            {"main.tf": AS_STATE, HERE: WORKFLOW},
            "unknown",
            f"role/state: named in main.tf:4, and {ELSEWHERE}; {NOBODY}",
        ),
        (
            {"main.tf": TABLE, "app/main.tf": "", HERE: WORKFLOW.replace("plan\n", "-chdir=app plan\n")},
            "unknown",
            NOBODY,
        ),
        (
            {"main.tf": TABLE, "providers.tf": PROVIDER},
            "unknown",
            f"role/deploy: {NO_LOCK}: named in providers.tf:3, and {ELSEWHERE}; {NOBODY}",
        ),
        ({"main.tf": TABLE, f"examples/{HERE}": WORKFLOW}, "unknown", NOBODY),
        (
            {"main.tf": TABLE, HERE: CALLING % "make plan", "Makefile": "plan:\n\tterraform plan\n"},
            "unknown",
            f"role/ci: named in {HERE}:6, and {ELSEWHERE}; {NOBODY}",
        ),
        (
            {"main.tf": TABLE, HERE: CALLING % "sh ci/plan.sh", "ci/plan.sh": "terraform -chdir=.. plan\n"},
            "unknown",
            f"role/ci: named in {HERE}:6, and {ELSEWHERE}; {NOBODY}",
        ),
        (
            {"main.tf": TABLE, HERE: CALLING % "npm test", "Makefile": "plan:\n\tterraform plan\n"},
            "unknown",
            NOBODY,
        ),
    ],
    ids=[
        *(
            "nobody",
            "unseen",
            "stuck",
            "granted",
            "limited",
            "elsewhere",
            "backend",
            "other root",
            "provider",
            "example",
        ),
        *("through make", "through a script", "make not called"),
    ],
)
def test_a_role_is_tied_to_what_it_is_given(
    files: Files, outcome: str, because: str, new_repo: New, capsys: Capture
) -> None:
    found = gate(capsys, new_repo("net", files).path)
    assert found[:2] == (outcome, because)


def test_a_role_of_another_given_repository_is_found_there(new_repo: New, capsys: Capture) -> None:
    net = new_repo("net", {"main.tf": TABLE, HERE: WORKFLOW})
    iam = new_repo("iam", {"ci.tf": ROLE % (PUT, "acme-state")})
    assert gate(capsys, net.path, iam.path)[:2] == (
        "broken",
        f"role/ci: stuck lock: s3:DeleteObject; named in {HERE}:6",
    )


def test_what_would_settle_it_names_the_role_and_its_place(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, HERE: WORKFLOW})
    assert gate(capsys, repo.path)[2].startswith(f"as role/ci ({HERE}:6): tfrelock iam check --self")


def test_a_providers_role_takes_no_lock_and_holds_nothing_back(
    new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, HERE: WORKFLOW, "providers.tf": PROVIDER})
    config = tmp_path / "relock.yaml"
    config.write_text(facts("callers-may-lock").replace("bucket:", "role:").replace("acme-*", "ci"))
    assert gate(capsys, "--config", config, repo.path)[0] == "holds"


def test_a_word_for_the_role_opens_it(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    repo, config = new_repo("net", {"main.tf": TABLE, HERE: WORKFLOW}), tmp_path / "relock.yaml"
    config.write_text(facts("callers-may-lock").replace("bucket:", "role:").replace("acme-*", "ci"))
    assert gate(capsys, "--config", config, repo.path)[0] == "holds"


def test_a_policy_that_cannot_be_read_is_told_by_the_gate(new_repo: New, capsys: Capture) -> None:
    cut = '{"Statement": [{"Effect": "Allow", "Action": "s3:*", '
    repo = new_repo("net", {"main.tf": TABLE, "ci.json": cut})
    outcome, because, _ = gate(capsys, repo.path)
    assert outcome == "unknown"
    assert because.startswith(
        "the policy at ci.json:1: it cannot be read, so who may lock by it is not known: "
    )


def account(actions: list[str], bucket: str = "acme-state") -> str:
    """A saved answer with the role that the workflow names, and one that nothing names."""
    statement = {"Effect": "Allow", "Action": actions, "Resource": f"arn:aws:s3:::{bucket}/*"}
    roles = [
        {
            "RoleName": name,
            "Arn": f"arn:aws:iam::111122223333:role/{name}",
            "RolePolicyList": [{"PolicyName": "own", "PolicyDocument": {"Statement": [statement]}}],
        }
        for name in ("ci", "somebody")
    ]
    return json.dumps({"RoleDetailList": roles, "IsTruncated": False})


GET_PUT = ["s3:GetObject", "s3:PutObject"]
NOT_THERE = "nothing that is attached to it in its account, as that was saved, reaches the state"
SAVED = "as its account was saved; named in"


@pytest.mark.parametrize(
    ("answer", "outcome", "because"),
    [
        (account(GET_PUT), "broken", f"role/ci: stuck lock: s3:DeleteObject, {SAVED} {HERE}:6"),
        (account([*GET_PUT, "s3:DeleteObject"]), "unknown", f"role/ci: may lock, {SAVED} {HERE}:6; {NOBODY}"),
        (
            account(GET_PUT, "acme-other"),
            "unknown",
            f"role/ci: named in {HERE}:6, and {NOT_THERE}; {NOBODY}",
        ),
        (
            account(GET_PUT).replace("111122223333", "444455556666"),
            "unknown",
            f"role/ci: named in {HERE}:6, and {ELSEWHERE}; {NOBODY}",
        ),
    ],
    ids=["stuck", "granted", "elsewhere", "another account"],
)
def test_a_saved_account_tells_what_a_named_role_is_given_and_opens_nothing(
    answer: str, outcome: str, because: str, new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo, folder = new_repo("net", {"main.tf": TABLE, HERE: WORKFLOW}), tmp_path / "facts"
    folder.mkdir()
    (folder / "account.json").write_text(answer)
    assert gate(capsys, "--facts", folder, repo.path)[:2] == (outcome, because)


def test_a_saved_account_that_is_not_whole_is_said(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    repo, folder = new_repo("net", {"main.tf": TABLE, HERE: WORKFLOW}), tmp_path / "facts"
    folder.mkdir()
    (folder / "account.json").write_text(account(GET_PUT)[:-20])
    ran = run(capsys, "plan", "--facts", folder, repo.path)
    assert ran.err.startswith("tfrelock: account.json: no JSON, or cut off")


@pytest.mark.parametrize("phases", [[], ["readers", "dual-lock"], ["pin", "dual-lock"], ["dual-lock"]])
def test_a_role_that_would_be_stuck_holds_the_dual_lock_back_behind_every_phase(
    phases: list[str], new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    """Whatever was stated, and whatever is merged before."""
    other = {"app.tf": reader(), ".terraform-version": "1.9.8\n"} if phases != ["dual-lock"] else {}
    files = {"net/main.tf": TABLE, HERE: WORKFLOW, "iam/ci.tf": ROLE % (PUT, "acme-state"), **other}
    (tmp_path / "operator.yaml").write_text(facts("callers-may-lock"))
    named = [word for phase in phases for word in ("--phase", phase)]
    ran = run(capsys, "propose", "--config", tmp_path / "operator.yaml", *named, new_repo("net", files).path)
    assert "Lock state in S3" not in ran.out, ran.out
    assert ("role/ci: stuck lock" in ran.err, "callers-may-lock open" in ran.err) == (True, False)
