"""`tfrelock audit --base`: two commits in, what the change does to the lock out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import BOTH, LOCKFILE, TABLE, UNLOCKED, Files, backend, facts, reader, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


def guarded(repo: Repo, capsys: Capture, *options: str) -> tuple[int, list[str]]:
    ran = run(capsys, "audit", "--base", "main", "--format", "json", *options, repo.path)
    findings = json.loads(ran.out)["findings"]
    return ran.code, [finding["rule"] for finding in findings if finding["severity"] != "note"]


@pytest.mark.parametrize(
    ("before", "after", "code", "rules"),
    [
        (TABLE, BOTH, 0, []),
        (TABLE, TABLE + "\n# a word\n", 0, []),
        (TABLE, LOCKFILE, 2, ["one-step-swap"]),
        (BOTH, UNLOCKED, 2, ["lock-dropped", "no-lock"]),
        (BOTH, LOCKFILE, 6, ["soaked", "table-known"]),
        (BOTH, BOTH.replace(">= 1.11.0", ">= 1.5"), 2, ["floor-lowered", "floor-open"]),
        (
            TABLE,
            BOTH.replace('"acme-locks"', 'var.old ? "acme-locks" : null'),
            6,
            ["unclear-change", "unresolved"],
        ),
        (TABLE, backend("use_lockfile   = true", key="moved.tfstate"), 2, ["moved-state"]),
    ],
)
def test_what_a_change_does_to_one_lock(
    before: str, after: str, code: int, rules: list[str], new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": before})
    repo.branch("change")
    repo.commit({"main.tf": after})
    assert guarded(repo, capsys) == (code, rules)


PARTIAL = 'bucket = "acme-state"\nkey = "net"\n\ndynamodb_table = "acme-locks"\n'


@pytest.mark.parametrize(
    ("lines", "rule"),
    [("use_lockfile = true\n", "one-step-swap"), ('dynamodb_table = "others"\n', "one-step-swap")],
)
def test_what_a_change_does_is_told_where_the_lock_is_said(
    lines: str, rule: str, new_repo: New, capsys: Capture
) -> None:
    """The block of a partial configuration is not in the diff."""
    block = 'terraform {\n  required_version = ">= 1.11.0"\n  backend "s3" {}\n}\n'
    repo = new_repo("net", {"main.tf": block, "ci.tfbackend": PARTIAL})
    repo.branch("change")
    repo.commit({"ci.tfbackend": PARTIAL.replace('dynamodb_table = "acme-locks"\n', lines)})
    ran = run(capsys, "audit", "--base", "main", "--format", "json", repo.path)
    [found] = [one for one in json.loads(ran.out)["findings"] if one["rule"] == rule]
    assert (ran.code, found["path"]) == (2, "ci.tfbackend")


def test_a_new_state(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"README": ""})
    repo.branch("change")
    repo.commit({"net/main.tf": UNLOCKED})
    assert guarded(repo, capsys) == (2, ["no-lock"])


def test_files_that_hold_no_token_are_read_once_they_are_asked_for(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "CODEOWNERS": "* @acme/net"})
    ran = run(capsys, "audit", "--base", "main", "--format", "json", repo.path)
    assert [state["owners"] for state in json.loads(ran.out)["states"]] == [["@acme/net"]]


def test_a_moved_line_changes_no_lock(new_repo: New, capsys: Capture) -> None:
    """What `init` is given there was not read, before and after: the same is unknown."""
    init = "terraform init -backend-config=ci.tfbackend\n"
    repo = new_repo("net", {"main.tf": BOTH, "init.sh": init})
    repo.branch("change")
    repo.commit({"init.sh": f"set -e\n{init}"})
    assert guarded(repo, capsys) == (0, [])


def test_a_removed_root_is_a_note(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": TABLE})
    repo.branch("change")
    repo.git("rm", "-q", "net/main.tf")
    repo.commit({})
    assert guarded(repo, capsys) == (0, [])


CALL = 'module "net" {\n  source = "./net"\n}\n'


@pytest.mark.parametrize(
    ("before", "after", "code", "rules"),
    [
        ({"net/main.tf": TABLE}, {"net/main.tf": LOCKFILE}, 2, ["one-step-swap"]),
        ({"net/main.tf": TABLE}, {"net/main.tf": UNLOCKED}, 2, ["lock-dropped", "no-lock"]),
        ({"net/main.tf": TABLE}, {"net/main.tf": BOTH}, 0, []),
        ({"old/main.tf": TABLE}, {"old/main.tf": "", "net/main.tf": LOCKFILE}, 2, ["one-step-swap"]),
        ({"net/main.tf": TABLE, "main.tf": CALL}, {"net/main.tf": LOCKFILE}, 0, []),
    ],
    ids=["swap", "drop", "both", "moved and swapped", "it was a module"],
)
def test_a_root_that_the_change_calls_as_a_module_is_still_a_root(
    before: Files, after: Files, code: int, rules: list[str], new_repo: New, capsys: Capture
) -> None:
    """Whoever runs Terraform in it still may: a new call does not hide what happens to its lock."""
    repo = new_repo("net", before)
    repo.branch("change")
    repo.commit({"main.tf": CALL, **after})
    assert guarded(repo, capsys) == (code, rules)


LOCAL = {"net/override.tf": 'terraform {\n  backend "local" {}\n}\n'}


@pytest.mark.parametrize(
    ("before", "change", "rules"),
    [({}, {"net/main.tf": LOCKFILE, **LOCAL}, ["one-step-swap"]), (LOCAL, {"net/main.tf": LOCKFILE}, [])],
    ids=["with the swap", "before it"],
)
def test_an_override_that_a_change_brings_does_not_hide_what_it_does(
    before: Files, change: Files, rules: list[str], new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"net/main.tf": TABLE, **before})
    repo.branch("change")
    repo.commit(change)
    assert guarded(repo, capsys) == (2 if rules else 0, rules)


def test_a_reader_that_names_the_table_closes_retire(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH, "app/remote.tf": reader()})
    repo.branch("change")
    repo.commit({"net/main.tf": LOCKFILE})
    code, rules = guarded(repo, capsys)
    assert code == 4
    assert "readers-safe" in rules


def test_only_what_the_change_brings_in_counts(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"a/main.tf": UNLOCKED, "b/main.tf": backend(key="b.tfstate")})
    repo.branch("change")
    repo.commit({"b/main.tf": backend("use_lockfile   = true", key="b.tfstate")})
    assert guarded(repo, capsys) == (0, [])


def test_the_base_is_where_the_change_parts_from_it(new_repo: New, capsys: Capture) -> None:
    """What main did since is no part of the change."""
    repo = new_repo("net", {"main.tf": TABLE})
    repo.branch("change")
    repo.commit({"other.tf": "# a word\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"main.tf": BOTH})
    repo.git("checkout", "-q", "change")
    assert guarded(repo, capsys) == (0, [])


def test_the_work_tree_is_not_looked_at(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    repo.branch("change")
    repo.write({"main.tf": LOCKFILE})
    assert guarded(repo, capsys) == (0, [])


def test_a_base_that_is_not_there_is_an_error_with_a_remedy(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    ran = run(capsys, "audit", "--base", "origin/none", repo.path)
    assert ran.code == 1
    assert "there is no commit 'origin/none' here" in ran.err
    assert "git fetch origin none" in ran.err


@pytest.mark.parametrize(
    ("moved", "code", "rules"),
    [
        ({"app/main.tf": TABLE}, 4, ["unclear-change", "writers-dual", "no-common-lock"]),
        ({"app/main.tf": reader()}, 4, ["readers-safe"]),
        ({"app/main.tf": BOTH.replace("net.tfstate", "app.tfstate")}, 0, []),
        ({"main.tf": f"# a word\n{BOTH}"}, 0, []),
        ({"main.tf": BOTH.replace("acme-locks", "acme-lock")}, 0, []),
    ],
    ids=["a writer", "a reader", "another state", "the same file", "a conflict"],
)
def test_what_came_to_the_base_since_is_a_client_beside_the_change(
    moved: Files, code: int, rules: list[str], new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"main.tf": BOTH})
    repo.branch("change")
    repo.commit({"main.tf": LOCKFILE})
    repo.git("checkout", "--quiet", "main")
    repo.commit(moved)
    repo.git("checkout", "--quiet", "change")
    (tmp_path / "relock.yaml").write_text(facts("soaked", "table-known"))
    assert guarded(repo, capsys, "--config", str(tmp_path / "relock.yaml")) == (code, rules)


def test_a_base_that_conflicts_with_the_change_is_told(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    repo.branch("change")
    repo.commit({"main.tf": BOTH})
    repo.git("checkout", "--quiet", "main")
    repo.commit({"main.tf": TABLE.replace("acme-locks", "acme-lock")})
    repo.git("checkout", "--quiet", "change")
    ran = run(capsys, "audit", "--base", "main", repo.path)
    assert f"{repo.path}: what came to the base since HEAD parted from it is not held" in ran.err


def test_what_is_not_known_of_several_states_is_said_under_one_rule(new_repo: New, capsys: Capture) -> None:
    """With the place of each: a person has to see which states are meant."""
    states = {f"{name}/main.tf": BOTH.replace("net.tfstate", f"{name}.tfstate") for name in "ab"}
    retired = {f"{name}/main.tf": LOCKFILE.replace("net.tfstate", f"{name}.tfstate") for name in "ab"}
    repo = new_repo("net", states)
    repo.branch("change")
    repo.commit(retired)
    ran = run(capsys, "audit", "--base", "main", repo.path)
    lines = [line for line in ran.out.splitlines() if line.startswith(("WARNING", "  a/", "  b/"))]
    assert lines == [
        "WARNING soaked (2)  blocks retire",
        "  a/main.tf:4  nobody said how long both locks have been in use",
        "  b/main.tf:4  nobody said how long both locks have been in use",
        "WARNING table-known (2)  blocks retire",
        "  a/main.tf:4  other repositories and people may use the table",
        "  b/main.tf:4  other repositories and people may use the table",
    ]


def keyed(text: str, name: str) -> str:
    return text.replace("net.tfstate", f"{name}.tfstate")


TOUCHED: dict[str, tuple[Files, list[str], str]] = {
    "its lock": ({"b/main.tf": keyed(BOTH, "b")}, ["b"], "2 other states stay as they are"),
    "its lines alone": ({"b/main.tf": f"# a word\n{keyed(TABLE, 'b')}"}, [], "3 states stay as they are"),
    "its region": (
        {"b/main.tf": keyed(TABLE, "b").replace("eu-west-1", "eu-west-2")},
        ["b"],
        "2 other states stay as they are",
    ),
    "its floor": (
        {"b/main.tf": keyed(TABLE, "b").replace("1.11.0", "1.5")},
        ["b"],
        "2 other states stay as they are",
    ),
    "a reader of it": ({"a/r.tf": reader(key="b.tfstate")}, ["b"], "2 other states stay as they are"),
    "another writer": ({"d/main.tf": keyed(TABLE, "b")}, ["b"], "2 other states stay as they are"),
    "its key": ({"b/main.tf": keyed(TABLE, "d")}, ["d"], "2 other states stay as they are"),
    "a new one": ({"d/main.tf": keyed(TABLE, "d")}, ["d"], "3 other states stay as they are"),
    "two": (
        {"a/main.tf": keyed(BOTH, "a"), "c/main.tf": keyed(BOTH, "c")},
        ["a", "c"],
        "1 other state stays as it is",
    ),
}


@pytest.mark.parametrize(("change", "states", "rest"), TOUCHED.values(), ids=TOUCHED)
def test_only_the_states_that_a_change_touches_are_listed(
    change: Files, states: list[str], rest: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {f"{name}/main.tf": keyed(TABLE, name) for name in "abc"})
    repo.branch("change")
    repo.commit(change)
    ran = run(capsys, "audit", "--base", "main", repo.path)
    rows = [line.split()[2] for line in ran.out.splitlines() if line.startswith(("table ", "both "))]
    assert rows == [f"s3://acme-state/{name}.tfstate" for name in states], ran.out
    assert f"\n{rest}\n" in f"\n{ran.out}"


def test_a_statement_that_lets_a_change_pass_is_printed(
    new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"main.tf": BOTH})
    repo.branch("change")
    repo.commit({"main.tf": LOCKFILE})
    (tmp_path / "relock.yaml").write_text(facts("soaked", "table-known"))
    ran = run(capsys, "audit", "--base", "main", "--config", tmp_path / "relock.yaml", repo.path)
    said = "(s3://acme-state/net.tfstate): platform@acme.example: canary run 8841 (until 2099-01-01)"
    assert (ran.code, ran.err.splitlines()) == (
        0,
        [f"gate soaked open, stated {said}", f"gate table-known open, stated {said}"],
    )


def test_a_folder_that_is_no_repository_has_no_base(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(TABLE)
    ran = run(capsys, "audit", "--base", "main", tmp_path)
    assert (ran.code, ran.err) == (
        1,
        f"tfrelock: {tmp_path}: no git repository\n  try: tfrelock audit --base main CLONE\n",
    )


def test_a_path_that_names_nothing_is_said(capsys: Capture, tmp_path: Path) -> None:
    ran = run(capsys, "audit", "--base", "main", tmp_path / "none")
    assert (ran.code, ran.err) == (3, f"tfrelock: {tmp_path}/none: no such file or directory\n")
