"""What is left out by name, by the operator or by the repository itself: known, not reported, not edited."""

from __future__ import annotations

import json
from typing import Final, TypeAlias

import pytest

from tests.cli.desk import MAY_LOCK, SOAKED, Capture, New
from tests.cli.estates import BOTH, LOCKFILE, TABLE, UNLOCKED, Files, Ran, backend, reader, run

BROKEN: Final = TABLE.replace('"net.tfstate"', 'net.tfstate"')
MANGLED: Final = f"# caf\xe9\n{TABLE}".encode("latin-1")
OWN: Final = {".tfrelock.yaml": "exclude: ['old']\n"}
FLAG: Final = ("--exclude", "old")


def retire(net: Files, new_repo: New, capsys: Capture, *flags: str, says: str = SOAKED) -> Ran:
    repo = new_repo("net", net)
    config = repo.path.parent / "operator.yaml"
    config.write_text(says)
    return run(capsys, "edit", "--phase", "retire", "--config", config, *flags, repo.path)


Way: TypeAlias = tuple[Files, tuple[str, ...], str]
"""The repository's configuration, flags, and what the operator's configuration says more."""


@pytest.mark.parametrize(
    "way",
    [(OWN, (), ""), ({}, FLAG, ""), ({}, (), "exclude: ['old']\n")],
    ids=["by the repository", "on the command line", "by the operator"],
)
@pytest.mark.parametrize(
    ("old", "code", "said"),
    [
        (
            TABLE,
            4,
            "gate writers-dual closed (s3://acme-state/net.tfstate): git.acme.example/acme/net old/main.tf:4",
        ),
        (
            reader(),
            4,
            "gate readers-safe closed (s3://acme-state/net.tfstate): git.acme.example/acme/net old/main.tf:1",
        ),
        (
            TABLE.replace('"net.tfstate"', "var.key"),
            6,
            "old/main.tf:4 may write this state, and locks in the table alone",
        ),
        (backend(key="app.tfstate"), 0, "gate soaked open, stated"),
    ],
    ids=["a writer", "a reader", "one that may be of it", "another state"],
)
def test_a_client_that_is_left_out_still_holds_retire_back(
    old: str, code: int, said: str, way: Way, new_repo: New, capsys: Capture
) -> None:
    own, flags, says = way
    files = {"main.tf": BOTH, "old/main.tf": old, **own}
    ran = retire(files, new_repo, capsys, *flags, says=SOAKED + says)
    assert (ran.code, said in ran.err, bool(ran.out)) == (code, True, code == 0), ran.err


@pytest.mark.parametrize("old", [BROKEN, MANGLED], ids=["no HCL", "no UTF-8"])
@pytest.mark.parametrize(
    ("flags", "code"), [((), 6), (FLAG, 0)], ids=["by the repository", "by the operator as well"]
)
def test_only_the_operator_says_that_what_cannot_be_read_is_no_configuration(
    old: str | bytes, flags: tuple[str, ...], code: int, new_repo: New, capsys: Capture
) -> None:
    ran = retire({"main.tf": BOTH, "old/main.tf": old, **OWN}, new_repo, capsys, *flags)
    held = "may write this state, and was not read" in ran.err
    assert (ran.code, held, bool(ran.out)) == (code, code != 0, code == 0), ran.err


@pytest.mark.parametrize("flags", [(), FLAG])
def test_nothing_is_reported_and_nothing_edited_there(
    flags: tuple[str, ...], new_repo: New, capsys: Capture
) -> None:
    old = {"old/main.tf": UNLOCKED, "old/app/main.tf": backend(key="app.tfstate"), "old/odd/main.tf": BROKEN}
    repo = new_repo("net", {"main.tf": BOTH, **old, **({} if flags else OWN)})
    report = json.loads(run(capsys, "audit", "--format", "json", *flags, repo.path).out)
    assert [site["path"] for site in report["sites"]] == ["main.tf"]
    assert [state["id"] for state in report["states"]] == ["s3://acme-state/net.tfstate"]
    assert [one["rule"] for one in report["findings"]] == ["not-encrypted", "dual-lock"]
    assert run(capsys, "edit", "--phase", "dual-lock", *flags, repo.path).out == ""


def test_two_writers_without_a_common_lock_are_reported_whoever_leaves_one_out(
    new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": LOCKFILE, "old/main.tf": TABLE, **OWN})
    ran = run(capsys, "audit", repo.path)
    assert (ran.code, "ERROR no-common-lock (1)  blocks retire\n" in ran.out) == (2, True), ran.out
    assert "NOTE table-only" not in ran.out


def test_a_plan_says_that_what_is_left_out_is_edited_by_hand(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": BOTH, "old/main.tf": TABLE, **OWN})
    (repo.path.parent / "operator.yaml").write_text(MAY_LOCK)
    ran = run(capsys, "plan", "--config", repo.path.parent / "operator.yaml", repo.path)
    assert "dual-lock  refused  git.acme.example/acme/net old/main.tf:4: it is excluded\n" in ran.out
    assert "→ take it out of exclude, or change it by hand in the same steps\n" in ran.out


@pytest.mark.parametrize(
    ("old", "code", "said"),
    [
        (backend(key="app.tfstate"), 0, ""),
        (TABLE, 4, "old/main.tf:4 locks with the table only"),
    ],
    ids=["of another state", "of a state that the change is about"],
)
def test_a_change_is_held_against_clients_that_the_base_leaves_out(
    old: str, code: int, said: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": BOTH, "old/main.tf": old, **OWN})
    (repo.path.parent / "operator.yaml").write_text(SOAKED)
    repo.branch("change")
    repo.commit({"main.tf": LOCKFILE, "old/app/main.tf": LOCKFILE.replace("net.tf", "other.tf")})
    ran = run(capsys, "audit", "--base", "main", "--config", repo.path.parent / "operator.yaml", repo.path)
    assert (ran.code, said in ran.out) == (code, True), ran.out


def test_a_swap_in_a_place_that_the_base_leaves_out_is_not_reported(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": BOTH, "old/main.tf": backend(key="app.tfstate"), **OWN})
    repo.branch("change")
    repo.commit({"old/main.tf": LOCKFILE.replace("net.tfstate", "app.tfstate")})
    ran = run(capsys, "audit", "--base", "main", repo.path)
    assert (ran.code, "one-step-swap" in ran.out) == (0, False), ran.out
