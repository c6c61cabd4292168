"""What a verdict says of a role, `--live` reads of it, `--self` answers as it, and real Terraform then meets.

All the same; and after our own edit of the role's policy, put live, the same runs pass.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import Struct

from migrate.demo.checkout import Checkout
from migrate.iam import (
    Address,
    Caller,
    Class,
    Judge,
    Kind,
    Layer,
    Question,
    Workspaces,
    Writing,
    lock_verdict,
)
from migrate.model import Known
from migrate.terraform import Ran
from tests.aws.conftest import ALL, BUCKET, Allowed, Aws, Pipeline, policy
from tests.iam.policies import read
from tests.real.lab import NEW, edit, terraform

pytestmark = pytest.mark.terraform

KEY = "net/terraform.tfstate"
ROOT = f"""\
terraform {{
  backend "s3" {{
    bucket       = "{BUCKET}"
    key          = "{KEY}"
    region       = "eu-west-1"
    use_lockfile = true
    encrypt      = true
  }}
}}

resource "terraform_data" "subnet" {{}}
"""
AGAIN = "-replace=terraform_data.subnet"
"""Makes an apply write the state whatever it holds."""


class Case(Struct, frozen=True):
    """A role by what it may do with which objects, and what becomes of the locks it takes.

    `myself` is said by `--self`; `runs` are workspaces in which a run as the role is told so.
    """

    name: str
    statements: Sequence[Allowed]
    verdict: Class
    myself: str
    runs: Sequence[tuple[str, str]]


READ = (("GetObject",), "*")
CASES = [
    Case(
        "no-delete",
        [(("GetObject", "PutObject"), "*")],
        Class.STUCK_LOCK,
        "stuck lock: PUT is allowed, DELETE is refused: nobody could release it",
        [("default", "Error releasing the state lock"), ("default", "Error acquiring the state lock")],
    ),
    Case(
        "no-put",
        [READ, (("PutObject",), "*.tfstate")],
        Class.CANNOT_LOCK,
        "cannot lock: GET is allowed, PUT is refused",
        [("default", "Error acquiring the state lock")],
    ),
    Case(
        "no-workspace",
        [READ, (("PutObject",), KEY), (("PutObject",), f"env:/*/{KEY}"), (ALL, f"{KEY}.tflock")],
        Class.PARTIAL_WORKSPACES,
        "cannot lock: GET is allowed, PUT is refused",
        [("default", ""), ("stage", "Error acquiring the state lock")],
    ),
]


def verdict(role: str, document: str) -> Class:
    """What becomes of the lock in the default workspace and in all others, by the policy alone."""
    caller = Caller(role)
    judge = Judge(caller, [Layer(Kind.IDENTITY, (read(document),))])
    address = Address(BUCKET, KEY, "eu-west-1")
    asked = Question(address, caller, caller.account, writing=Writing(encrypt=Known(value=True)))
    return lock_verdict(judge, asked, [Workspaces.EVERY]).outcome


def apply(checkout: Checkout, workspace: str) -> Ran:
    """An apply in a workspace that is there."""
    assert checkout.run("workspace", "select", workspace).code == 0
    return checkout.apply(AGAIN)


def said(pipeline: Pipeline, aws: Aws, role: str) -> tuple[int, str]:
    asked = ["--self", "--other-endpoint", "--yes", "--workspace", "default", "--workspace", "stage"]
    ran = pipeline.run_as(aws.session_of(role), "iam", "check", *asked)
    return ran.code, ran.out


def seen(pipeline: Pipeline, aws: Aws, role: str) -> str:
    """The class that `--live` finds for a role, as somebody who may read the account."""
    ran = pipeline.live(aws.admin, "check", "--workspace", "stage", "--format", "json")
    name = role.rsplit("/", maxsplit=1)[-1]
    rows: list[dict[str, str]] = json.loads(ran.out)["verdicts"]
    return next(row["class"] for row in rows if row["holder"] == f"role/{name}")


@pytest.mark.parametrize("release", NEW)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_runs_meet_what_the_verdict_says_and_pass_once_our_edit_is_live(
    case: Case, release: str, aws: Aws, pipeline: Pipeline
) -> None:
    document = policy(*case.statements)
    role = aws.role(f"{case.name}-{release}", document)
    folder = pipeline.repository({"main.tf": ROOT, "policies/state.json": document})
    workspaces_made(aws, folder, release)
    checkout = Checkout("ci", terraform(release), folder, aws.session_of(role))

    assert verdict(role, document) is case.verdict
    assert seen(pipeline, aws, role) == case.verdict.value
    code, words = said(pipeline, aws, role)
    assert (code, case.myself in words) == (2, True), words
    for workspace, error in case.runs:
        ran = apply(checkout, workspace)
        assert (ran.code, error in ran.err) == (1 if error else 0, True), ran.err

    aws.remove_locks()
    edit(folder, "iam")
    edited = (folder / "policies/state.json").read_text()
    aws.put_role_policy(role, edited)

    assert verdict(role, edited) is Class.OK
    assert seen(pipeline, aws, role) == "ok"
    assert said(pipeline, aws, role)[0] == 0
    assert [apply(checkout, workspace).err for workspace in ("default", "stage")] == ["", ""]
    assert not [key for key in aws.current() if key.endswith(".tflock")]


def workspaces_made(aws: Aws, folder: Path, release: str) -> None:
    """Somebody who may has initialised the root and made its workspaces."""
    checkout = Checkout("admin", terraform(release), folder, aws.admin)
    made = [checkout.init(), checkout.apply(), checkout.run("workspace", "new", "stage"), checkout.apply()]
    assert [ran.code for ran in made] == [0, 0, 0, 0]
