"""Which proposals a repository gets: its open phases in slices, large ones parted by folder, and their
branches.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from migrate.offer import Offer, Part
from migrate.steps import BY_PHASE, Phase

MOST_FILES: Final = 50
"""The most files of one proposal, where folders allow; a review of more is none."""
_ODD: Final = re.compile(r"[^A-Za-z0-9._-]+|\.{2,}|\.lock$|[.-]+$|^[.-]+")

Within: TypeAlias = Callable[[PurePosixPath], bool]


class Edit(Struct, frozen=True):
    """One file of a commit. The bytes before are those that were planned with."""

    path: PurePosixPath
    before: bytes
    after: bytes


class CommitText(Struct, frozen=True):
    """One commit: a phase's edits. `bonds` are files that one change spans: they stay in one proposal."""

    phase: Phase
    subject: str
    edits: tuple[Edit, ...]
    bonds: tuple[frozenset[PurePosixPath], ...] = ()

    @property
    def paths(self) -> frozenset[PurePosixPath]:
        return frozenset(edit.path for edit in self.edits)

    def of(self, within: Within) -> CommitText:
        """The same for some of its files."""
        return replace(self, edits=tuple(edit for edit in self.edits if within(edit.path)))


class Slice(Struct, frozen=True):
    """One proposal to make: `prepare`, `finish` or a phase; its commits in merge order, and what it says."""

    name: str
    commits: tuple[CommitText, ...]
    offer: Offer
    draft: bool = False

    @property
    def paths(self) -> frozenset[PurePosixPath]:
        return frozenset().union(*(commit.paths for commit in self.commits))

    @property
    def gated(self) -> bool:
        """Whether a gate is asked, and with it what every repository holds."""
        return any(BY_PHASE[commit.phase].gates for commit in self.commits)

    @property
    def retires(self) -> bool:
        """Whether it takes a lock away."""
        return any(commit.phase == "retire" for commit in self.commits)


def branch(slice_: Slice, prefix: str) -> str:
    """`<prefix>/<slice>`, and the folder where the slice is a part of one."""
    folder = f"-{plain(slice_.offer.folder)}" if slice_.offer.folder else ""
    return branch_named(f"{slice_.name}{folder}", prefix)


def branch_named(name: str, prefix: str) -> str:
    """The branch of a slice, or of a part of one, by its name."""
    return f"{prefix}/{name}"


def plain(name: str) -> str:
    """A name as git takes it in a branch; two names that differ stay different."""
    kept = _ODD.sub("-", name)
    return kept if kept == name else f"{kept}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def parted(whole: Slice, most: int = MOST_FILES) -> tuple[Slice, ...]:
    """The slice, or its parts by top folder when it has more than `most` files; never through a change."""
    if len(whole.paths) <= most:
        return (whole,)
    bonds = [bond for commit in whole.commits for bond in commit.bonds]
    groups = _grouped({_top(path) for path in whole.paths}, [{_top(path) for path in bond} for bond in bonds])
    return tuple(_part(whole, group) for group in groups)


def _top(path: PurePosixPath) -> str:
    """The first folder on the way; empty for a file at the root."""
    return path.parts[0] if len(path.parts) > 1 else ""


def _grouped(folders: set[str], bonds: Iterable[set[str]]) -> list[frozenset[str]]:
    """Folders that no bond runs between, each group by its first name."""
    groups = [frozenset({folder}) for folder in folders]
    for bond in bonds:
        joined = [group for group in groups if group & bond]
        groups = [group for group in groups if group not in joined] + [frozenset().union(*joined)]
    return sorted(groups, key=min)


def _part(whole: Slice, folders: frozenset[str]) -> Slice:
    """The edits in these folders. A part is named by its first folder; that of the root keeps the whole's
    name.
    """

    def within(path: PurePosixPath) -> bool:
        return _top(path) in folders

    states = tuple(s for s in whole.offer.states if any(map(within, (root / "x" for root in s.roots))))
    shown = {state.state for state in states}
    offer = replace(
        whole.offer,
        folder=min(folders),
        parts=tuple(_narrowed(part, within) for part in whole.offer.parts),
        states=states,
        rows=tuple(row for row in whole.offer.rows if row.state in shown),
    )
    return left_of(whole, offer, (commit.of(within) for commit in whole.commits))


def left_of(whole: Slice, offer: Offer, commits: Iterable[CommitText]) -> Slice:
    """The slice with these of its commits that still edit anything, and with what is said of their phases."""
    kept = tuple(commit for commit in commits if commit.edits)
    phases = {commit.phase for commit in kept}
    parts = tuple(part for part in offer.parts if part.phase in phases)
    return replace(whole, commits=kept, offer=replace(offer, parts=parts))


def _narrowed(part: Part, within: Within) -> Part:
    return replace(
        part,
        files=tuple(file for file in part.files if within(file.path)),
        refusals=tuple(refusal for refusal in part.refusals if within(refusal.where.path)),
        suggestions=tuple(suggestion for suggestion in part.suggestions if within(suggestion.where.path)),
        programs=tuple(program for program in part.programs if within(program.where.path)),
    )
