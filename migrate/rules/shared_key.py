"""Several roots that write one state."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from migrate.estate.layered import place_in_state
from migrate.estate.sharing import of_workspaces
from migrate.model import Backend, Fix, Known, Outcome, Severity, Verdict, World

NAME: Final = "shared-key"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "Two roots with one bucket and key write over each other's resources. Sometimes it is one root in two "
    "checkouts; often it is a copied block whose key was forgotten. And once one of them has let go of the "
    "table, whatever it writes makes the runs of the other fail on a stale checksum."
)
REMEDY: Final = (
    "Give each root its own key, or leave one of them out with exclude if it is a copy that nobody runs. Of "
    "one root in two places merge retire in both before the next run of either."
)


def check(world: World, /) -> Iterable[Verdict]:
    first: dict[object, tuple[str, str]] = {}
    apart = all(map(_prefix, world.stack.backends))
    roots = sorted({(str(b.repo), str(b.root)): b for b in world.stack.backends}.items())
    for (repo, root), backend in roots:
        place = (place_in_state(backend), _prefix(backend) if apart else "")
        other = first.setdefault(place, (repo, root))
        if other != (repo, root) and not _of_branches(other, (repo, root)):
            because = f"{repo} {root} writes the same state as {' '.join(other)}"
            yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=backend.place)
    for backend in islice(of_workspaces(world.stack, world.estate), 1):
        for mine in islice(world.stack.backends, 1):
            because = f"{mine.repo} {mine.root} writes what {backend.repo} {backend.root} {_IN_WORKSPACE}"
            yield Verdict(NAME, str(world.stack.id), Outcome.UNKNOWN, because, REMEDY, where=mine.place)


def _of_branches(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether they are one root on two branches that are kept: that it writes one state is no mistake."""
    (of_one, root), (of_other, other_root) = one, other
    return root == other_root and of_one.partition("@")[0] == of_other.partition("@")[0]


_IN_WORKSPACE: Final = "writes in the workspace of that name, if it is used"


def _prefix(backend: Backend) -> object:
    """Where the workspaces of a root lie. Whoever gives each root one of its own runs none of them in the
    default workspace, which all have in common.
    """
    said = backend.settings.get("workspace_key_prefix")
    return said.value.value if said and isinstance(said.value, Known) else None
