"""A slice as git stores it: a checkout may have other line ends, and may not be what the base holds."""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import PurePosixPath

from msgspec.structs import replace

from migrate.campaign.offering.slices import CommitText, Edit, Slice


def as_stored(slice_: Slice, held: Mapping[PurePosixPath, bytes]) -> Slice | PurePosixPath:
    """The slice with line ends as git keeps them, or the first file that is not as it was planned with.

    `held` are its files as the base has them.
    """
    first: dict[PurePosixPath, bytes] = {}
    for edit in (edit for commit in slice_.commits for edit in commit.edits):
        first.setdefault(edit.path, edit.before)
    checked_out = {
        path for path, before in first.items() if held.get(path) == before.replace(b"\r\n", b"\n") != before
    }
    for path, before in sorted(first.items()):
        if path not in checked_out and held.get(path) != before:
            return path
    return replace(slice_, commits=tuple(_with_line_feeds(commit, checked_out) for commit in slice_.commits))


def _with_line_feeds(commit: CommitText, paths: Set[PurePosixPath]) -> CommitText:
    edits = (
        Edit(edit.path, edit.before.replace(b"\r\n", b"\n"), edit.after.replace(b"\r\n", b"\n"))
        if edit.path in paths
        else edit
        for edit in commit.edits
    )
    return replace(commit, edits=tuple(edits))
