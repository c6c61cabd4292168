"""All files of all repositories, each read once.

A small tree is read where we are; from `SMALL` files on, what is left is spread over processes. Clones found
in a plain folder are walked after it, as repositories of their own.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from migrate.files import fork
from migrate.files.folder import visit
from migrate.files.items import Entry, Interest, Item, Opened
from migrate.files.reading import Tree
from migrate.files.repositories import Repository, identified
from migrate.model import RepoId
from migrate.tokens import Tokens

SMALL: Final = 1500
_SPREADABLE: Final = 64  # so many folders are left that a fair share falls to each process

_SPEAKING: Final = frozenset({"read", "noted", "unreadable"})

Job: TypeAlias = tuple[Tree, str]


def walk(repositories: Sequence[Repository], interest: Interest) -> Iterator[tuple[Repository, Item]]:
    """Every item of every repository, in no order, but `Opened` before what was read of it."""
    clones = yield from _wave(repositories, interest)
    roots = {repository.root for repository in repositories}
    taken = frozenset(repository.id for repository in repositories)
    found = [Repository(RepoId(""), root, git=True) for root in clones if root not in roots]
    yield from _wave(identified(found, taken), interest)


def _wave(
    repositories: Sequence[Repository], interest: Interest
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
    for entry in _entries(_jobs(repositories, interest)):
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


def _entries(starts: Iterator[Job]) -> Iterator[Entry]:
    pending = deque(starts)
    seen = 0
    while pending and (seen < SMALL or len(pending) < _SPREADABLE or not fork.available()):
        seen += yield from _step(pending)
    if pending:
        yield from fork.spread(_all, list(pending))


def _all(jobs: Sequence[Job]) -> Iterator[Entry]:
    pending = deque(jobs)
    while pending:
        yield from _step(pending)


def _step(pending: deque[Job]) -> Generator[Entry, None, int]:
    """Visit the next folder and queue those in it; gives the number of its files."""
    tree, path = pending.popleft()
    visited = visit(tree, path)
    yield from visited.entries
    pending.extend((tree, folder) for folder in visited.deeper)
    return visited.files
