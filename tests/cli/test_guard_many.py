"""`audit --base` where a state has several writers, or a writer changes its state: none hides another.

`net=table` is a root with its lock; `net=table:app` writes the state `app.tfstate`.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.estates import Files, backend, run
from tests.repo import Repo

LINES = {
    "table": ("acme-locks", ()),
    "both": ("acme-locks", ("use_lockfile   = true",)),
    "lockfile": ("", ("use_lockfile   = true",)),
    "none": ("", ()),
    "unknown": ("acme-locks", ("use_lockfile   = var.on",)),
}


def roots(said: str) -> dict[str, str]:
    files = {}
    for word in said.split():
        root, _, rest = word.partition("=")
        lock, _, key = rest.partition(":")
        table, extra = LINES[lock]
        files[f"{root}/main.tf"] = backend(*extra, key=f"{key or 'net'}.tfstate", table=table)
    return files


@pytest.mark.parametrize(
    ("before", "after", "code", "rules"),
    [
        ("a=table b=both", "a=lockfile b=both", 2, {"one-step-swap"}),
        ("a=lockfile b=both", "a=table b=both", 2, {"one-step-swap"}),
        ("a=both b=table", "a=lockfile b=both", 2, {"one-step-swap"}),
        ("a=table b=both", "a=none b=both", 2, {"lock-dropped"}),
        ("a=both b=both c=lockfile", "a=lockfile b=both c=lockfile", 6, {"unclear-change", "soaked"}),
        ("a=lockfile b=lockfile", "a=both b=lockfile", 6, {"unclear-change", "digests-first"}),
        ("a=table b=both c=table", "a=both b=both c=table", 6, {"unclear-change"}),
        ("a=unknown b=table", "a=unknown b=both", 6, {"unclear-change"}),
        ("a=table b=table", "a=table", 0, set[str]()),
        ("a=table b=both", "a=table b=both", 0, set[str]()),
        ("a=table b=both c=lockfile", "a=table b=both c=lockfile", 0, set[str]()),
        ("a=both b=both c=lockfile", "a=table b=both c=lockfile", 2, {"both-to-table"}),
        ("a=unknown", "a=unknown", 0, set[str]()),
    ],
)
def test_one_of_several_writers(
    before: str, after: str, code: int, rules: set[str], new_repo: Callable[[str, Files], Repo],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert guarded(before, after, new_repo, capsys) == (code, rules)


@pytest.mark.parametrize(
    ("before", "after", "code", "rules"),
    [
        ("a=table b=table", "a=lockfile:own b=table", 2, {"one-step-swap", "moved-state"}),
        ("a=both b=both", "a=lockfile:own b=both", 6, {"moved-state", "soaked"}),
        ("a=table b=lockfile:app", "a=lockfile:app b=lockfile:app", 2, {"one-step-swap", "moved-state"}),
        ("a=table b=table:app", "a=lockfile:app b=lockfile", 2, {"one-step-swap", "moved-state"}),
        ("a=table", "a=table:own", 0, set[str]()),
        ("a=table b=table:app", "a=table:own b=table:app", 0, set[str]()),
        ("a=table", "a=table b=lockfile:own", 0, set[str]()),
    ],
)
def test_a_writer_that_moves_to_another_state(
    before: str, after: str, code: int, rules: set[str], new_repo: Callable[[str, Files], Repo],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert guarded(before, after, new_repo, capsys) == (code, rules)


def guarded(
    before: str, after: str, new_repo: Callable[[str, Files], Repo], capsys: pytest.CaptureFixture[str]
) -> tuple[int, set[str]]:
    """The exit code, and what is said of changes."""
    repo = new_repo("net", roots(before))
    repo.branch("change")
    for name in roots(before).keys() - roots(after).keys():
        repo.git("rm", "-q", name)
    repo.commit(roots(after))
    ran = run(capsys, "audit", "--base", "main", "--format", "json", repo.path)
    told = {finding["rule"] for finding in json.loads(ran.out)["findings"]}
    return ran.code, told & SPOKEN


SPOKEN = {
    "both-to-table",
    "one-step-swap",
    "lock-dropped",
    "moved-state",
    "unclear-change",
    "digests-first",
    "soaked",
}
