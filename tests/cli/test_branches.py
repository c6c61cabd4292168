"""`--base-branch`: long-lived branches as clients of their own."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.desk import MAY_LOCK, Capture, Desk, New
from tests.cli.estates import BOTH, LOCKFILE, TABLE, facts, run
from tests.repo import Repo

RELEASE = "git.acme.example/acme/net@release/1"


def forked(new_repo: New, main: str, release: str) -> Repo:
    """A repository whose `main` has gone further than `release/1`."""
    repo = new_repo("net", {"net/main.tf": release})
    repo.git("branch", "release/1")
    repo.commit({"net/main.tf": main})
    return repo


def test_a_branch_is_a_client_of_the_same_state(new_repo: New, capsys: Capture) -> None:
    repo = forked(new_repo, LOCKFILE, TABLE)
    alone = run(capsys, "audit", "--format", "json", repo.path)
    both = run(capsys, "audit", "--format", "json", "--base-branch", "release/1", repo.path)
    [state] = json.loads(both.out)["states"]
    assert [one["excludes"] for one in json.loads(alone.out)["states"]] == ["yes"]
    assert (state["excludes"], state["lock"], both.code) == ("no", "mixed", 2)
    checkouts = {one["id"]: one["branch"] for one in json.loads(both.out)["repositories"]}
    assert checkouts == {"git.acme.example/acme/net": "main", RELEASE: "release/1"}


def test_one_root_on_two_branches_shares_its_key_with_no_other(new_repo: New, capsys: Capture) -> None:
    """Another root does, on whatever branch."""
    repo = forked(new_repo, TABLE, TABLE)
    of = ("audit", "--format", "json", "--base-branch", "release/1")
    assert run(capsys, *of, repo.path).code == 0
    repo.commit({"app/main.tf": TABLE})
    found = json.loads(run(capsys, *of, repo.path).out)["findings"]
    assert [(one["path"], one["message"], one["blocks"]) for one in found if one["rule"] == "shared-key"] == [
        (
            "net/main.tf",
            "git.acme.example/acme/net net writes the same state as git.acme.example/acme/net app",
            ["retire"],
        ),
        ("net/main.tf", f"{RELEASE} net writes the same state as git.acme.example/acme/net app", ["retire"]),
    ]


def test_a_branch_at_the_remote_is_one_too(new_repo: New, tmp_path: Path, capsys: Capture) -> None:
    forked(new_repo, LOCKFILE, TABLE).git("clone", "--quiet", ".", str(tmp_path / "clone"))
    ran = run(capsys, "audit", "--format", "json", "--base-branch", "release/1", tmp_path / "clone")
    assert [state["excludes"] for state in json.loads(ran.out)["states"]] == ["no"]


def test_a_branch_that_names_the_table_holds_retire_back(new_repo: New, desk: Desk) -> None:
    repo = forked(new_repo, BOTH, TABLE)
    stated = facts("soaked", "table-known")
    free = desk.propose("--phase", "retire", repo.path, config=stated)
    held = desk.propose("--phase", "retire", "--base-branch", "release/1", repo.path, config=stated)
    assert (free.code, "would open: Stop locking" in free.out) == (0, True)
    assert (held.code, held.out, f"{RELEASE} net/main.tf:4 locks with the table only" in held.err) == (
        4,
        "",
        True,
    )


def test_a_repository_names_its_own(new_repo: New, capsys: Capture) -> None:
    repo = forked(new_repo, LOCKFILE, TABLE)
    named = run(capsys, "audit", "--format", "json", "--base-branch", "release/1", repo.path)
    repo.write({".tfrelock.yaml": "branches: [release/1, main]\n"})
    said = run(capsys, "audit", "--format", "json", repo.path)
    wanted = json.loads(named.out)
    assert json.loads(said.out)["states"] == wanted["states"]
    assert (said.code, [one["excludes"] for one in wanted["states"]]) == (2, ["no"])


def test_one_that_is_not_here_is_a_client_that_was_not_read(new_repo: New, desk: Desk) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH, ".tfrelock.yaml": "branches: [release/2]\n"})
    ran = desk.propose("--phase", "retire", repo.path, config=facts("soaked", "table-known"))
    assert (ran.code, ran.out) == (5, "")
    why = "`branches` names release/2, which is not here"
    assert f"unreadable git.acme.example/acme/net@release/2 .tfrelock.yaml:1: {why}\n" in ran.err
    assert f"was not read: {why} → git fetch origin release/2:release/2; in a campaign: " in ran.err


def test_other_branches_are_known_and_left_as_they_are(new_repo: New, desk: Desk, capsys: Capture) -> None:
    repo = forked(new_repo, TABLE, TABLE.replace("acme-locks", "old-locks"))
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", "--base-branch", "release/1", repo.path)
    assert (ran.code, repo.git("diff", "--name-only")) == (0, "net/main.tf")
    repo.git("checkout", "--quiet", "net/main.tf")
    made = desk.made(repo, "--base-branch", "release/1", config=MAY_LOCK)
    assert (made.code, made.out.count(" opened: ")) == (0, 1)


def test_the_branch_that_is_checked_out_adds_nothing_and_one_that_nobody_has_is_told(
    new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    for name, code, said in (
        ("main", 0, ""),
        ("relaese/1", 3, "--base-branch relaese/1: no repository here"),
    ):
        ran = run(capsys, "audit", "--format", "json", "--base-branch", name, repo.path)
        assert (len(json.loads(ran.out)["repositories"]), ran.code) == (1, code)
        assert said in ran.err


def test_the_guard_takes_no_other_branches(new_repo: New, capsys: Capture) -> None:
    repo = forked(new_repo, BOTH, TABLE)
    ran = run(capsys, "audit", "--base", "main", "--base-branch", "release/1", repo.path)
    assert (ran.code, "leave out --base-branch" in ran.err) == (64, True)
