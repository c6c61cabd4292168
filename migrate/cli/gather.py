"""PATHs → what every repository holds, joined: the first half of every command that reads source."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.reading.collector import Collector
from migrate.campaign.reading.inventory import Inventory, excluded, finish, might_count
from migrate.campaign.reading.narrowing import Narrowing
from migrate.campaign.reading.one_file import Taken
from migrate.cli.exits import Exit
from migrate.cli.given import given
from migrate.cli.options import Scope
from migrate.cli.reading import Items, reading
from migrate.cli.trust import told
from migrate.cli.unnamed import missing, unheld, unmatched
from migrate.cli.voice import Progress, followed, wrong
from migrate.estate import join
from migrate.files import Item, Left, Read, Repository, Unreadable, beside, follow, may_be_sparse, printable
from migrate.model import Estate, Known, Place, Problem, RepoId, Unknown

if TYPE_CHECKING:
    from migrate.policies import PolicySource


class Gathered(Struct, frozen=True):
    """All repositories of one run. `exits` are the codes that reading them calls for."""

    repositories: tuple[Repository, ...]
    inventories: tuple[Inventory, ...]
    estate: Estate
    narrowing: Narrowing
    """What is reported: that which was asked for, without what is excluded."""
    exits: tuple[Exit, ...]

    @property
    def pairs(self) -> list[tuple[Repository, Inventory]]:
        """Each repository with what it holds."""
        return list(zip(self.repositories, self.inventories, strict=True))

    @property
    def own(self) -> Narrowing:
        """What is edited: other branches are known, and left as they are."""
        return replace(self.narrowing, known=tuple(f"@{r.branch}" for r in self.repositories if r.branch))


class OnDisk:
    """The reader of one repository's working tree."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def read(self, path: PurePosixPath, /) -> Read | Unreadable | None:
        found = follow(self._repository, path)
        return None if isinstance(found, Left) else found

    def names(self, directory: PurePosixPath, /) -> Iterable[str]:
        return beside(self._repository, directory)


def gather(asked: Scope, policies: tuple[PolicySource, ...] = ()) -> Gathered:
    """Read all repositories that the PATHs lead to, join what they hold, and say what was not read.

    Only these kinds of `policies` are looked for.
    """
    with reading(asked.discovered, policies) as items:
        found = gathered(asked, items, policies)
    _say_unread(found)
    return found


def gathered(asked: Scope, items: Items, policies: tuple[PolicySource, ...] = ()) -> Gathered:
    """What all repositories hold, joined, from the items that are being read of them."""
    discovered = asked.discovered
    entered: dict[RepoId, _Entered] = {}
    for repository, item in followed("reading files:", items):
        if repository.id not in entered:
            entered[repository.id] = _Entered(repository, asked, policies)
        entered[repository.id].take(item)
    bare = [repository for repository in discovered.repositories if repository.bare]
    repositories = [*bare, *(one.repository for one in entered.values())]
    whole = followed("looking through repositories:", entered.values(), len(entered))
    inventories = [*_bare(bare, asked, policies), *(_told_local(one.repository, one.left()) for one in whole)]
    kept = list(_kept(repositories, inventories, asked))
    for repository, inventory in _branches(kept, asked, policies):
        repositories.append(repository)
        inventories.append(inventory)
    unnamed = (
        *missing(discovered.missing),
        *unmatched(asked.narrowing.only, inventories),
        *unheld(given().base_branch, repositories),  # a campaign keeps branches for when they come
    )
    return joined(repositories, inventories, asked, unnamed)


def gather_with_callers(asked: Scope) -> Gathered:
    """All of that, with the policies there, and what they say of who may lock."""
    from migrate.campaign.access.callers import with_callers  # noqa: PLC0415  most commands look at no policy
    from migrate.policies import POLICIES  # noqa: PLC0415  nor at files of these

    found = gather(asked, tuple(POLICIES))
    said = asked.operator
    with Progress("weighing who may lock:"):
        estate = with_callers(found.estate, found.inventories, said.accounts, said.says.aws)
    return replace(found, estate=estate)


def _bare(
    repositories: Sequence[Repository], asked: Scope, policies: tuple[PolicySource, ...]
) -> Iterable[Inventory]:
    if not repositories:
        return ()
    from migrate.cli.objects import bare  # noqa: PLC0415  only this reads git's objects

    return followed("reading repositories:", bare(repositories, asked, policies), len(repositories))


