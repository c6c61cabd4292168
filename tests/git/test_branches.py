"""Branches of a checkout; whether they are merged, out."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.git.branches import Base, Here
from migrate.git.own import borrow
from tests.repo import make

WAYS = {
    "merged": (["merge", "--quiet", "--no-edit", "ours"], True),
    "fast forward": (["merge", "--quiet", "--ff-only", "ours"], True),
    "squashed": (["merge", "--quiet", "--squash", "ours"], True),
    "picked": (["cherry-pick", "main..ours"], True),
    "in part": (["checkout", "--quiet", "ours", "--", "a.tf"], False),
    "not at all": (["status"], False),
}


@pytest.mark.parametrize(("way", "merged"), WAYS.values(), ids=WAYS)
def test_a_branch_is_merged_once_its_base_has_come_by_what_it_changes(
    way: list[str], merged: bool, tmp_path: Path
) -> None:
    repo = make(tmp_path / "net", {"a.tf": "table\n", "b.tf": "table\n"})
    repo.git("checkout", "--quiet", "-b", "ours")
    for lock in ("pinned", "both"):
        repo.write({"a.tf": f"{lock}\n", "b.tf": f"{lock}\n"})
        repo.git("commit", "--quiet", "--all", "-m", lock)
    repo.git("checkout", "--quiet", "main")
    if way[0] != "merge" or "--ff-only" not in way:
        repo.git("commit", "--quiet", "--allow-empty", "-m", "Meanwhile")
    repo.git(*way)
    repo.git("commit", "--quiet", "--allow-empty", "-m", "Next")
    if merged:
        repo.write({"a.tf": "lockfile\n"})
    repo.git("commit", "--quiet", "--all", "--allow-empty", "-m", "Later")
    (tmp_path / "scratch").mkdir()
    own = borrow(repo.path, tmp_path / "scratch")
    here = Here(own, Base("main", repo.git("rev-parse", "main")))
    assert here.merged(repo.git("rev-parse", "ours")) == merged
