"""Bare repositories as PATHs: no work tree, git's objects are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.desk import MAY_LOCK, OLD, Capture, Desk, New
from tests.cli.estates import BOTH, TABLE, Files, reader, run
from tests.repo import Repo, make


@pytest.fixture
def bare(new_repo: New, tmp_path: Path) -> Repo:
    """A bare clone of a repository with a writer and a reader."""
    repo = new_repo("net", {"net/main.tf": OLD, "app/main.tf": reader()})
    repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "net.git"))
    clone = Repo(tmp_path / "net.git")
    clone.git("config", "remote.origin.url", "https://git.acme.example/acme/net.git")
    return clone


def test_an_audit_says_of_a_bare_repository_what_it_says_of_a_checkout(
    bare: Repo, tmp_path: Path, capsys: Capture
) -> None:
    ours, theirs = (run(capsys, "audit", "--format", "json", tmp_path / name) for name in ("net.git", "net"))
    assert json.loads(ours.out)["states"]
    assert ours == theirs


def test_a_link_counts_in_a_commit_as_it_does_in_a_checkout(
    desk: Desk, new_repo: New, tmp_path: Path, capsys: Capture
) -> None:
    """Else a default of OpenTofu's would be taken for what the linked values set."""
    variable = 'variable "key" {\n  default = "a.tfstate"\n}\n'
    repo = new_repo("net", {"net/main.tofu": TABLE.replace('"net.tfstate"', "var.key") + variable})
    repo.write({"shared/team.auto.tfvars": 'key = "b.tfstate"\n'})
    (repo.path / "net/team.auto.tfvars").symlink_to("../shared/team.auto.tfvars")
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "-m", "Name the key")
    repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "net.git"))
    for name in ("net", "net.git"):
        assert " s3://acme-state/b.tfstate " in run(capsys, "audit", tmp_path / name).out
    ran = desk.made(repo, config=MAY_LOCK)
    assert (ran.code, " opened: Lock state in S3 as well as DynamoDB " in ran.out) == (0, True), ran


def test_a_plan_reads_a_bare_repository(bare: Repo, tmp_path: Path, capsys: Capture) -> None:
    ours, theirs = (run(capsys, "plan", tmp_path / name) for name in ("net.git", "net"))
    assert " dual-lock  unknown " in ours.out
    assert ours == theirs


def test_a_proposal_is_a_branch_in_the_bare_repository(desk: Desk, bare: Repo) -> None:
    ran = desk.made(bare, config=MAY_LOCK)
    assert (ran.code, bare.git("branch", "--format=%(refname:short)")) == (
        0,
        "main\ntfrelock/default/prepare",
    )
    assert bare.git("show", "tfrelock/default/prepare:net/main.tf") + "\n" == BOTH.replace(
        ">= 1.11.0", ">= 1.11"
    )
    assert desk.pages() == ["git.acme.example/acme/net/prepare.md"]


def test_a_proposal_costs_few_programs(desk: Desk, bare: Repo) -> None:
    ran = desk.made(bare, "--verbose", config=MAY_LOCK)
    told = [line.split()[1:] for line in ran.err.splitlines() if line.startswith("git ")]
    asked = [next(word for word in words if word[0] != "-" and "=" not in word) for words in told]
    reads, looks = (
        ["rev-parse", "ls-tree", "grep", "cat-file"],
        ["rev-parse", "for-each-ref", "cat-file", "rev-parse"],
    )
    makes = ["ls-tree", "fast-import"]  # for each of three commits
    puts = ["pack-objects", "unpack-objects", "worktree", "update-ref", "format-patch"]
    assert [name for name in asked if name != "config"] == [*reads, *looks, *makes * 3, *puts]


def test_a_bare_repository_that_git_does_not_take_leaves_others_theirs(
    bare: Repo, tmp_path: Path, capsys: Capture
) -> None:
    bare.git("clone", "--quiet", "--bare", ".", str(tmp_path / "odd.git"))
    with (tmp_path / "odd.git/config").open("a") as config:
        config.write("[extensions]\n\tobjectFormat = rot13\n[core]\n\trepositoryformatversion = 1\n")
    ran = run(capsys, "audit", "--format", "json", bare.path, tmp_path / "odd.git")
    report = json.loads(ran.out)
    assert (ran.code, [state["lock"] for state in report["states"]]) == (5, ["table"])
    [unreadable] = report["unreadable"]
    assert (unreadable["path"], "rot13" in unreadable["why"]) == ("HEAD", True)


def test_what_a_partial_clone_lacks_is_said(new_repo: New, tmp_path: Path, capsys: Capture) -> None:
    large = b"# use_lockfile\n" + b"#" * 5000
    files: Files = {"main.tf": TABLE, "notes.txt": large, "large.tfbackend": large}
    repo = new_repo("net", files)
    repo.git("config", "uploadpack.allowFilter", "true")
    url = f"file://{repo.path}"
    repo.git("clone", "--quiet", "--bare", "--filter=blob:limit=1k", url, str(tmp_path / "net.git"))
    ran = run(capsys, "audit", "--format", "json", tmp_path / "net.git")
    report = json.loads(ran.out)
    assert (ran.code, [state["lock"] for state in report["states"]]) == (5, ["table"])
    assert [file["path"] for file in report["unreadable"]] == ["large.tfbackend"]
    said = run(capsys, "audit", tmp_path / "net.git")
    assert "notes.txt: a file that is not in this clone: what it holds is not known" in said.out + said.err


def test_an_empty_bare_repository(tmp_path: Path, capsys: Capture) -> None:
    make(tmp_path / "some", {"a": ""}).git("init", "--quiet", "--bare", str(tmp_path / "net.git"))
    ran = run(capsys, "audit", tmp_path / "net.git")
    assert (ran.code, "net.git HEAD: nothing is committed here yet" in ran.out + ran.err) == (5, True), ran


def test_files_of_a_bare_repository_are_not_written(bare: Repo, capsys: Capture) -> None:
    ran = run(capsys, "edit", "--phase", "pin", "--write", bare.path)
    assert (ran.code, "tfrelock propose" in ran.err) == (64, True), ran


def test_a_folder_that_poses_as_a_bare_repository_is_a_part_of_its_checkout(
    new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "sub/HEAD": "ref: refs/heads/main\n"})
    (repo.path / "sub/objects").mkdir()
    (repo.path / "sub/refs").mkdir()
    ran = run(capsys, "audit", "--format", "json", repo.path / "sub")
    [repository] = json.loads(ran.out)["repositories"]
    assert repository["id"] == "git.acme.example/acme/net"
