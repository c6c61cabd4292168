"""Gitea's pull requests: found, made once, brought up to date, closed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal
from urllib.parse import quote

from migrate.errors import RelockError
from migrate.forges.address import Address
from migrate.forges.answer import (
    Json,
    Reply,
    Silence,
    lines,
    number_of,
    refused,
    text,
    tree_of,
    trees_of,
    unseen,
)
from migrate.forges.comments import Thread, sticky
from migrate.forges.forge import Home, Listed, Review, Said, Underway
from migrate.forges.gitea.listing import listed
from migrate.forges.gitea.review import may_review, review
from migrate.forges.homes import home
from migrate.forges.opening import opened
from migrate.forges.paging import onward, shown
from migrate.forges.pull_requests import Spelling, mark, underway
from migrate.forges.wire import Wire
from migrate.model import Check, Proposal, ProposalState, RepoId, Standing, Unknown

_STATUS: Final = Spelling("status", 255, {"limit": "50"}, "write:repository")
_PAGE: Final = 50
"""The most that a server gives at once, unless it was set up otherwise."""
_DRAFT: Final = re.compile(r"\s*(?:wip:|\[wip\])\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Gitea:
    """A `Host`; `key` is the token that git pushes with."""

    where: Address
    key: str = field(repr=False)
    wire: Wire

    def close(self) -> None:
        self.wire.close()

    def home(self, repo: RepoId, /) -> Home | Unknown:
        return home(self.wire.get(self._path(repo)), "Gitea", repo, self.where, self.key)

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None:
        newest: ProposalState | None = None
        for reply in self._pages(self._path(repo, "pulls"), {"state": "all"}):
            if hidden := unseen(reply, "Gitea", repo):
                return hidden
            for tree in trees_of(reply, repo):
                state = _state(repo, tree)
                if _is_of(tree, branch) and state.standing == "open":
                    return state
                if _is_of(tree, branch) and (newest is None or int(state.number) > int(newest.number)):
                    newest = state
        return newest

    def open(self, proposal: Proposal, /) -> ProposalState:
        return opened(self, proposal, self._make, self.wire)

    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState:
        now = self._written(seen, proposal)
        missing = [label for label in proposal.labels if label not in now.labels]
        return self._labelled(now, missing) if missing else now

    def mark(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None:
        return mark(self.wire, self._path(repo), repo, commit, check, _STATUS)

    def review(self, seen: ProposalState, /) -> Review:
        reviews = self._pages(self._path(seen.repo, "pulls", seen.number, "reviews"), {})
        statuses = self._pages(self._path(seen.repo, "commits", seen.head, "status"), {}, "statuses")
        return review(shown(reviews), shown(statuses, "statuses"))

    def underway(self, repo: RepoId, /) -> Iterator[Underway]:
        return underway(self._pages(self._path(repo, "pulls"), {"state": "open"}), repo)

    def repositories(self, kind: Literal["group", "search"], of: str, /) -> Iterator[Listed]:
        """Those of an organisation, or those whose name has the word."""
        path, query = (
            (f"/orgs/{quote(of, safe='')}/repos", {}) if kind == "group" else ("/repos/search", {"q": of})
        )
        return listed(self.where, self._pages(path, query), of)

    def withdraw(self, seen: ProposalState, words: str, /) -> ProposalState:
        """The comment comes first: who sees it closed sees why."""
        self.comment(seen.repo, seen.number, words, make=True)
        reply = self.wire.set(self._path(seen.repo, "pulls", seen.number), {"state": "closed"})
        return _state(seen.repo, tree_of(reply, seen.repo))

    def comment(self, repo: RepoId, number: str, body: str, /, *, make: bool) -> Said:
        listed, one = (self._path(repo, "issues", *at) for at in ((number, "comments"), ("comments",)))
        return sticky(Thread(self.wire, listed, one, self.wire.set, paged=False), body, make=make)

    def _make(self, proposal: Proposal) -> ProposalState | Silence:
        """One POST. After `Silence` look, before the next one."""
        owners = () if proposal.draft else proposal.owners
        people = [name for name in proposal.reviewers if "/" not in name]
        people += may_review(self.wire, self._path(proposal.repo), owners)
        wanted: Json = {
            "head": proposal.branch,
            "base": proposal.base,
            "title": _title(proposal),
            "body": proposal.body,
            "reviewers": list[Json](dict.fromkeys(people)),
            "team_reviewers": [name.partition("/")[2] for name in proposal.reviewers if "/" in name],
        }
        answer = self.wire.make(self._path(proposal.repo, "pulls"), wanted)
        if isinstance(answer, Silence):
            return answer
        if answer.status == 409:
            return Silence("it says that the proposal exists, and does not show it")
        return _state(proposal.repo, tree_of(answer, proposal.repo))

    def _written(self, seen: ProposalState, proposal: Proposal) -> ProposalState:
        told = (seen.title, seen.draft, lines(seen.body))
        if told == (proposal.title, proposal.draft, lines(proposal.body)):
            return seen
        wanted: Json = {"title": _title(proposal), "body": proposal.body}
        reply = self.wire.set(self._path(seen.repo, "pulls", seen.number), wanted)
        return _state(seen.repo, tree_of(reply, seen.repo))

    def _labelled(self, seen: ProposalState, missing: Sequence[str]) -> ProposalState:
        """Labels by name; those that the repository does not have are left out there, and made here."""
        for _ in range(2):  # what was made is added by the second
            if not self.wire.surely(lambda: self._made_of(seen, missing)):
                return self._look(seen)
        raise RelockError("the forge does not keep our labels", seen.repo, "make them there by hand")

    def _made_of(self, seen: ProposalState, labels: Sequence[str]) -> list[str] | Silence:
        """Add labels, and make those that are not there.

        Two labels may have one name, so after a silence the adding itself is the look.
        """
        path, wanted = self._path(seen.repo, "issues", seen.number, "labels"), list[Json](labels)
        added = trees_of(self.wire.add(path, {"labels": wanted}), seen.repo)
        absent = [label for label in labels if label not in {text(tree, "name") for tree in added}]
        for label in absent:
            made = self.wire.make(self._path(seen.repo, "labels"), {"name": label, "color": "#ededed"})
            if isinstance(made, Silence):
                return made
            if made.status >= 300:
                refused(made, seen.repo)
        return absent

    def _look(self, seen: ProposalState) -> ProposalState:
        reply = self.wire.get(self._path(seen.repo, "pulls", seen.number))
        return _state(seen.repo, tree_of(reply, seen.repo))

    def _pages(self, path: str, query: Mapping[str, str], key: str = "data") -> Iterator[Reply]:
        """Until one comes back empty: a server may give less at once than it is asked for."""
        return onward(self._all(path, query, key), self.wire.host)

    def _all(self, path: str, query: Mapping[str, str], key: str) -> Iterator[Reply]:
        for page in count(1):
            asked = {**query, "limit": str(_PAGE), "page": str(page)}
            reply = self.wire.get(path, query=asked)
            yield reply
            held = reply.body.get(key) if isinstance(reply.body, dict) else reply.body
            if not held or not isinstance(held, list):
                return

    def _path(self, repo: RepoId, *rest: str) -> str:
        return "/".join(["/repos", *self.where.parts(repo), *rest])


def _is_of(tree: Mapping[str, Json], branch: str) -> bool:
    """Not a branch of that name in somebody's fork."""
    here = text(tree, "head", "repo_id") == text(tree, "base", "repo_id")
    return here and text(tree, "head", "ref") == branch


def _state(repo: RepoId, tree: Mapping[str, Json]) -> ProposalState:
    labels, shown = tree.get("labels"), text(tree, "title")
    draft = _DRAFT.match(shown)
    return ProposalState(
        repo=repo,
        branch=text(tree, "head", "ref"),
        number=number_of(tree, repo),
        handle=text(tree, "id"),
        url=text(tree, "html_url"),
        standing=_standing(tree),
        draft=draft is not None,
        title=shown[draft.end() :] if draft else shown,
        body=text(tree, "body"),
        labels=tuple(text(label, "name") for label in labels) if isinstance(labels, list) else (),
        head=text(tree, "head", "sha"),
    )


def _standing(tree: Mapping[str, Json]) -> Standing:
    if tree.get("merged") is True:
        return "merged"
    return "open" if tree.get("state") == "open" else "closed"


def _title(proposal: Proposal) -> str:
    return f"WIP: {proposal.title}" if proposal.draft else proposal.title
