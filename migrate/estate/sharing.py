"""Which configurations may mean a state though it is not theirs by name: those whose own is not known, those
that speak to another endpoint, those of the objects in which S3 keeps its workspaces, and what stands in
files that were not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from migrate.estate.effective import Settings, bucket, joined, lockfile, names_table, text
from migrate.model import Backend, Estate, Fact, Known, Lock, Place, Stack, StateId, Unknown, Unresolved


class Other(Struct, frozen=True):
    """Another writer that may be of a state: where it stands, how it locks or may lock, what settles it."""

    where: Place
    how: str
    settle: str


_PREFIX: Final = Known("env:")
"""What the key of a workspace begins with where no `workspace_key_prefix` is set."""


def may_mean(settings: Settings, stack: Stack) -> bool:
    """Whether a configuration may mean this state, of which one of both is not known: no part that both say
    differs.
    """
    if isinstance(stack.id, StateId):
        return _may_be_one(settings, (Known(stack.id.bucket), Known(stack.id.key)), stack)
    return any(_may_be_one(settings, _named(its), stack) for its in _clients(stack))


_Name: TypeAlias = tuple[Fact[str] | None, Fact[str] | None]


def _named(settings: Settings) -> _Name:
    return bucket(settings), text(settings, "key")


def _may_be_one(settings: Settings, its: _Name, stack: Stack) -> bool:
    (here, key), (there, other) = _named(settings), its
    if isinstance(here, Known) and isinstance(there, Known) and here.value != there.value:
        return False
    if not (isinstance(key, Known) and isinstance(other, Known)) or key.value == other.value:
        return True
    below = _is_workspace(other.value, key.value, [_prefix(settings)])
    return below or _is_workspace(key.value, other.value, _prefixes(stack))


def _clients(stack: Stack) -> Iterator[Settings]:
    yield from (backend.settings for backend in stack.backends)
    yield from (joined([reader]) for reader in stack.readers)


def workspaces(stack: Stack, estate: Estate) -> Iterator[Stack]:
    """The stacks whose state is one workspace of this one, named by the key of its object."""
    if isinstance(stack.id, StateId):
        nested = estate.nested.get(stack.id, ())
        prefixes = _prefixes(stack) if nested else []
        yield from (other for other in nested if _in_workspace(other, stack, prefixes))


def bases(stack: Stack, estate: Estate) -> Iterator[Stack]:
    """The stacks of which this state is one workspace, named by the key of its object."""
    for other in estate.above(stack.id) if isinstance(stack.id, StateId) else ():
        if _in_workspace(stack, other, _prefixes(other)):
            yield other


def elsewhere(stack: Stack, estate: Estate) -> Iterator[Stack]:
    """The stacks of the same bucket and key at other endpoints: of another store, or of this one by another
    name, without TLS or through a proxy.
    """
    if isinstance(stack.id, StateId):
        here = estate.objects.get((stack.id.bucket, stack.id.key), ())
        yield from (other for other in here if other.id != stack.id)


def of_workspaces(stack: Stack, estate: Estate) -> Iterator[Backend]:
    """The writers of other states that write this one when they are run in the workspace that it is."""
    for other in bases(stack, estate):
        for backend in other.backends:
            prefix = _prefix(backend.settings)
            if isinstance(prefix, Known) and _in_workspace(stack, other, [prefix]):
                yield backend


def others_in_table(stack: Stack, estate: Estate) -> Iterator[Other]:
    """What may write this state though it is not its own by name, and lock it without the lockfile."""
    yield from _writers(stack, estate)
    for idle in estate.dormant:
        settings = joined([idle.site])
        if names_table(idle.site) and lockfile(settings) != Known(value=True) and may_mean(settings, stack):
            yield Other(idle.site.place, f"{idle.unless}, locks in the table alone", _DORMANT)
    for problem in estate.closed:
        if problem.kind != "template":
            yield Other(problem.where, f"was not read: {problem.why}", problem.remedy)
    names = _literals(stack)
    for where, words in estate.near.items() if names else ():
        if names <= words:
            yield Other(where, f"names a table beside {' and '.join(sorted(names))}", _NEAR)


def _writers(stack: Stack, estate: Estate) -> Iterator[Other]:
    known = () if isinstance(stack.id, StateId) else estate.in_table
    for other in (*estate.unresolved, *known):
        for backend in other.backends:
            yield from (one for one in _in_table(backend) if may_mean(backend.settings, stack))
    for other in (*elsewhere(stack, estate), *workspaces(stack, estate), *bases(stack, estate)):
        for backend in other.backends:
            yield from _in_table(backend)


def _literals(stack: Stack) -> set[str]:
    """What all clients of a state say alike of bucket and key."""
    said = [{part.value for part in _named(its) if isinstance(part, Known)} for its in _clients(stack)]
    return set[str].intersection(*said) if said else set()


def _in_table(backend: Backend) -> Iterator[Other]:
    """It, unless it has the lockfile, locks nowhere, or says nothing to go by."""
    takes = lockfile(backend.settings)
    if backend.table and backend.lock != Known(Lock.BOTH):
        settle = f"tfrelock propose --phase dual-lock in {backend.repo}"
        yield Other(backend.place, "locks in the table alone", settle)
    elif not backend.table and isinstance(backend.lock, Unknown) and takes != Known(value=True):
        named = (text(backend.settings, name) for name in ("bucket", "key"))
        if "use_lockfile" in backend.settings or any(isinstance(one, Known) for one in named):
            yield Other(backend.place, "may take no lockfile", "tfrelock explain unresolved")


_NEAR: Final = (
    "nothing reads it: switch the lockfile on there by hand, beside the table, or leave it out by --exclude"
)
_DORMANT: Final = "write use_lockfile = true there by hand, or take the block out: nothing uses it"


def _in_workspace(stack: Stack, base: Stack, prefixes: Iterable[Fact[str]]) -> bool:
    if isinstance(stack.id, Unresolved) or isinstance(base.id, Unresolved):
        return False
    return _is_workspace(stack.id.key, base.id.key, prefixes)


def _is_workspace(key: str, base: str, prefixes: Iterable[Fact[str]]) -> bool:
    """`env:/dev/net.tfstate` of `net.tfstate`."""
    if not key.endswith(f"/{base}"):
        return False
    prefix, _, workspace = key.removesuffix(f"/{base}").rpartition("/")
    return bool(workspace) and any(isinstance(one, Unknown) or one.value == prefix for one in prefixes)


def _prefixes(stack: Stack) -> list[Fact[str]]:
    """What the keys of a state's workspaces may begin with, as its clients say."""
    return [_prefix(settings) for settings in _clients(stack)]


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
