"""What would stop a push to GitHub is said before anything is pushed."""

from __future__ import annotations

import pytest

from tests.cli.desk import MAY_LOCK, Desk
from tests.cli.estates import Ran
from tests.cli.test_propose_github import clone, push
from tests.forge_server import Answer, Fault, Tree
from tests.github.fixtures import Host
from tests.repo import Repo
from tests.secrets import MARK

__all__ = ["clone"]

FLOW = """\
jobs:
  plan:
    steps:
      - uses: hashicorp/setup-terraform@v3
        with:
          terraform_version: 1.9.8
"""


def offered(desk: Desk, host: Host, repo: Repo, config: str = MAY_LOCK) -> Ran:
    where = ("--forge", "github", "--forge-url", host.services.direct)
    return desk.propose(*where, "--yes", repo.path, config=config)


def pattern(kind: str, operator: str, text: str, *, negate: bool = False) -> Tree:
    return {"type": kind, "parameters": {"operator": operator, "pattern": text, "negate": negate}}


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (pattern("branch_name_pattern", "starts_with", "team/"), "branch names with: starts with team/"),
        (pattern("branch_name_pattern", "contains", "tf", negate=True), "branch names not: contains tf"),
        (pattern("commit_message_pattern", "regex", r"^ACME-\d+"), r"commit messages with: regex ^ACME-\d+"),
        (pattern("commit_message_pattern", "ends_with", "Signed"), "commit messages with: ends with Signed"),
        ({"type": "required_signatures"}, "commits must be signed there"),
    ],
)
def test_a_rule_that_we_break_stops_us_before_the_push(
    desk: Desk, clone: Repo, host: Host, rule: Tree, why: str
) -> None:
    host.hub.rules.append(rule)
    ran = offered(desk, host, clone)
    assert (ran.code, why in ran.out) == (5, True), ran.out
    assert host.hub.pulls == {}
    assert host.hub.commit("acme/net", "tfrelock/default/prepare") is None


@pytest.mark.parametrize(
    "rule",
    [
        pattern("branch_name_pattern", "starts_with", "tfrelock/"),
        pattern("branch_name_pattern", "regex", "(?P<"),
        pattern("branch_name_pattern", "unheard_of", "x"),
        pattern("commit_message_pattern", "contains", "ACME", negate=True),
        {"type": "deletion"},
    ],
)
def test_a_rule_that_we_keep(desk: Desk, clone: Repo, host: Host, rule: Tree) -> None:
    host.hub.rules.append(rule)
    assert offered(desk, host, clone).code == 0


def test_rules_that_it_does_not_show(desk: Desk, clone: Repo, host: Host) -> None:
    host.hub.faults.append(Fault("GET .*/rules/branches/", Answer(404, {"message": "Not Found"})))
    assert offered(desk, host, clone).code == 0


UNSEEN = "its base is protected, and whether only signed commits may be merged there is not shown"


@pytest.mark.parametrize(
    ("shown", "code", "said"),
    [
        (True, 5, "commits must be signed there"),
        ("Not Found", 0, UNSEEN),
        (False, 0, ""),
        ("Branch not protected", 0, ""),
    ],
    ids=["wants signatures", "does not say", "wants none", "protected by rules alone"],
)
def test_protection_of_the_older_kind(
    desk: Desk, clone: Repo, host: Host, shown: bool | str, code: int, said: str
) -> None:
    host.hub.protected["main"] = shown
    ran = offered(desk, host, clone)
    assert ran.code == code, ran
    assert said in ran.out + ran.err
    assert (UNSEEN in ran.err) == (said == UNSEEN)
    assert (" opened: " in ran.out) == (code == 0)
    again = offered(desk, host, clone)
    assert again.code == code
    assert UNSEEN not in again.err, "nothing is pushed any more"


def test_a_token_without_the_scope_leaves_workflows_to_the_owner(desk: Desk, clone: Repo, host: Host) -> None:
    push(clone, host, {".github/workflows/plan.yml": FLOW})
    host.hub.scopes = "repo, read:org"
    ran = offered(desk, host, clone)
    [pull] = host.hub.pulls["acme/net"]
    assert ran.code == 0
    assert pull.title == "Require Terraform 1.11 or newer", "the dual lock waits for the workflow"
    changed = Repo(host.hub.folder / "acme/net.git").git("diff", "--name-only", "main", pull.head)
    assert changed == "net/main.tf"
    assert "First apply the patch under" in pull.body
    assert "-          terraform_version: 1.9.8" in pull.body


def test_a_token_with_the_scope_changes_them(desk: Desk, clone: Repo, host: Host) -> None:
    push(clone, host, {".github/workflows/plan.yml": FLOW})
    host.hub.scopes = "repo, workflow"
    offered(desk, host, clone)
    [pull] = host.hub.pulls["acme/net"]
    changed = Repo(host.hub.folder / "acme/net.git").git("diff", "--name-only", "main", pull.head)
    assert changed == ".github/workflows/plan.yml\nnet/main.tf"


def test_the_token_of_a_workflows_run_is_said(
    desk: Desk, clone: Repo, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    host.hub.key = f"ghs_{MARK}"
    monkeypatch.setenv("GITHUB_TOKEN", host.hub.key)
    push(clone, host, {".github/workflows/plan.yml": FLOW})
    ran = offered(desk, host, clone)
    assert "the token of a workflow's run makes proposals that start no checks" in ran.err
    [pull] = host.hub.pulls["acme/net"]
    assert "First apply the patch under" in pull.body
