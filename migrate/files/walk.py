"""Reads every file of all repositories once, and makes something of it in the process that has read it.

A small tree is read in this process; what is left after some hundred files is spread over several. Clones
found in a plain folder are walked after it, as repositories of their own.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from migrate.files import fork
from migrate.files.folder import Visit, visit
from migrate.files.items import Entry, Interest, Item, Kind, Left, Opened, Read
from migrate.files.reading import Sought, Tree
from migrate.files.repositories import Repository, identified
from migrate.model import RepoId

_SMALL: Final = 500
_SPREADABLE: Final = 64  # so many folders are left that a fair share falls to each process

_SPEAKING: Final = frozenset({"read", "noted", "unreadable"})

T = TypeVar("T")

Job: TypeAlias = tuple[Tree, str]
Make: TypeAlias = Callable[[RepoId, Read], T]


class _Found(NamedTuple, Generic[T]):
    """One item of the repository of that number."""

    repository: int
    kind: Kind
    item: T


@contextmanager
def walk(
    repositories: Sequence[Repository], interest: Interest, make: Make[T]
) -> Iterator[Iterator[tuple[Repository, Item | T]]]:
    """Every item of every repository, in no order, but `Opened` before what was read of it.

    In place of each `Read` stands what `make` gives for it, which may come out of another process. Reading
    begins at once: the processes that read a large tree do not wait for whoever asks for the items.
    """
    with _Walk[T](repositories, interest, make).begun() as found:
        yield _items(repositories, found, interest, make)


def _items(
    repositories: Sequence[Repository], first: Iterable[_Found[Item | T]], interest: Interest, make: Make[T]
) -> Iterator[tuple[Repository, Item | T]]:
    clones = yield from _wave(repositories, first)
    roots = {repository.root for repository in repositories}
    taken = frozenset(repository.id for repository in repositories)
    found = identified(
        [Repository(RepoId(""), root, git=True) for root in clones if root not in roots], taken
    )
    with _Walk[T](found, interest, make).begun() as more:
        yield from _wave(found, more)


def _wave(
    repositories: Sequence[Repository], found: Iterable[_Found[Item | T]]
) -> Generator[tuple[Repository, Item | T], None, list[Path]]:
    """One walk over given repositories; gives the clones it met in plain folders."""
    clones: list[Path] = []
    # Of plain folders, until it is clear that they are more than their clones.
    held: dict[int, list[Item | T]] = {}
    for number, repository in enumerate(repositories):
        if repository.git:
            yield repository, Opened()
        else:
            held[number] = []
    for number, kind, item in found:
        repository = repositories[number]
        if kind == "nested" and isinstance(item, Left):
            clones.append(repository.root / item.path)
        elif number not in held:
            yield repository, item
        elif kind in _SPEAKING:
            yield from _opened(repository, [*held.pop(number), item])
        else:
            held[number].append(item)
    for number, items in held.items():
        if not any(clone.is_relative_to(repositories[number].root) for clone in clones):
            yield from _opened(repositories[number], items)
    return clones


def _opened(repository: Repository, items: Iterable[Item | T]) -> Iterator[tuple[Repository, Item | T]]:
    yield repository, Opened()
    for item in items:
        yield repository, item


class _Walk(Generic[T]):
    """One walk, from its first folder on."""

    def __init__(self, repositories: Sequence[Repository], interest: Interest, make: Make[T]) -> None:
        self._ids = [repository.id for repository in repositories]
        self._pending = deque(_jobs(repositories, interest))
        self._make = make

    @contextmanager
    def begun(self) -> Iterator[Iterable[_Found[Item | T]]]:
        """All that is found; the first files are read here and now."""
        read, seen = list[Entry](), 0
        while self._pending and seen < _SMALL:
            visited = _visited(self._pending)
            read += visited.entries
            seen += visited.files
        if self._spreadable():
            with fork.spread(self._all, list(self._pending)) as sent:
                yield chain(self._made(read), sent)
        else:
            yield chain(self._made(read), self._here())

    def _here(self) -> Iterator[_Found[Item | T]]:
        """All that is left, read here for as long as it cannot be spread."""
        while self._pending and not self._spreadable():
            yield from self._made(_visited(self._pending).entries)
        if self._pending:
            with fork.spread(self._all, list(self._pending)) as sent:
                yield from sent

    def _spreadable(self) -> bool:
        return len(self._pending) >= _SPREADABLE and fork.available()

    def _all(self, jobs: Iterable[Job]) -> Iterator[_Found[Item | T]]:
        pending = deque(jobs)
        while pending:
            yield from self._made(_visited(pending).entries)

    def _made(self, entries: Iterable[Entry]) -> Iterator[_Found[Item | T]]:
        for entry in entries:
            item = entry.item()
            made = self._make(self._ids[entry.repository], item) if isinstance(item, Read) else item
            yield _Found(entry.repository, entry.kind, made)


def _jobs(repositories: Sequence[Repository], interest: Interest) -> Iterator[Job]:
    sought, few = Sought.of(interest.tokens), Sought.of(interest.few)
    for index, repository in enumerate(repositories):
        tree = Tree(index, str(repository.root), repository.git, interest, sought, few)
        starts = () if repository.git else map(str, repository.within)
        for start in (*starts,) or ("",):
            yield tree, start


def _visited(pending: deque[Job]) -> Visit:
    """Visit the next folder, and queue those in it."""
    tree, path = pending.popleft()
    found = visit(tree, path)
    pending.extend((tree, folder) for folder in found.deeper)
    return found