def _kept(
    repositories: Iterable[Repository], inventories: Iterable[Inventory], asked: Scope
) -> Iterator[tuple[Repository, str]]:
    """The branches that are clients of their own, as the command line and each repository say."""
    for repository, inventory in zip(repositories, inventories, strict=True):
        if repository.git:
            names = dict.fromkeys((*asked.branches, *inventory.told.branches))
            yield from ((repository, name) for name in names)


def _branches(
    kept: Sequence[tuple[Repository, str]], asked: Scope, policies: tuple[PolicySource, ...]
) -> Iterable[tuple[Repository, Inventory]]:
    if not kept:
        return ()
    from migrate.cli.objects import branches  # noqa: PLC0415  and this

    return list(followed("reading branches:", branches(kept, asked, policies)))


def _told_local(repository: Repository, inventory: Inventory) -> Inventory:
    """With what git ignores of it; where git does not say, what is committed is not known."""
    survey = inventory.survey
    if not (repository.git and survey.sites):
        return inventory
    from migrate.git.checkout import ignored  # noqa: PLC0415  a plain folder asks no git

    links = (link for links in survey.aliases.values() for link in links)
    match ignored(repository.root, {*inventory.sources, *survey.marks, *links}):
        case Known(local):
            return replace(inventory, survey=replace(survey, local=local))
        case Unknown(why, settle):
            doubt = Problem("unreadable", Place(survey.repo, PurePosixPath(".git"), 1), why, settle)
            return replace(inventory, survey=replace(survey, closed=(*survey.closed, doubt)))


class _Entered:
    """One repository while its files come in, each looked at while the walk goes on in other processes."""

    def __init__(self, repository: Repository, asked: Scope, policies: tuple[PolicySource, ...]) -> None:
        self.repository = repository
        self._reader = OnDisk(repository)
        self._said = told(self._reader, repository.id, asked.operator, asked.exclude)
        self._collector = Collector(repository.id, policies)

    def take(self, item: Item | Taken) -> None:
        self._collector.take(item)

    def left(self) -> Inventory:
        """What it held, once no more files come."""
        if may_be_sparse(self.repository):
            from migrate.cli.objects import left_out  # noqa: PLC0415  this reads git's objects

            for item in left_out(self.repository, self._collector.asked):
                self._collector.take(item)
        return finish(self._collector, self._reader, self._said)


def joined(
    repositories: Iterable[Repository], inventories: Sequence[Inventory], asked: Scope, exits: Iterable[Exit]
) -> Gathered:
    """What was read of each repository, as one estate."""
    partial = any(inventory.unreadable for inventory in inventories)
    operator = asked.operator
    told = {inventory.survey.repo: inventory.told for inventory in inventories}
    out = {repo: (*one.left_out, *one.exclude) for repo, one in told.items()}
    with Progress("joining what was found:"):
        estate = join([i.survey for i in inventories], operator.stated, operator.seen, operator.floors)
    return Gathered(
        repositories=tuple(repositories),
        inventories=tuple(inventories),
        estate=estate,
        narrowing=replace(asked.narrowing, excluded=out),
        exits=(*exits, *([Exit.PARTIAL] if partial else [])),
    )


def _say_unread(gathered: Gathered) -> None:
    """Name on stderr what was not read and might count; `audit`, which does not call this, reports it."""
    for inventory in gathered.inventories:
        for file in inventory.unreadable:
            _say(f"unreadable {inventory.survey.repo} {file.place}: {file.why}")
        for left in inventory.left:
            if might_count(left):
                _say(f"left out {inventory.survey.repo} {left.path}: {left.why}")
        for line in excluded(inventory.told):
            _say(f"left out {inventory.survey.repo} {line}")
    for problem in gathered.estate.problems:
        if problem.kind == "misnamed":
            _say(f"{problem.where.repo} {problem.where}: {problem.why} → {problem.remedy}")


def _say(line: str) -> None:
    wrong(printable(line))


def today() -> str:
    """The date, UTC, ISO 8601: the only clock of a command that reads source."""
    return dt.datetime.now(dt.UTC).date().isoformat()
