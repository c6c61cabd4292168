"""GitLab's merge requests: found, made once, brought up to date, closed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import quote

from migrate.errors import RelockError
from migrate.forges.address import Address
from migrate.forges.answer import Json, Silence, lines, number_of, plain, text, tree_of, trees_of, unseen
from migrate.forges.comments import Thread, sticky
from migrate.forges.forge import GATE, Home, Listed, Review, Said, Underway
from migrate.forges.gitlab.listing import group, projects
from migrate.forges.gitlab.review import review
from migrate.forges.homes import home
from migrate.forges.opening import newest, opened
from migrate.forges.paging import pages
from migrate.forges.wire import Wire
from migrate.model import Check, Outcome, Proposal, ProposalState, RepoId, Standing, Unknown

STATES: Final = {Outcome.HOLDS: "success", Outcome.UNKNOWN: "pending", Outcome.BROKEN: "failed"}
_DEVELOPER: Final = 30
"""The access level from which on branches may be pushed."""
_DRAFT: Final = re.compile(r"\s*(?:draft:|\[draft\]|\(draft\))\s*", re.IGNORECASE)
_COMMAND: Final = re.compile(r"^(?=[ \t]*/[a-z])", re.MULTILINE | re.IGNORECASE)
_STANDINGS: Final[Mapping[str, Standing]] = {"merged": "merged", "closed": "closed"}


@dataclass(frozen=True, slots=True)
class GitLab:
    """A `Host`; `key` is the token that git pushes with."""

    where: Address
    key: str = field(repr=False)
    wire: Wire

    def close(self) -> None:
        self.wire.close()

    def home(self, repo: RepoId, /) -> Home | Unknown:
        reply = self.wire.get(self._path(repo))
        return home(reply, "GitLab", repo, self.where, self.key, _may_push)

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None:
        query = {"source_branch": branch, "state": "all", "scope": "all", "per_page": "100"}
        reply = self.wire.get(self._path(repo, "merge_requests"), query=query)
        if hidden := unseen(reply, "GitLab", repo):
            return hidden
        states = [(tree, _state(repo, tree)) for tree in trees_of(reply, repo)]
        return newest(state for tree, state in states if _is_of(tree, branch))

    def open(self, proposal: Proposal, /) -> ProposalState:
        return opened(self, proposal, self._make, self.wire)

    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState:
        """Title, draft, text and labels are one call. Ours are added to labels that others put there."""
        missing = [label for label in proposal.labels if label not in seen.labels]
        body = _uncommanded(proposal.body)
        told = (seen.title, seen.draft, lines(seen.body))
        if told == (proposal.title, proposal.draft, lines(body)) and not missing:
            return seen
        wanted: Json = {"title": _title(proposal), "description": body, "add_labels": ",".join(missing)}
        reply = self.wire.put(self._path(seen.repo, "merge_requests", seen.number), wanted)
        return _state(seen.repo, tree_of(reply, seen.repo))

    def mark(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None:
        """A commit status, looked at first: GitLab refuses to be told again what it shows."""
        shown = self.wire.get(
            self._path(repo, "repository", "commits", commit, "statuses"), query={"name": GATE}
        )
        if shown.status not in (403, 404):
            known = {text(tree, "name"): text(tree, "status") for tree in trees_of(shown, repo)}
            if known.get(GATE) == STATES[check.outcome]:
                return None
            wanted: Json = {
                "name": GATE,
                "state": STATES[check.outcome],
                "description": plain(check.says, 255),
            }
            shown = self.wire.add(self._path(repo, "statuses", commit), wanted)
        if shown.status in (403, 404):
            return Unknown("the token may not set a commit status", "give it the scope api")
        if not (shown.status == 400 and "Cannot transition" in shown.message):  # it shows that already
            tree_of(shown, repo)
        return None

    def comment(self, repo: RepoId, number: str, body: str, /, *, make: bool) -> Said:
        notes = self._path(repo, "merge_requests", number, "notes")
        return sticky(Thread(self.wire, notes, notes, self.wire.put), _uncommanded(body), make=make)

    def review(self, seen: ProposalState, /) -> Review:
        return review(self.wire, self._path(seen.repo, "merge_requests", seen.number))

    def underway(self, repo: RepoId, /) -> Iterator[Underway]:
        for reply in pages(self.wire, self._path(repo, "merge_requests"), {"state": "opened"}):
            yield from (_underway(tree, repo) for tree in trees_of(reply, repo))

    def repositories(self, kind: Literal["group", "search"], of: str, /) -> Iterator[Listed]:
        """The projects of a group and its subgroups, or those whose name or path has the words."""
        groups = {"include_subgroups": "true", "with_shared": "false"}
        asked = (group(of), groups) if kind == "group" else ("/projects", {"search": of})
        return projects(self.wire, self.where, *asked, of)

    def withdraw(self, seen: ProposalState, words: str, /) -> ProposalState:
        """The comment comes first: who sees it closed sees why."""
        self.comment(seen.repo, seen.number, words, make=True)
        wanted: Json = {"state_event": "close"}
        shown = tree_of(self.wire.get(self._path(seen.repo, "merge_requests", seen.number)), seen.repo)
        if text(shown, "state") != "closed":  # GitLab refuses to close what is closed
            reply = self.wire.put(self._path(seen.repo, "merge_requests", seen.number), wanted)
            shown = tree_of(reply, seen.repo)
        return _state(seen.repo, shown)

    def _make(self, proposal: Proposal) -> ProposalState | Silence:
        """One POST. After `Silence` look, before the next one."""
        wanted: Json = {
            "source_branch": proposal.branch,
            "target_branch": proposal.base,
            "title": _title(proposal),
            "description": _uncommanded(proposal.body),
            "labels": ",".join(proposal.labels),
            "reviewer_ids": list(self._reviewers(proposal)),
        }
        answer = self.wire.make(self._path(proposal.repo, "merge_requests"), wanted)
        if isinstance(answer, Silence):
            return answer
        if answer.status == 409 and "already exists" in answer.message:
            return Silence("it says that the proposal exists, and does not show it")
        return _state(proposal.repo, tree_of(answer, proposal.repo))

    def _reviewers(self, proposal: Proposal) -> Iterator[int]:
        """By their numbers. Owners of its files who are no users here are left out; a wish is not."""
        for name in dict.fromkeys([*proposal.reviewers, *proposal.owners]):
            found = trees_of(self.wire.get("/users", query={"username": name}), proposal.repo)
            yield from (int(text(tree, "id")) for tree in found)
            if not found and name in proposal.reviewers:
                raise RelockError(
                    f"GitLab knows no user {name}", proposal.repo, "correct proposals: reviewers:"
                )

    def _path(self, repo: RepoId, *rest: str) -> str:
        return "/".join(["/projects", quote("/".join(self.where.parts(repo)), safe=""), *rest])


def _may_push(tree: Mapping[str, Json]) -> bool:
    """By the project or its group; GitLab does not always say, and then the push will."""
    rights = tree.get("permissions")
    if not isinstance(rights, dict):
        return True
    levels = [text(rights, kind, "access_level") for kind in ("project_access", "group_access")]
    known = [int(level) for level in levels if level.isdecimal()]
    return not known or max(known) >= _DEVELOPER


def _is_of(tree: Mapping[str, Json], branch: str) -> bool:
    """Not a branch of that name in somebody's fork."""
    here = text(tree, "source_project_id") == text(tree, "project_id")
    return here and text(tree, "source_branch") == branch


