"""Whether an edit did what was wished and nothing else: the estate before held against the estate after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from typing import Final

from migrate.campaign.editing.targets import Target
from migrate.campaign.editing.texts import File
from migrate.estate.effective import lockfile
from migrate.estate.readers import names_table
from migrate.model import Backend, Estate, Known, Lock, LockWish, Refusal, Site, Unknown
from migrate.versions import REMOVED_ARGUMENTS

OF_THE_LOCK: Final = frozenset(
    {
        "use_lockfile",
        "dynamodb_table",
        "lock_table",
        "dynamodb_endpoint",
        "endpoints.dynamodb",
        "endpoints",
        "dynamodb_table_tags",
        "enable_lock_table_ssencryption",
        "skip_dynamodb_endpoint_validation",
    }
)
"""The only settings that a lock wish may add, drop or change."""

_STRAYED: Final = "after the edit this would not be as wished: {}"
_NO_BLOCK: Final = "these flags are for a block that is not known: whether it has the lockfile is not shown"
_REPORT: Final = "edit it by hand, and report this file: the program should have known better"

Key = tuple[str, ...]


def strayed(before: Estate, after: Estate, targets: Iterable[Target], fallen: set[str]) -> dict[str, Refusal]:
    """The sites whose edit had another effect than the wish, each with a refusal."""
    chosen = {target.site.id: target for target in targets if target.site.id not in fallen}
    wishes = {site: target.wish for site, target in chosen.items()}
    moved = {
        (target.site.repo, target.site.path)
        for target in chosen.values()
        if target.site.role == "flag" and target.wish is LockWish.RETIRE
    }
    old, new = _backends(before, moved), _backends(after, moved)
    found: dict[str, Refusal] = {}
    for key, backends in old.items():
        for backend in backends:
            wish = next((wishes[site.id] for site in backend.inputs if site.id in wishes), None)
            why = _strays(backend, new.get(key, ()), wish)
            if why:
                found |= {site.id: _refused(site, why) for site in backend.inputs if site.id in wishes}
    readers = {reader.id: reader for stack in after.stacks for reader in stack.readers}
    for target in targets:
        reader = readers.get(target.site.id)
        if wishes.get(target.site.id) is LockWish.READ and (reader is None or names_table(reader)):
            found[target.site.id] = _refused(target.site, "the reader still names the table")
    return found


def _refused(site: Site, why: str) -> Refusal:
    if why == _NO_BLOCK:
        return Refusal(site.place, why, "see that its block has use_lockfile = true, then drop it by hand")
    return Refusal(site.place, _STRAYED.format(why), _REPORT)


def _backends(estate: Estate, moved: Set[File]) -> Mapping[Key, list[Backend]]:
    """Those of the same inputs in one root are several where something else may come in between these.

    A flag that names no lock any more is no input, and its neighbours in a file of `moved` are numbered anew.
    """
    found: dict[Key, list[Backend]] = defaultdict(list)
    for backend in (backend for stack in estate.stacks for backend in stack.backends):
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
    if after.lock not in _wished(before, wish) and not (wish is LockWish.RETIRE and _waits(after)):
        said = after.lock.why if isinstance(after.lock, Unknown) else after.lock.value.value
        return f"its lock is {said}"
    return None


def _waits(after: Backend) -> bool:
    """A partial file or flag without its block: whether that names a table is not for the edit to say."""
    without_table = after.inputs[0].role in ("partial", "flag") and after.table is None
    return without_table and lockfile(after.settings) == Known(value=True)


def _rest(backend: Backend, wish: LockWish | None) -> Mapping[str, object]:
    rest = {name: setting.value for name, setting in backend.settings.items() if name not in OF_THE_LOCK}
    moved = wish is LockWish.ASSUME
    return {n: v for n, v in rest.items() if not (moved and n.partition(".")[0] in _OF_THE_ROLE)}


_OF_THE_ROLE: Final = frozenset({*REMOVED_ARGUMENTS, "assume_role"})


def _wished(before: Backend, wish: LockWish | None) -> tuple[object, ...]:
    """The locks an edit may leave. A backend that is not concerned keeps its own."""
    match wish:
        case LockWish.DUAL | LockWish.ADOPT:
            still = (before.lock,) if isinstance(before.lock, Unknown) else ()  # for what init is given
            return (Known(Lock.BOTH), *still) if before.table else (Known(Lock.LOCKFILE),)
        case LockWish.RETIRE:
            return (Known(Lock.LOCKFILE),)
        case LockWish.READ | LockWish.ASSUME | None:
            return (before.lock,)
