"""A GitHub App as a host: a key signs short words of ours, which buy a token for each owner's repositories.

The tokens last an hour and are bought anew before that; neither they nor the key are kept anywhere. Time is
GitHub's own, from the head of its answers, so that a clock that is wrong here does no harm.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct

from migrate.errors import RelockError
from migrate.forges.answer import Json, Reply, odd, text, time_of, tree_of
from migrate.forges.forge import Home, Listed, Push, Review, Said, Signer, Sleep, Stop, Underway
from migrate.forges.github.login import HEADERS, KEY, Endpoints, owner_of
from migrate.forges.wire import Wire
from migrate.model import Check, Proposal, ProposalState, RepoId, Unknown

if TYPE_CHECKING:
    from migrate.forges.github.proposals import GitHub

Connect: TypeAlias = "Callable[[str], GitHub]"
"""A client with a token."""
APP: Final = "GITHUB_APP_ID"
_EARLY: Final = 300.0
"""Seconds before its end in which a token is not used any more."""
_INSTALL: Final = "install the App for that owner, with contents, pull requests, statuses and checks: write"


class Identity(Struct, frozen=True):
    """Which App, and its private key."""

    app: str
    key: str

    def __repr__(self) -> str:
        return f"Identity({self.app!r})"


class _Bought(Struct):
    """A client with a token that ends at `until`, in seconds of this process's own clock."""

    client: GitHub
    until: float
    workflows: bool


class App:
    """A `Host`: GitHub, as an App that is installed for the owners of repositories.

    `clock` gives seconds of the calendar, for the words that are signed.
    """

    def __init__(
        self,
        where: Endpoints,
        who: Identity,
        connect: Connect,
        *,
        sleep: Sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._where, self._who, self._connect = where, who, connect
        self._sleep, self._clock = sleep, clock
        self._bought: dict[str, _Bought] = {}
        self._clients: list[GitHub] = []
        """All that were made: another thread may still speak through one whose token ends soon."""

    def close(self) -> None:
        for client in self._clients:
            client.close()

    def home(self, repo: RepoId, /) -> Home | Unknown:
        home, bought = self._of(repo).home(repo), self._bought[owner_of(repo, self._where)[0]]
        return home if isinstance(home, Unknown) else replace(home, workflows=bought.workflows)

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None:
        return self._of(repo).find(repo, branch)

    def open(self, proposal: Proposal, /) -> ProposalState:
        return self._of(proposal.repo).open(proposal)

    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState:
        return self._of(seen.repo).update(seen, proposal)

    def mark(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None:
        """The commit status, and a check run, which only an App may make."""
        client = self._of(repo)
        return client.mark(repo, commit, check) or client.check(repo, commit, check)

    def comment(self, repo: RepoId, number: str, body: str, /, *, make: bool) -> Said:
        return self._of(repo).comment(repo, number, body, make=make)

    def stops(self, repo: RepoId, push: Push, /) -> tuple[Stop, ...]:
        return self._of(repo).stops(repo, push)

    def signer(self, repo: RepoId, branch: str, /) -> Signer | None:
        return self._of(repo).signer(repo, branch)

    def review(self, seen: ProposalState, /) -> Review:
        return self._of(seen.repo).review(seen)

    def underway(self, repo: RepoId, /) -> Iterator[Underway]:
        return self._of(repo).underway(repo)

    def withdraw(self, seen: ProposalState, words: str, /) -> ProposalState:
        return self._of(seen.repo).withdraw(seen, words)

    def repositories(self, kind: Literal["group", "search"], of: str, /) -> Iterator[Listed]:
        if kind == "search":
            raise RelockError("an App does not search", of, "name an organisation, or use a person's token")
        return self._owned(of, f"{self._where.rest}/orgs/{of}/installation").repositories(kind, of)

    def _of(self, repo: RepoId) -> GitHub:
        owner, name = owner_of(repo, self._where)
        return self._owned(owner, f"{self._where.rest}/repos/{owner}/{name}/installation")

    def _owned(self, owner: str, installed: str) -> GitHub:
        bought = self._bought.get(owner)
        if bought is None or time.monotonic() > bought.until:
            self._bought[owner] = bought = self._buy(owner, installed)
        return bought.client

    def _buy(self, owner: str, installed: str) -> _Bought:
        """A token for all repositories that the owner gave to the App. Raises RelockError."""
        found = self._ask("GET", installed)
        if found.status == 404:
            raise RelockError("the GitHub App is not installed there", owner, _INSTALL)
        number = text(tree_of(found, owner), "id")
        answer = self._ask("POST", f"{self._where.rest}/app/installations/{number}/access_tokens")
        tree = tree_of(answer, owner)
        seconds = _end_of(tree, owner) - (time_of(answer) or self._clock())
        self._clients.append(self._connect(text(tree, "token")))
        until = time.monotonic() + seconds - _EARLY
        return _Bought(self._clients[-1], until, text(tree, "permissions", "workflows") == "write")

    def _ask(self, verb: Literal["GET", "POST"], path: str) -> Reply:
        """As the App itself. Words that GitHub's clock does not take are signed again with its own time."""
        reply = self._say(verb, path, self._clock())
        if reply.status == 401 and (now := time_of(reply)) is not None:
            reply = self._say(verb, path, now)
        return reply

    def _say(self, verb: Literal["GET", "POST"], path: str, now: float) -> Reply:
        headers = {"Authorization": f"Bearer {signed(self._who, now)}", **HEADERS}
        wire = Wire(self._where.base, headers, sleep=self._sleep)
        try:
            return wire.get(path) if verb == "GET" else wire.add(path, {})
        finally:
            wire.close()


def signed(who: Identity, now: float) -> str:
    """Nine minutes of being an App (GitHub allows ten), from a minute ago. Raises RelockError."""
    try:
        import jwt  # noqa: PLC0415  it comes with the extra alone
    except ImportError:
        raise RelockError("what signs for a GitHub App is not installed", KEY, _EXTRA) from None
    try:
        words = {"iat": int(now) - 60, "exp": int(now) + 480, "iss": who.app}
        return jwt.encode(words, who.key, algorithm="RS256")
    except (jwt.exceptions.InvalidKeyError, ValueError, TypeError):  # what it says may quote the key
        raise RelockError("this is no private key of an App", KEY, "give it the whole PEM file") from None


_EXTRA: Final = "install tfrelock[github-app]"


def _end_of(tree: Mapping[str, Json], owner: str) -> float:
    try:
        return datetime.fromisoformat(text(tree, "expires_at")).timestamp()
    except ValueError:
        raise odd(owner) from None


def identity(environ: Mapping[str, str]) -> Identity:
    """The App of the environment. Raises RelockError when its key is there alone."""
    if not environ.get(APP):
        raise RelockError("the key of a GitHub App, and not which App", APP, f"set {APP} to its number")
    return Identity(environ[APP], environ[KEY])