def _underway(tree: Mapping[str, Json], repo: RepoId) -> Underway:
    number = number_of(tree, repo, "iid")
    here = text(tree, "source_project_id") == text(tree, "project_id")
    return Underway(
        number=number,
        url=text(tree, "web_url"),
        branch=text(tree, "source_branch") if here else "",
        base=text(tree, "target_branch"),
        head=text(tree, "sha"),
        ref=f"refs/merge-requests/{number}/head",
    )


def _state(repo: RepoId, tree: Mapping[str, Json]) -> ProposalState:
    labels, shown = tree.get("labels"), text(tree, "title")
    draft = _DRAFT.match(shown)
    return ProposalState(
        repo=repo,
        branch=text(tree, "source_branch"),
        number=number_of(tree, repo, "iid"),
        handle=text(tree, "id"),
        url=text(tree, "web_url"),
        standing=_STANDINGS.get(text(tree, "state"), "open"),
        draft=draft is not None,
        title=shown[draft.end() :] if draft else shown,
        body=text(tree, "description"),
        labels=tuple(label for label in labels if isinstance(label, str)) if isinstance(labels, list) else (),
        head=text(tree, "sha"),
    )


def _title(proposal: Proposal) -> str:
    return f"Draft: {proposal.title}" if proposal.draft else proposal.title


def _uncommanded(body: str) -> str:
    """A mark that stands for nothing keeps a line from being a command, such as `/merge`."""
    return _COMMAND.sub("\u2060", body)
