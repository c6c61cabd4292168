"""GitHub's pull requests: found, made once, brought up to date, closed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from msgspec.structs import replace

from migrate.forges.address import Address
from migrate.forges.answer import (
    Json,
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
from migrate.forges.forge import Home, Listed, Push, Review, Said, Signer, Stop, Underway
from migrate.forges.github.checks import check_run
from migrate.forges.github.commits import signer
from migrate.forges.github.listing import repositories
from migrate.forges.github.login import BOT, Endpoints, owner_of
from migrate.forges.github.review import ask, review
from migrate.forges.github.rules import ACTIONS, may_change_workflows, stops
from migrate.forges.homes import home
from migrate.forges.opening import newest, opened
from migrate.forges.paging import pages
from migrate.forges.pull_requests import Spelling, mark, underway
from migrate.forges.wire import Wire
from migrate.model import Check, Proposal, ProposalState, RepoId, Standing, Unknown

_STATUS: Final = Spelling("state", 140, {"per_page": "100"}, "statuses: write")


@dataclass(frozen=True, slots=True)
class GitHub:
    """A `Host`; `key` is the token that git pushes with; `actions`: it is the one of a workflow's run."""

    where: Endpoints
    key: str = field(repr=False)
    wire: Wire
    actions: bool = False

    @property
    def bot(self) -> bool:
        """Whether it is an App's, or that of a workflow's run."""
        return self.key.startswith(BOT)

    def close(self) -> None:
        self.wire.close()

    def home(self, repo: RepoId, /) -> Home | Unknown:
        reply = self.wire.get(self._path(repo))
        shown = home(reply, self.where.host, repo, Address(self.where.git), self.key)
        if isinstance(shown, Unknown):
            return shown
        workflows = not self.actions and may_change_workflows(reply)
        return dataclasses.replace(shown, workflows=workflows, notes=(ACTIONS,) if self.actions else ())

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None:
        owner, _ = owner_of(repo, self.where)
        query = {"head": f"{owner}:{branch}", "state": "all"}
        found: list[ProposalState] = []
        for reply in pages(self.wire, self._path(repo, "pulls"), query):
            if hidden := unseen(reply, self.where.host, repo):
                return hidden
            states = [(tree, _state(repo, tree)) for tree in trees_of(reply, repo)]
            found += [state for tree, state in states if _is_of(tree, owner, branch)]
        return newest(found)

    def open(self, proposal: Proposal, /) -> ProposalState:
        return opened(self, proposal, self._make, self.wire)

    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState:
        now = self._written(seen, proposal)
        now = self._labelled(now, proposal.labels)
        ask(self.wire, self._path(seen.repo), now, proposal)
        return now if now.draft == proposal.draft else self._drafted(now, draft=proposal.draft)

    def mark(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None:
        return mark(self.wire, self._path(repo), repo, commit, check, _STATUS)

    def stops(self, repo: RepoId, push: Push, /) -> tuple[Stop, ...]:
        signed = push.signed or self.bot
        return stops(self.wire, self._path(repo), repo, replace(push, signed=signed))

    def signer(self, repo: RepoId, branch: str, /) -> Signer | None:
        return signer(self.wire, self._path(repo), repo, branch) if self.bot else None

    def check(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None:
        """A check run, which knows "neutral" and which only an App may make."""
        return check_run(self.wire, self._path(repo), commit, check)

    def review(self, seen: ProposalState, /) -> Review:
        return review(self.wire, self._path(seen.repo), seen.number, seen.head)

    def repositories(self, kind: Literal["group", "search"], of: str, /) -> Iterator[Listed]:
        return repositories(self.wire, self.where, kind, of)

    def underway(self, repo: RepoId, /) -> Iterator[Underway]:
        return underway(pages(self.wire, self._path(repo, "pulls"), {"state": "open"}), repo)

    def comment(self, repo: RepoId, number: str, body: str, /, *, make: bool) -> Said:
        listed, one = (self._path(repo, "issues", *at) for at in ((number, "comments"), ("comments",)))
        return sticky(Thread(self.wire, listed, one, self.wire.set), body, make=make)

    def withdraw(self, seen: ProposalState, words: str, /) -> ProposalState:
        """The comment comes first: who sees it closed sees why."""
        self.comment(seen.repo, seen.number, words, make=True)
        reply = self.wire.set(self._path(seen.repo, "pulls", seen.number), {"state": "closed"})
        return _state(seen.repo, tree_of(reply, seen.repo))

    def _make(self, proposal: Proposal) -> ProposalState | Silence:
        """One POST. After `Silence` look, before the next one."""
        wanted: Json = {
            "title": proposal.title,
            "body": proposal.body,
            "head": proposal.branch,
            "base": proposal.base,
            "draft": proposal.draft,
        }
        answer = self.wire.make(self._path(proposal.repo, "pulls"), wanted)
        if isinstance(answer, Silence):
            return answer
        if answer.status == 422 and "already exists" in answer.message:
            return Silence("it says that the proposal exists, and does not show it")
        return _state(proposal.repo, tree_of(answer, proposal.repo))

    def _written(self, seen: ProposalState, proposal: Proposal) -> ProposalState:
        if (seen.title, lines(seen.body)) == (proposal.title, lines(proposal.body)):
            return seen
        reply = self.wire.set(
            self._path(seen.repo, "pulls", seen.number), {"title": proposal.title, "body": proposal.body}
        )
        return _state(seen.repo, tree_of(reply, seen.repo))

    def _labelled(self, seen: ProposalState, labels: tuple[str, ...]) -> ProposalState:
        """Ours are added; what others put there stays."""
        missing: list[Json] = [label for label in labels if label not in seen.labels]
        if not missing:
            return seen
        path = self._path(seen.repo, "issues", seen.number, "labels")
        trees_of(self.wire.add(path, {"labels": missing}), seen.repo)
        return self._look(seen)

    def _drafted(self, seen: ProposalState, *, draft: bool) -> ProposalState:
        """The REST API makes drafts and does not change them; to become what it is already may be refused."""
        act = "convertPullRequestToDraft" if draft else "markPullRequestReadyForReview"
        query = f"mutation($id: ID!) {{ {act}(input: {{pullRequestId: $id}}) {{ clientMutationId }} }}"
        reply = self.wire.add("/graphql", {"query": query, "variables": {"id": seen.handle}})
        errors = tree_of(reply, seen.repo).get("errors")
        now = self._look(seen)
        if errors and now.draft != draft:
            refused(reply, seen.repo)
        return now

    def _look(self, seen: ProposalState) -> ProposalState:
        reply = self.wire.get(self._path(seen.repo, "pulls", seen.number))
        return _state(seen.repo, tree_of(reply, seen.repo))

    def _path(self, repo: RepoId, *rest: str) -> str:
        return "/".join([f"{self.where.rest}/repos", *owner_of(repo, self.where), *rest])


def _state(repo: RepoId, tree: Mapping[str, Json]) -> ProposalState:
    labels = tree.get("labels")
    return ProposalState(
        repo=repo,
        branch=text(tree, "head", "ref"),
        number=number_of(tree, repo),
        handle=text(tree, "node_id"),
        url=text(tree, "html_url"),
        standing=_standing(tree),
        draft=tree.get("draft") is True,
        title=text(tree, "title"),
        body=text(tree, "body"),
        labels=tuple(text(label, "name") for label in labels) if isinstance(labels, list) else (),
        head=text(tree, "head", "sha"),
        author=text(tree, "user", "login"),
    )


def _is_of(tree: Mapping[str, Json], owner: str, branch: str) -> bool:
    """GitHub answers with every proposal where it does not understand `head`."""
    return text(tree, "head", "label").lower() == f"{owner}:{branch}".lower()


def _standing(tree: Mapping[str, Json]) -> Standing:
    if tree.get("merged_at"):
        return "merged"
    return "open" if tree.get("state") == "open" else "closed"
