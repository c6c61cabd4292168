"""How the repositories of a run are reached: their commits and branches, and the forge of their proposals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from msgspec import Struct

from migrate.campaign.offering.barred import is_workflow
from migrate.campaign.proposing.branch_forge import BranchForge
from migrate.campaign.proposing.ports import Ports, Rules
from migrate.campaign.proposing.signed import Signed
from migrate.campaign.reading.commit import AtCommit
from migrate.cli.voice import wrong
from migrate.errors import RelockError
from migrate.files import Repository, printable, scratch
from migrate.files.outbox import Outbox
from migrate.files.repositories import origin
from migrate.forges import (
    ElsewhereError,
    Home,
    Local,
    Paced,
    Push,
    Review,
    Ruled,
    Signer,
    Signs,
    Stop,
)
from migrate.git.branches import Base, Here, Made, There
from migrate.git.checkout import Head, branch_tip, branches_at
from migrate.git.clones import default_branch
from migrate.git.commits import Author
from migrate.git.own import Own, borrow
from migrate.git.remote import fetch, remote
from migrate.model import Fact, ProposalState, RepoId, settled
from migrate.pages import Pages


class Reach(Struct, frozen=True):
    """How the repositories of a run are reached. `host` is None for the local forge."""

    host: Paced | None
    out: Path
    writes: bool
    author: Author
    when: str
    pages: Pages

    @property
    def written(self) -> int:
        """How many requests of this thread wrote so far."""
        return self.host.pace.made if self.host is not None else 0

    def review(self, seen: ProposalState) -> Review | None:
        """How an open proposal fares; None of any other, and of one in a folder."""
        host = self.host
        if host is None or seen.standing != "open":
            return None
        return host.patiently(lambda: host.inner.review(seen))

    def closing(self) -> Callable[[ProposalState, str], ProposalState]:
        """Closes a proposal with a word why. Raises RelockError where the forge cannot be told to."""
        host = self.host
        if host is None:
            try_this = "delete the branches of those to end, then run sync"
            raise RelockError("a folder of proposals closes nothing", "--forge local", try_this)
        return lambda state, why: host.patiently(lambda: host.inner.withdraw(state, why))

    @contextmanager
    def ports(self, repository: Repository) -> Iterator[Ports]:
        """The ports of one repository. Raises RelockError when it cannot take proposals."""
        if not repository.git:
            raise RelockError("no git repository", str(repository.id), "git init, or name a clone of it")
        with scratch() as folder:
            own = borrow(repository.root, folder)
            yield self._local(repository, own) if self.host is None else self._remote(repository, own)

    def base(self, repository: Repository, own: Own) -> Base | None:
        """The base of a repository as it stands at its host now, wherever that is; None: it has no other than
        what is here, or proposals stay here. Raises RelockError.
        """
        if self.host is None:
            return None
        try:
            repo = RepoId(repository.home.partition("#")[0])  # or another checkout of it
            home = settled(self.host.home(repo), repo)
            at, name = remote(home.url, home.token), home.base
        except ElsewhereError:
            url = origin(repository)
            if url is None:
                return None
            at = remote(url)
            name = default_branch(own, at) or ""
        name = repository.branch or name
        return Base(name, fetch(own, at, name))

    def _local(self, repository: Repository, own: Own) -> Ports:
        base = _base(repository, own.head)
        here = Here(own, base)
        forge = Local(Outbox(self.out), {repository.id: here})
        return Ports(self._made(own, base), here, forge, self.pages.proposal, self.pages.paused)

    def _made(self, own: Own, base: Base) -> Made:
        return Made(own, base, self.author, self.when)

    def _remote(self, repository: Repository, own: Own) -> Ports:
        assert self.host is not None  # noqa: S101  `ports` looked
        home = settled(self.host.home(repository.home), repository.home)
        if home.archived or not home.may_push:
            why = "is archived" if home.archived else "does not let this token push"
            raise RelockError(
                f"the repository {why}", str(repository.id), "leave it out with --exclude, or ask its owners"
            )
        at = remote(home.url, home.token)
        name = repository.branch or home.base
        base = Base(name, fetch(own, at, name))
        for note in home.notes:
            wrong(f"{printable(repository.id)}: {note.why} → {note.settle}")
        there = self._signed(repository, There(own, at, base), self.host)
        rules = self._rules(repository, home, self.host.inner)
        page, paused = self.pages.proposal, self.pages.paused
        forge = BranchForge(self.host, repository.home)
        made = self._made(own, base)
        return Ports(made, there, forge, page, paused, rules, lambda: AtCommit(own, base.commit))

    def _signed(self, repository: Repository, there: There, host: Paced) -> Signed:
        """The user's own signature stays; without one the host signs, where it must and can."""

        def signer(branch: str) -> Signer | None:
            if self.author.sign or not isinstance(host.inner, Signs):
                return None
            return host.inner.signer(repository.home, branch)

        return Signed(there, signer)

    def _rules(self, repository: Repository, home: Home, host: object) -> Rules:
        def may_change(path: PurePosixPath) -> bool:
            return home.workflows or not is_workflow(path)

        def stops(push: Push) -> tuple[Stop, ...]:
            return host.stops(repository.home, push) if isinstance(host, Ruled) else ()

        return Rules(may_change, stops, self.author.sign)


def _base(repository: Repository, at: Fact[Head]) -> Base:
    """What is checked out, or the branch that is meant. A detached HEAD stands for the one branch that is
    there. Raises RelockError.
    """
    if repository.branch:
        tip = branch_tip(repository.root, repository.branch)
        return Base(repository.branch, settled(tip, repository.id).value)
    here = settled(at, repository.id).value
    there = [] if here.branch else branches_at(repository.root, here.commit)
    return Base(here.branch or (there[0] if len(there) == 1 else "HEAD"), here.commit)
