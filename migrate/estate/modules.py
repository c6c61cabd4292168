"""The modules that a root calls, one after another: their constraints are enforced in its runs too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePosixPath

from migrate.estate.survey import Survey

Calls = Mapping[PurePosixPath, frozenset[PurePosixPath]]


def calls(survey: Survey) -> Calls:
    """By directory, those that it calls by a path of the repository."""
    found: dict[PurePosixPath, set[PurePosixPath]] = defaultdict(set)
    for link in survey.links:
        if link.kind == "module":
            found[link.origin.path.parent].add(link.path)
    return {directory: frozenset(called) for directory, called in found.items()}


def reached(root: PurePosixPath, called: Calls) -> frozenset[PurePosixPath]:
    """The directories of all modules that a run in `root` reads, without `root`."""
    found: set[PurePosixPath] = set()
    pending = [root]
    while pending:
        new = called.get(pending.pop(), frozenset()) - found - {root}
        found |= new
        pending += new
    return frozenset(found)
