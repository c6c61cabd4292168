"""Two trusts: what the operator says, and the little that a repository may say of itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from migrate import config
from migrate.campaign.reading.inventory import Told
from migrate.campaign.reading.partials import Reader, source_at
from migrate.errors import RelockError
from migrate.files import Unreadable, configuration, load, load_folder, printable
from migrate.model import Engine, RepoId, Seen, Source, Stated
from migrate.versions import FIRST_LOCKFILE, Malformed, Release

if TYPE_CHECKING:
    from migrate.iam.gaad import Account


class Operator(Struct, frozen=True):
    """What the operator's configuration, facts and flags say."""

    stated: tuple[Stated, ...] = ()
    seen: tuple[Seen, ...] = ()
    floors: Mapping[Engine, str] = field(default_factory=dict)
    says: config.Operator = field(default_factory=config.Operator)
    notes: tuple[str, ...] = ()
    """What of it does not count any more, and why."""
    accounts: tuple[Account, ...] = ()
    """Saved answers among the facts: they tell whose policies a named role has."""
    today: str = ""
    """ISO 8601."""


def read_operator(named: Path | None, facts: Path | None, floor: str | None, now: datetime) -> Operator:
    """Raises RelockError when a file or the floor says something that cannot be."""
    says, file, leaves = read_config(named)
    seen = list(_seen(facts, now)) if facts else []
    left = [one for one in seen if isinstance(one, config.Unusable)]
    notes = [*config.ended(leaves, file, now.date().isoformat()), *left]
    return Operator(
        stated=says.facts,
        seen=tuple(fact for fact in seen if isinstance(fact, Seen)),
        floors=_floors(floor),
        says=says,
        notes=tuple(printable(str(note)) for note in notes),
        accounts=tuple(one for one in seen if not isinstance(one, Seen | config.Unusable)),
        today=now.date().isoformat(),
    )


def _seen(folder: Path, now: datetime) -> Iterator[Seen | Account | config.Unusable]:
    for name, text in load_folder(folder, ".json").items():
        if _SAVED in text:
            yield from _account(name, text)
        else:
            yield from config.read_seen(text, name, now)


_SAVED: Final = '"RoleDetailList"'


def _account(name: str, text: str) -> Iterator[Account | config.Unusable]:
    """A saved answer of `aws iam get-account-authorization-details`; what it lacks is told."""
    from migrate.iam.gaad import Account, read_account  # noqa: PLC0415  who gives none should not pay for it

    try:
        tree: object = json.loads(text)
    except (ValueError, RecursionError):
        yield config.Unusable(name, "no JSON, or cut off")
        return
    read = read_account(tree if isinstance(tree, list) else [tree], name)
    if isinstance(read, Account):
        yield read
        yield from (config.Unusable(name, flaw) for flaw in read.flaws)
    else:
        yield config.Unusable(name, read)


def read_config(named: Path | None) -> tuple[config.Operator, str, tuple[config.Leaf, ...]]:
    """What the operator's configuration says, its name and its lines: what was named, else the user's own.

    Raises RelockError with all its mistakes.
    """
    file = named or configuration(os.environ)
    if file is None:
        return config.Operator(), "", ()
    says, loaded = config.read_operator(load(file), file.name)
    if loaded.mistakes:
        count = len(loaded.mistakes)
        lines = "".join(f"\n  {mistake.line}: {printable(mistake.what)}" for mistake in loaded.mistakes)
        what = f"it has {'one mistake' if count == 1 else f'{count} mistakes'}, by line:{lines}"
        raise RelockError(what, str(file), "tfrelock config show --schema operator")
    return says, file.name, loaded.leaves


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


def told(reader: Reader, repository: RepoId, operator: Operator, exclude: Sequence[str] = ()) -> Told:
    """What `.tfrelock.yaml` at the top of a repository says of its files, and what the operator adds, who
    may `exclude` more on the command line. One with a mistake says nothing.
    """
    local, mistakes, leaves = _local(source_at(repository, PurePosixPath(config.NAME), reader))
    says = operator.says.of(repository, replace(local, exclude=()))
    return Told(
        backend_config=says.backend_config,
        lines=_roots(leaves),
        engine=says.engine,
        exclude=local.exclude,
        left_out=(*exclude, *says.exclude),
        branches=says.branches,
        ignore=says.ignore,
        opt_out=says.opt_out,
        mistakes=(*mistakes, *_misnamed(reader)),
        ended=config.ended(leaves, config.NAME, operator.today),
    )


def _roots(leaves: Iterable[config.Leaf]) -> Mapping[PurePosixPath, int]:
    """The roots that `backend_config` names, with the line of the first of their files."""
    lines: dict[PurePosixPath, int] = {}
    for leaf in leaves:
        if leaf.key.startswith(_FILES):
            root = leaf.key.removeprefix(_FILES).rpartition("[")[0]
            lines.setdefault(PurePosixPath(root), leaf.line)
    return lines


_FILES: Final = "backend_config."


def _local(
    source: Source | Unreadable | None,
) -> tuple[config.Local, tuple[Unreadable, ...], tuple[config.Leaf, ...]]:
    match source:
        case None:
            return config.Local(), (), ()
        case Unreadable():
            return config.Local(), (source,), ()
        case Source(text=text):
            local, loaded = config.read_local(text)
            mistakes = tuple(_unreadable(mistake) for mistake in loaded.mistakes)
            return (config.Local(), mistakes, ()) if mistakes else (local, (), loaded.leaves)


def _misnamed(reader: Reader) -> Iterator[Unreadable]:
    """A file that means to be the configuration and is called otherwise would be heeded by nobody."""
    path = PurePosixPath(config.NAME).with_suffix(".yml")
    if reader.read(path) is not None:
        yield Unreadable(path, f"it is not read under this name: rename it to {config.NAME}")


def _unreadable(mistake: config.Mistake) -> Unreadable:
    why = f"{printable(mistake.what)}; until that is right, nothing in this file holds"
    return Unreadable(PurePosixPath(mistake.file), why, mistake.line)
