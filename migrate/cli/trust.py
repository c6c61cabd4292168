"""Two trusts: what the operator says, and the little that a repository may say of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from migrate.campaign.inventory import Reader, Told
from migrate.errors import RelockError
from migrate.model import Engine, Seen, Stated
from migrate.versions import FIRST_LOCKFILE, Malformed, Release


@dataclass(frozen=True, slots=True)
class Operator:
    """What the operator's configuration, facts and flags say."""

    stated: tuple[Stated, ...] = ()
    seen: tuple[Seen, ...] = ()
    floors: Mapping[Engine, str] = field(default_factory=dict)


def read_operator(config: Path | None, facts: Path | None, floor: str | None) -> Operator:
    """Raises RelockError when a file or the floor says something that cannot be."""
    return Operator(floors=_floors(floor))


def _floors(floor: str | None) -> Mapping[Engine, str]:
    if floor is None:
        return {}
    release = Release.parse(floor)
    least = FIRST_LOCKFILE["terraform"]
    if isinstance(release, Malformed):
        raise RelockError(f"{floor} is no release", "--floor", "write it as 1.11.0")
    if release < least:
        raise RelockError(f"{floor} does not know the lockfile", "--floor", f"take {least} or newer")
    return {"terraform": str(release), "opentofu": str(release)}


def told(reader: Reader) -> Told:
    """What `.tfrelock.yaml` at the top of a repository says of its files."""
    return Told()
