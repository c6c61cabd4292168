"""Two trusts: what the operator says, and the little that a repository may say of itself."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from migrate import config
from migrate.campaign.inventory import Reader, Told
from migrate.errors import RelockError
from migrate.files import Read, Unreadable, decode, load, printable
from migrate.model import Engine, RepoId, Seen, Source, Stated
from migrate.versions import FIRST_LOCKFILE, Malformed, Release


@dataclass(frozen=True, slots=True)
class Operator:
    """What the operator's configuration, facts and flags say."""

    stated: tuple[Stated, ...] = ()
    seen: tuple[Seen, ...] = ()
    floors: Mapping[Engine, str] = field(default_factory=dict)
    says: config.Operator = field(default_factory=config.Operator)


def read_operator(file: Path | None, facts: Path | None, floor: str | None) -> Operator:
    """Raises RelockError when a file or the floor says something that cannot be."""
    says, _ = read_config(file)
    return Operator(stated=says.facts, floors=_floors(floor), says=says)


def config_file(named: Path | None) -> Path | None:
    """The operator's configuration: what was named, else the one in the user's own folder, if any."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    own = Path(folder, "tfrelock", "config.yaml")
    return named or (own if own.is_file() else None)


def read_config(named: Path | None) -> tuple[config.Operator, tuple[config.Leaf, ...]]:
    """What the operator's configuration says, and where. Raises RelockError with all its mistakes."""
    file = config_file(named)
    if file is None:
        return config.Operator(), ()
    says, loaded = config.read_operator(load(file), file.name)
    if loaded.mistakes:
        said = "".join(f"\n  {mistake.line}: {printable(mistake.what)}" for mistake in loaded.mistakes)
        what = (
            "it has one mistake" if len(loaded.mistakes) == 1 else f"it has {len(loaded.mistakes)} mistakes"
        )
        raise RelockError(f"{what}, by line:{said}", str(file), "tfrelock config show --schema operator")
    return says, loaded.leaves


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


def told(reader: Reader, repository: RepoId, operator: Operator) -> Told:
    """What `.tfrelock.yaml` at the top of a repository says of its files, and what the operator adds. One
    with a mistake says nothing.
    """
    read = reader.read(PurePosixPath(config.NAME))
    source = decode(repository, read) if isinstance(read, Read) else read
    local, mistakes = _local(source)
    says = operator.says.of(repository, local)
    return Told(says.backend_config, says.engine, says.exclude, says.ignore, says.opt_out, mistakes)


def _local(source: Source | Unreadable | None) -> tuple[config.Local, tuple[Unreadable, ...]]:
    match source:
        case None:
            return config.Local(), ()
        case Unreadable():
            return config.Local(), (source,)
        case Source(text=text):
            local, loaded = config.read_local(text)
            mistakes = tuple(_unreadable(mistake) for mistake in loaded.mistakes)
            return (config.Local() if mistakes else local), mistakes


def _unreadable(mistake: config.Mistake) -> Unreadable:
    return Unreadable(PurePosixPath(mistake.file), f"line {mistake.line}: {printable(mistake.what)}")
