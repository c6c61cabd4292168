"""Whether an edit did what was wished and nothing else: the estate before held against the estate after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Final

from migrate.campaign.editing.targets import Target
from migrate.campaign.editing.texts import File
from migrate.estate.effective import lockfile, names_table
from migrate.model import Backend, Estate, Fact, Known, Lock, LockWish, Refusal, Site, Unknown
from migrate.versions import REMOVED_ARGUMENTS
from migrate.wishes import OF_THE_TABLE

_OF_THE_LOCK: Final = {*OF_THE_TABLE, "use_lockfile", "endpoints", "skip_dynamodb_endpoint_validation"}
"""The only settings that a lock wish may add, drop or change."""
_TAGS: Final = "dynamodb_table_tags."

_STRAYED: Final = "after the edit this would not be as wished: {}"
_NO_BLOCK: Final = "these flags are for a block that is not known: whether it has the lockfile is not shown"
_UNASKED: Final = "it also configures a state that takes no lock, which would get the lockfile unasked"
_REMEDIES: Final[Mapping[str, str]] = {
    _NO_BLOCK: "see that its block has use_lockfile = true, then drop it by hand",
    _UNASKED: "write use_lockfile = true beside the table instead, or ask for both: --include-unlocked",
}
_REPORT: Final = "edit it by hand, and report this file: the program should have known better"

Key = tuple[str, ...]


def strayed(before: Estate, after: Estate, targets: Iterable[Target], fallen: set[str]) -> dict[str, Refusal]:
    """The sites whose edit had another effect than the wish, each with a refusal."""
    chosen = [target for target in targets if target.site.id not in fallen]
    moved = {
        (target.site.repo, target.site.path)
        for target in chosen
        if target.site.role == "flag" and target.wish is LockWish.RETIRE
    }
    old, new = _backends(before, moved), _backends(after, moved)
    asked = _Asked(chosen)
    found: dict[str, Refusal] = {}
    for key, backends in old.items():
        for backend in backends:
            why = _strays(backend, new.get(key, ()), asked.of(backend))
            if why:
                found |= {site.id: _refused(site, why) for site in asked.edited(backend)}
    return found | dict(_unsafe_readers(after, chosen))


class _Asked:
    """What was asked of the backends of each state, and the sites that are edited for it."""

    def __init__(self, chosen: Iterable[Target]) -> None:
        self._of_state = {(target.site.id, target.stack.id): target.wish for target in chosen}
        self._of_site = {target.site.id: target for target in chosen}

    def of(self, backend: Backend) -> LockWish | None:
        """The wish for its state; where roles move, they move in every state that a file configures."""
        inputs = [site.id for site in backend.inputs]
        of_state = (self._of_state.get((site, backend.state)) for site in inputs)
        if wish := next(filter(None, of_state), None):
            return wish
        wishes = {self._of_site[site].wish for site in inputs if site in self._of_site}
        return LockWish.ASSUME if LockWish.ASSUME in wishes else None

    def edited(self, backend: Backend) -> Sequence[Site]:
        """The edited sites that it is made of; where none is, all of its repository may have changed it."""
        sites = [target.site for target in self._of_site.values() if target.site.repo == backend.repo]
        ids = {site.id for site in backend.inputs}
        return [site for site in sites if site.id in ids] or sites


def _unsafe_readers(after: Estate, chosen: Iterable[Target]) -> Iterator[tuple[str, Refusal]]:
    readers = {reader.id: reader for stack in after.stacks for reader in stack.readers}
    for target in chosen:
        reader = readers.get(target.site.id)
        if target.wish is LockWish.READ and (reader is None or names_table(reader)):
            yield target.site.id, _refused(target.site, "the reader still names the table")


def _refused(site: Site, why: str) -> Refusal:
    if remedy := _REMEDIES.get(why):
        return Refusal(site.place, why, remedy)
    return Refusal(site.place, _STRAYED.format(why), _REPORT)


def _backends(estate: Estate, moved: Set[File]) -> Mapping[Key, list[Backend]]:
    """Those of the same inputs in one root are several where something else may come in between these.

    A flag that names no lock any more is no input, and its neighbours in a file of `moved` are numbered anew.
    """
    found: dict[Key, list[Backend]] = defaultdict(list)
    for backend in estate.backends:
        root = f"{backend.repo}/{backend.root}/{backend.engine}"
        kept = (s.id for s in backend.inputs if s.role != "flag" or (s.repo, s.path) not in moved)
        found[root, *kept].append(backend)
    return found


def _strays(before: Backend, after: Iterable[Backend], wish: LockWish | None) -> str | None:
    """Why a backend is none of those with its inputs after the edit; None where it is one, as wished."""
    alone = before.inputs[0].role == "flag" and lockfile(before.settings) != Known(value=True)
    if wish is LockWish.RETIRE and alone:
        return _NO_BLOCK
    said = [_differs(before, then, wish) for then in after]
    return None if None in said else next(iter(said), "the backend is not found any more")


def _differs(before: Backend, after: Backend, wish: LockWish | None) -> str | None:
    if (before.state, _rest(before, wish)) != (after.state, _rest(after, wish)):
        return "something else than the lock has changed"
    if _has_its_lock(before, after, wish):
        return None
    if wish is None and before.lock == Known(Lock.NONE):
        return _UNASKED
    return f"its lock is {after.lock.why if isinstance(after.lock, Unknown) else after.lock.value.value}"


def _has_its_lock(before: Backend, after: Backend, wish: LockWish | None) -> bool:
    """Whether it locks as wished; what is not known for the sake of what init is given stays so."""
    if isinstance(after.lock, Unknown):
        return _waits(after) if wish is LockWish.RETIRE else isinstance(before.lock, Unknown)
    return after.lock == _wished(before, wish)


def _waits(after: Backend) -> bool:
    """A partial file or flag without its block: whether that names a table is not for the edit to say."""
    without_table = after.inputs[0].role in ("partial", "flag") and after.table is None
    return without_table and lockfile(after.settings) == Known(value=True)


def _rest(backend: Backend, wish: LockWish | None) -> Mapping[str, object]:
    rest = {n: s.value for n, s in backend.settings.items() if not (n in _OF_THE_LOCK or n.startswith(_TAGS))}
    moved = wish is LockWish.ASSUME
    return {n: v for n, v in rest.items() if not (moved and n.partition(".")[0] in _OF_THE_ROLE)}


_OF_THE_ROLE: Final = frozenset({*REMOVED_ARGUMENTS, "assume_role"})


def _wished(before: Backend, wish: LockWish | None) -> Fact[Lock]:
    """The lock that an edit leaves. A backend that is not concerned keeps its own."""
    match wish:
        case LockWish.DUAL:
            return Known(Lock.BOTH)
        case LockWish.ADOPT | LockWish.RETIRE:
            return Known(Lock.LOCKFILE)
        case LockWish.READ | LockWish.ASSUME | None:
            return before.lock
