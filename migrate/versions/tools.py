"""The tools that lock a state, and their final releases up to August 2026 as their repositories tag them.

Terraform starts with 0.9, the first with backends; OpenTofu with 1.6, its first; Terragrunt with 0.73,
after which it left out no patch number. A release that is missing here is old or new, not bad.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, TypeAlias

from migrate.versions.release import Release, Releases

Tool: TypeAlias = Literal["terraform", "opentofu", "terragrunt"]

TITLES: Final[Mapping[Tool, str]] = {
    "terraform": "Terraform",
    "opentofu": "OpenTofu",
    "terragrunt": "Terragrunt",
}

_PATCHES: Final[Mapping[Tool, Mapping[int, tuple[int, tuple[int, ...]]]]] = {
    "terraform": {
        0: (9, (11, 8, 15, 31, 7, 11, 5)),
        1: (0, (11, 9, 9, 10, 7, 7, 6, 5, 5, 8, 5, 4, 2, 5, 9, 9)),
    },
    "opentofu": {1: (6, (3, 10, 11, 4, 10, 14, 6))},
    "terragrunt": {
        0: (73, (16, 0, 10, 8, 22, 4, 3, 4, 10, 4, 2, 1, 1, 3, 7, 1, 4, 2, 5, 1, 13, 0, 1, 1, 2, 0, 5)),
        1: (0, (8, 3)),
    },
}
"""By tool and major: the first minor listed, and the newest patch of it and of each minor after it. The
patches below all exist.
"""


def _known(tool: Tool) -> tuple[Release, ...]:
    return tuple(
        Release(major, first + ahead, patch)
        for major, (first, patches) in _PATCHES[tool].items()
        for ahead, newest_patch in enumerate(patches)
        for patch in range(newest_patch + 1)
    )


KNOWN: Final[Mapping[Tool, tuple[Release, ...]]] = {tool: _known(tool) for tool in TITLES}


@cache
def newest(tool: Tool, releases: Releases) -> Release | None:
    """The newest release that was made and is in the set. Many pins choose one of a few."""
    return next((release for release in reversed(KNOWN[tool]) if release in releases), None)
