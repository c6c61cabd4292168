"""A backend in a file that a generator writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Outcome, Severity, Verdict, World

NAME: Final = "generated"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = "An edit of a generated file is undone by the next run of its generator."
REMEDY: Final = "Change the generator's source, run it, and commit both together."


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        for site in backend.inputs:
            if site.generated:
                because = site.why_not or ""
                yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=site.place)
