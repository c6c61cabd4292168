"""Which configurations may mean a state though it is not theirs by name: those whose own is not known, and
those of the objects in which S3 keeps its workspaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from migrate.estate.effective import Settings, bucket, joined, lockfile, text
from migrate.estate.readers import names_table
from migrate.model import Backend, Estate, Fact, Known, Lock, Site, Stack, StateId, Unknown, Unresolved

Other: TypeAlias = tuple[Site, str]
"""Where another writer stands, and how it locks or may lock."""

_PREFIX: Final = Known("env:")
"""What the key of a workspace begins with where no `workspace_key_prefix` is set."""


def may_mean(settings: Settings, stack: Stack) -> bool:
    """Whether a configuration whose state is not known may mean this one: no part that is known differs."""
    if isinstance(stack.id, Unresolved):
        return True
    where, key = bucket(settings), text(settings, "key")
    if isinstance(where, Known) and where.value != stack.id.bucket:
        return False
    if not isinstance(key, Known) or key.value == stack.id.key:
        return True
    below = _is_workspace(stack.id.key, key.value, [_prefix(settings)])
    return below or _is_workspace(key.value, stack.id.key, _prefixes(stack))


def workspaces(stack: Stack, estate: Estate) -> Iterator[Stack]:
    """The stacks whose state is one workspace of this one, named by the key of its object."""
    if isinstance(stack.id, StateId):
        for other in estate.nested.get(stack.id, ()):
            if isinstance(other.id, StateId) and _is_workspace(other.id.key, stack.id.key, _prefixes(stack)):
                yield other


def bases(stack: Stack, estate: Estate) -> Iterator[Stack]:
    """The stacks of which this state is one workspace, named by the key of its object."""
    for other in estate.above(stack.id) if isinstance(stack.id, StateId) else ():
        if any(one is stack for one in workspaces(other, estate)):
            yield other


def others_in_table(stack: Stack, estate: Estate) -> Iterator[Other]:
    """What may write this state though it is not its own by name, and lock it without the lockfile."""
    for unresolved in estate.unresolved:
        for backend in unresolved.backends:
            how = _in_table(backend)
            if how and may_mean(backend.settings, stack):
                yield backend.inputs[0], how
    for other in (*workspaces(stack, estate), *bases(stack, estate)):
        for backend in other.backends:
            how = _in_table(backend)
            if how:
                yield backend.inputs[0], how
    for site in estate.modules:
        settings = joined([site])
        if names_table(site) and lockfile(settings) != Known(value=True) and may_mean(settings, stack):
            yield site, "run by itself and not as a module, locks in the table alone"


def _in_table(backend: Backend) -> str:
    """How it locks without the lockfile, for all we know; empty where it has it, or says nothing to go by."""
    if backend.table:
        return "" if backend.lock == Known(Lock.BOTH) else "locks in the table alone"
    says = "use_lockfile" in backend.settings or isinstance(text(backend.settings, "key"), Known)
    may = isinstance(backend.lock, Unknown) and lockfile(backend.settings) != Known(value=True)
    return "may take no lockfile" if may and says else ""


def _is_workspace(key: str, base: str, prefixes: Iterable[Fact[str]]) -> bool:
    """`env:/dev/net.tfstate` of `net.tfstate`."""
    if not key.endswith(f"/{base}"):
        return False
    prefix, _, workspace = key.removesuffix(f"/{base}").rpartition("/")
    return bool(workspace) and any(isinstance(one, Unknown) or one.value == prefix for one in prefixes)


def _prefixes(stack: Stack) -> list[Fact[str]]:
    """What the keys of a state's workspaces may begin with, as its clients say."""
    read = (joined([reader]) for reader in stack.readers)
    return [_prefix(settings) for settings in (*(b.settings for b in stack.backends), *read)]


def _prefix(settings: Settings) -> Fact[str]:
    """An empty one is none at all: `dev/net.tfstate` (tried)."""
    said = settings.get("workspace_key_prefix")
    match said.value if said else Known(None):
        case Unknown() as unknown:
            return unknown
        case Known(None):
            return _PREFIX
        case Known(value):
            return Known(str(value).strip("/"))
