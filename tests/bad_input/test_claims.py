"""A repository that claims what only an operator may say, and a change that excuses itself."""

from __future__ import annotations

import pytest

from tests.cli.desk import Capture, New
from tests.cli.estates import BOTH, LOCKFILE, TABLE, facts, run

OPERATORS = "is for the operator's configuration"
NO_KEY = "is not a key; known: exclude, engine, backend_config, branches, ignore, opt_out"


@pytest.mark.parametrize(
    ("says", "said"),
    [
        ("endpoint: https://s3.attacker.example", f"`endpoint` {NO_KEY}"),
        ("aws: [{buckets: ['*'], profile: admin, account: '111122223333'}]", f"`aws` {OPERATORS}"),
        ("aws: [{buckets: ['*'], role: 'arn:aws:iam::111122223333:role/admin'}]", f"`aws` {OPERATORS}"),
        ("forge: https://forge.attacker.example", f"`forge` {OPERATORS}"),
        (facts("soaked", "table-known").rstrip(), f"`facts` {OPERATORS}"),
    ],
    ids=["an endpoint", "a profile", "a role", "a forge", "a fact"],
)
def test_a_repository_may_name_no_endpoint_forge_role_or_fact(
    says: str, said: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": BOTH, ".tfrelock.yaml": f"{says}\n"})
    audit = run(capsys, "audit", repo.path)
    said = f"git.acme.example/acme/net .tfrelock.yaml:1: {said}"
    assert (audit.code, f"unreadable: {said}" in audit.out) == (5, True), audit.out
    retire = run(capsys, "edit", "--phase", "retire", repo.path)
    assert (retire.code, retire.out, f"unreadable {said}" in retire.err) == (5, "", True), retire.err
    assert "gate soaked unknown (s3://acme-state/net.tfstate): nobody said how long" in retire.err


def test_what_a_repository_excludes_is_said_wherever_it_might_count(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": BOTH, "old/main.tf": TABLE, ".tfrelock.yaml": "exclude: ['old/**']\n"})
    why = "old/**: the repository excludes it: not reported, not edited, but it still counts for gates"
    assert f"left out: 1 ({why})" in run(capsys, "audit", repo.path).out
    assert f"left out git.acme.example/acme/net {why}" in run(capsys, "plan", repo.path).err


WAIVER = '  # tfrelock: ignore[one-step-swap] trust me until=2099-01-01\n  backend "s3"'


@pytest.mark.parametrize(
    "files",
    [
        {"main.tf": LOCKFILE.replace('  backend "s3"', WAIVER)},
        {
            "main.tf": LOCKFILE,
            ".tfrelock.yaml": "ignore: [{rule: one-step-swap, because: trust me, until: 2099-01-01}]\n",
        },
    ],
    ids=["in a comment", "in .tfrelock.yaml"],
)
def test_a_change_cannot_waive_itself(files: dict[str, str], new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    repo.branch("change")
    repo.commit(files)
    ran = run(capsys, "audit", "--base", "main", repo.path)
    said = "from table to lockfile in one step: no common lock with what still runs"
    assert (ran.code, "ERROR one-step-swap (1)\n" in ran.out, said in ran.out) == (2, True, True), ran.out
