"""What the token may not change is left out of a proposal, and stands in it as a patch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from pathlib import PurePosixPath

from msgspec.structs import replace

from migrate.campaign.editing.targets import closure
from migrate.campaign.offering.slices import CommitText, Slice, Within, left_of
from migrate.offer import Offer, Part, Touched
from migrate.steps import Phase


def is_workflow(path: PurePosixPath) -> bool:
    """A file that tells GitHub what to run; a token needs a right of its own to change it."""
    return path.parts[:2] == (".github", "workflows")


def without(whole: Slice, may_change: Within) -> Slice:
    """The slice without the files that may not be changed, and without all that must change with them.

    Where a choice of version stays low because of that, the dual lock waits until it is raised.
    """
    if all(map(may_change, whole.paths)):
        return whole
    fallen = {commit.phase: _fallen(commit, may_change) for commit in whole.commits}
    late: Set[Phase] = {"dual-lock"} if fallen.get("pin") else set()
    parts = tuple(_part(part, fallen[part.phase]) for part in whole.offer.parts)
    offer = replace(whole.offer, parts=parts, left=tuple(_left(whole.offer, fallen, late)))
    return left_of(whole, offer, (_kept(c, fallen[c.phase]) for c in whole.commits if c.phase not in late))


def _fallen(commit: CommitText, may_change: Within) -> frozenset[PurePosixPath]:
    """The files that may not be changed, with those that one change spans together with them."""
    barred = (path for path in commit.paths if not may_change(path))
    return commit.paths & closure(barred, commit.bonds)


def _kept(commit: CommitText, fallen: frozenset[PurePosixPath]) -> CommitText:
    return commit.of(lambda path: path not in fallen)


def _part(part: Part, fallen: frozenset[PurePosixPath]) -> Part:
    return replace(part, files=tuple(file for file in part.files if file.path not in fallen))


def _left(
    offer: Offer, fallen: Mapping[Phase, frozenset[PurePosixPath]], late: Set[Phase]
) -> Iterator[Touched]:
    """Only what may be applied by hand beside the proposal: nothing of a phase that waits."""
    for part in offer.parts:
        if part.phase not in late:
            yield from (file for file in part.files if file.path in fallen[part.phase])
