"""What a narrowed run tells of an estate. All of it was known and judged; only what is selected is told."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from migrate.campaign.reading.narrowing import Narrowing
from migrate.model import Estate, Site, Stack, World


def narrowed(estate: Estate, narrowing: Narrowing) -> Estate:
    """The states that something selected writes or reads, each as a whole; tables and mentions by place."""
    return replace(
        estate,
        stacks=tuple(stack for stack in estate.stacks if touches(narrowing, stack)),
        mentions=tuple(m for m in estate.mentions if narrowing.takes(m.where.repo, m.where.path)),
        definitions=tuple(d for d in estate.definitions if narrowing.takes(d.repo, d.path)),
    )


def touches(narrowing: Narrowing, stack: Stack) -> bool:
    """Whether something selected writes or reads the state."""
    return any(map(narrowing.selects, stack.sites))


def without_excluded(narrowing: Narrowing, worlds: Sequence[World]) -> Sequence[World]:
    """Each state without those of its clients that are left out by name."""
    if not any(narrowing.excluded.values()):
        return worlds  # the same ones: a world keeps what was found out of it

    def is_kept(site: Site) -> bool:
        return not narrowing.excludes(site.repo, site.path)

    def kept(stack: Stack) -> Stack:
        backends = (backend for backend in stack.backends if any(map(is_kept, backend.inputs)))
        return replace(stack, backends=tuple(backends), readers=tuple(filter(is_kept, stack.readers)))

    return [replace(world, stack=kept(world.stack)) for world in worlds]
