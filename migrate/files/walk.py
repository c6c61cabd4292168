"""All files of all repositories, each read once.

A small tree is read where we are; from `SMALL` files on, what is left is spread over processes. Clones found
in a plain folder are walked after it, as repositories of their own.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from migrate.files import fork
from migrate.files.folder import Visit, visit
from migrate.files.items import Entry, Interest, Item, Opened
from migrate.files.reading import Tree
from migrate.files.repositories import Repository, identified
from migrate.model import RepoId
from migrate.tokens import Tokens

SMALL: Final = 500
_SPREADABLE: Final = 64  # so many folders are left that a fair share falls to each process

_SPEAKING: Final = frozenset({"read", "noted", "unreadable"})

Job: TypeAlias = tuple[Tree, str]


@contextmanager
def walk(
    repositories: Sequence[Repository], interest: Interest
) -> Iterator[Iterator[tuple[Repository, Item]]]:
    """Every item of every repository, in no order, but `Opened` before what was read of it.

    Reading begins at once: the processes that read a large tree do not wait for whoever asks for the items.
    """
    with _begun(_jobs(repositories, interest)) as entries:
        yield _items(repositories, entries, interest)


def _items(
    repositories: Sequence[Repository], entries: Iterable[Entry], interest: Interest
) -> Iterator[tuple[Repository, Item]]:
    clones = yield from _wave(repositories, entries)
    roots = {repository.root for repository in repositories}
    taken = frozenset(repository.id for repository in repositories)
    found = identified(
        [Repository(RepoId(""), root, git=True) for root in clones if root not in roots], taken
    )
    with _begun(_jobs(found, interest)) as more:
        yield from _wave(found, more)


def _wave(
    repositories: Sequence[Repository], entries: Iterable[Entry]
) -> Generator[tuple[Repository, Item], None, list[Path]]:
    """One walk over given repositories; gives the clones it met in plain folders."""
    clones: list[Path] = []
    held: dict[
        int, list[Item]
    ] = {}  # of plain folders, until it is clear that they are more than their clones
    for number, repository in enumerate(repositories):
        if repository.git:
            yield repository, Opened()
        else:
            held[number] = []
    for entry in entries:
        repository = repositories[entry.repository]
        if entry.kind == "nested":
            clones.append(repository.root / entry.path)
        elif entry.repository not in held:
            yield repository, entry.item()
        elif entry.kind in _SPEAKING:
            yield from _opened(repository, [*held.pop(entry.repository), entry.item()])
        else:
            held[entry.repository].append(entry.item())
    for number, items in held.items():
        if not any(clone.is_relative_to(repositories[number].root) for clone in clones):
            yield from _opened(repositories[number], items)
    return clones


def _opened(repository: Repository, items: Iterable[Item]) -> Iterator[tuple[Repository, Item]]:
    yield repository, Opened()
    for item in items:
        yield repository, item


def _jobs(repositories: Sequence[Repository], interest: Interest) -> Iterator[Job]:
    interest = replace(interest, tokens=interest.fewest())
    tokens, wide = Tokens(interest.tokens), interest.wide()
    for index, repository in enumerate(repositories):
        tree = Tree(index, str(repository.root), repository.git, interest, tokens, wide)
        starts = () if repository.git else map(str, repository.within)
        for start in (*starts,) or ("",):
            yield tree, start


@contextmanager
def _begun(starts: Iterable[Job]) -> Iterator[Iterable[Entry]]:
    """All entries; those of the first files are read here and now."""
    pending, read, seen = deque(starts), list[Entry](), 0
    while pending and seen < SMALL:
        visited = _visited(pending)
        read += visited.entries
        seen += visited.files
    if _spreadable(pending):
        with fork.spread(_all, list(pending)) as sent:
            yield chain(read, map(Entry._make, sent))
    else:
        yield chain(read, _here(pending))


def _here(pending: deque[Job]) -> Iterator[Entry]:
    """All entries of what is left, read here for as long as it cannot be spread."""
    while pending and not _spreadable(pending):
        yield from _visited(pending).entries
    if pending:
        with fork.spread(_all, list(pending)) as sent:
            yield from map(Entry._make, sent)


def _spreadable(pending: Sized) -> bool:
    return len(pending) >= _SPREADABLE and fork.available()


def _all(jobs: Iterable[Job]) -> Iterator[tuple[object, ...]]:
    pending = deque(jobs)
    while pending:
        yield from ((*entry,) for entry in _visited(pending).entries)


def _visited(pending: deque[Job]) -> Visit:
    """Visit the next folder, and queue those in it."""
    tree, path = pending.popleft()
    found = visit(tree, path)
    pending.extend((tree, folder) for folder in found.deeper)
    return found
