"""What a token may not change is left out, with all that must change together with it."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.campaign.offering.barred import is_workflow, without
from migrate.campaign.offering.slices import Edit, Slice
from migrate.steps import Phase
from tests.campaign.places import commit_text, slice_of

FLOW = ".github/workflows/plan.yml"
Bonds = tuple[frozenset[PurePosixPath], ...]


def whole(*commits: tuple[Phase, list[str]], bonds: list[set[str]] | None = None) -> Slice:
    """A slice with these files of each phase; the last commit's bonds."""
    made = [commit_text(p, *(Edit(PurePosixPath(f), b"a", b"b") for f in files)) for p, files in commits]
    tied = tuple(frozenset(map(PurePosixPath, bond)) for bond in bonds or [])
    return slice_of("prepare", *made[:-1], replace(made[-1], bonds=tied))


def kept(slice_: Slice) -> dict[str, list[str]]:
    left = without(slice_, lambda path: not is_workflow(path))
    assert [commit.phase for commit in left.commits] == [part.phase for part in left.offer.parts]
    for commit, part in zip(left.commits, left.offer.parts, strict=True):
        assert commit.paths == {file.path for file in part.files}
    found: dict[str, list[str]] = {c.phase: sorted(map(str, c.paths)) for c in left.commits}
    return {**found, "left": [str(file.path) for file in left.offer.left]}


@pytest.mark.parametrize(
    ("slice_", "expected"),
    [
        (whole(("pin", ["a.tf"])), {"pin": ["a.tf"], "left": []}),
        (whole(("pin", ["a.tf", FLOW])), {"pin": ["a.tf"], "left": [FLOW]}),
        (whole(("readers", ["a.tf"]), ("retire", [FLOW])), {"readers": ["a.tf"], "left": [FLOW]}),
        (whole(("pin", [FLOW])), {"left": [FLOW]}),
    ],
)
def test_files_of_workflows_are_left_for_the_owner(slice_: Slice, expected: dict[str, list[str]]) -> None:
    assert kept(slice_) == expected


def test_what_one_change_spans_is_left_as_a_whole() -> None:
    tied = whole(("retire", ["a.tf", "b.tf", "c.tf", FLOW]), bonds=[{FLOW, "a.tf"}, {"a.tf", "b.tf"}])
    assert kept(tied) == {"retire": ["c.tf"], "left": ["a.tf", "b.tf", FLOW]}


def test_the_dual_lock_waits_for_a_version_that_stays_low() -> None:
    both = whole(("pin", ["a.tf", FLOW]), ("dual-lock", ["a.tf"]))
    assert kept(both) == {"pin": ["a.tf"], "left": [FLOW]}
    flagged = whole(("pin", ["a.tf", FLOW]), ("dual-lock", ["a.tf", ".github/workflows/init.yml"]))
    assert kept(flagged) == {"pin": ["a.tf"], "left": [FLOW]}, "nobody is told to apply by hand what waits"
    assert kept(whole(("pin", ["a.tf"]), ("dual-lock", ["a.tf"]))) == {
        "pin": ["a.tf"],
        "dual-lock": ["a.tf"],
        "left": [],
    }


def test_nothing_changes_for_a_token_that_may() -> None:
    slice_ = whole(("pin", ["a.tf", FLOW]))
    assert without(slice_, lambda _: True) is slice_


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        (FLOW, True),
        (".github/workflows/a/b.yaml", True),
        (".github/dependabot.yml", False),
        (f"a/{FLOW}", False),
    ],
)
def test_what_a_workflow_is(path: str, is_one: bool) -> None:
    assert is_workflow(PurePosixPath(path)) is is_one
