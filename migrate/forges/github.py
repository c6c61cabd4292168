"""GitHub and GitHub Enterprise Server: pull requests over the REST API, drafts over the GraphQL API.

GitHub itself refuses a second open pull request of one branch into one base (422, "already exists"); with a
look after every POST that nobody answered, and before each that is sent again, no proposal is made twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from migrate.errors import RelockError
from migrate.forges.forge import Home, Sleep
from migrate.forges.wire import TIMEOUT, TRIES, Json, Reply, Silence, Wire
from migrate.model import Proposal, ProposalState, RepoId, Standing, Unknown

NAME: Final = "github"
TOKENS: Final = ("GITHUB_TOKEN", "GH_TOKEN")
HEADERS: Final = {
    "Accept": "application/vnd.github+json, application/json",
    "X-GitHub-Api-Version": "2022-11-28",
}
_NAME: Final = re.compile(r"(?!\.\.?$)[\w.-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where one GitHub answers: its host in repository ids, its API, the start of REST paths there, git."""

    host: str
    base: str
    rest: str = ""
    git: str = "https://github.com"


def endpoints(url: str = "https://github.com") -> Endpoints:
    """The API of github.com or of an Enterprise Server, by the URL people open in a browser."""
    host = urlsplit(url).hostname or ""
    if host == "github.com":
        return Endpoints(host, "https://api.github.com")
    return Endpoints(host, f"{url.rstrip('/')}/api", "/v3", url.rstrip("/"))


def token(environ: Mapping[str, str]) -> str:
    """The token of the environment; it is never read from a file.

    Raises RelockError when there is none.
    """
    for name in TOKENS:
        if environ.get(name):
            return environ[name]
    raise RelockError("no token for GitHub", "GITHUB_TOKEN", "set GITHUB_TOKEN or GH_TOKEN")


def reach(url: str | None, environ: Mapping[str, str], sleep: Sleep, /) -> GitHub:
    """Speak to github.com or the Enterprise Server at `url`. Raises RelockError without a token."""
    return connect(endpoints(url or "https://github.com"), token(environ), sleep=sleep)


def connect(where: Endpoints, key: str, *, sleep: Sleep, timeout: float = TIMEOUT) -> GitHub:
    """Speak to the GitHub at `where` with a token."""
    headers = {"Authorization": f"Bearer {key}", **HEADERS}
    return GitHub(where, key, Wire(where.base, headers, sleep=sleep, timeout=timeout))


class GitHub:
    """A `Host`; `key` is the token that git pushes with."""

    def __init__(self, where: Endpoints, key: str, wire: Wire) -> None:
        self._where = where
        self._key = key
        self._wire = wire

    def close(self) -> None:
        self._wire.close()

    def home(self, repo: RepoId, /) -> Home | Unknown:
        reply = self._wire.get(self._path(repo))
        if reply.status in (403, 404):
            return self._unseen(repo)
        tree = self._sure_one(reply, repo)
        rights = tree.get("permissions")
        return Home(
            url="/".join([self._where.git, *self._split(repo)]) + ".git",
            base=_text(tree, "default_branch"),
            archived=tree.get("archived") is True,
            may_push=not isinstance(rights, dict) or rights.get("push") is True,
            token=self._key,
        )

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None:
        owner, _ = self._split(repo)
        query = {"head": f"{owner}:{branch}", "state": "all", "per_page": "100"}
        reply = self._wire.get(self._path(repo, "pulls"), query=query)
        if reply.status in (403, 404):
            return self._unseen(repo)
        pulls = [_state(repo, tree) for tree in self._sure(reply, repo) if _is_of(tree, owner, branch)]
        return max(pulls, key=lambda pull: (pull.standing == "open", int(pull.number)), default=None)

    def open(self, proposal: Proposal, /) -> ProposalState:
        for attempt in range(1, TRIES + 1):
            found = self.find(proposal.repo, proposal.branch)
            if isinstance(found, Unknown):
                raise RelockError(found.why, proposal.repo, found.settle)
            if found and found.standing == "open":
                return self.update(found, proposal)
            answer = self._make(proposal)
            if isinstance(answer, ProposalState):
                return self.update(answer, proposal)
            if attempt == TRIES:
                raise self._wire.silent(answer)
            self._wire.wait(attempt)
        raise AssertionError(TRIES)

    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState:
        now = self._written(seen, proposal)
        now = self._labelled(now, proposal.labels)
        return now if now.draft == proposal.draft else self._drafted(now, draft=proposal.draft)

    def _make(self, proposal: Proposal) -> ProposalState | Silence:
        """One POST. After `Silence` look, before the next one."""
        wanted: Json = {
            "title": proposal.title,
            "body": proposal.body,
            "head": proposal.branch,
            "base": proposal.base,
            "draft": proposal.draft,
        }
        answer = self._wire.make(self._path(proposal.repo, "pulls"), wanted)
        if isinstance(answer, Silence):
            return answer
        if answer.status == 422 and "already exists" in answer.message:
            return Silence("it says that the proposal exists, and does not show it")
        return _state(proposal.repo, self._sure_one(answer, proposal.repo))

    def _written(self, seen: ProposalState, proposal: Proposal) -> ProposalState:
        if (seen.title, _lines(seen.body)) == (proposal.title, _lines(proposal.body)):
            return seen
        reply = self._wire.set(
            self._path(seen.repo, "pulls", seen.number), {"title": proposal.title, "body": proposal.body}
        )
        return _state(seen.repo, self._sure_one(reply, seen.repo))

    def _labelled(self, seen: ProposalState, labels: tuple[str, ...]) -> ProposalState:
        """Ours are added; what others put there stays."""
        missing: list[Json] = [label for label in labels if label not in seen.labels]
        if not missing:
            return seen
        owner, name = self._split(seen.repo)
        self._sure(
            self._wire.add(f"/repos/{owner}/{name}/issues/{seen.number}/labels", {"labels": missing}),
            seen.repo,
        )
        return self._look(seen)

    def _drafted(self, seen: ProposalState, *, draft: bool) -> ProposalState:
        """The REST API makes drafts and does not change them; to become what it is already may be refused."""
        act = "convertPullRequestToDraft" if draft else "markPullRequestReadyForReview"
        query = f"mutation($id: ID!) {{ {act}(input: {{pullRequestId: $id}}) {{ clientMutationId }} }}"
        reply = self._wire.add("/graphql", {"query": query, "variables": {"id": seen.handle}})
        errors = self._sure_one(reply, seen.repo).get("errors")
        now = self._look(seen)
        if errors and now.draft != draft:
            self._wire.refused(reply, seen.repo)
        return now

    def _look(self, seen: ProposalState) -> ProposalState:
        reply = self._wire.get(self._path(seen.repo, "pulls", seen.number))
        return _state(seen.repo, self._sure_one(reply, seen.repo))

    def _unseen(self, repo: RepoId) -> Unknown:
        return Unknown(f"{self._where.host} does not show {repo} to this token", f"give it access to {repo}")

    def _path(self, repo: RepoId, *rest: str) -> str:
        return "/".join([f"{self._where.rest}/repos", *self._split(repo), *rest])

    def _split(self, repo: RepoId) -> tuple[str, str]:
        host, _, path = repo.partition("/")
        owner, _, name = path.partition("/")
        if host != self._where.host or not _NAME.fullmatch(owner) or not _NAME.fullmatch(name):
            raise RelockError(
                "this repository is not on this forge",
                repo,
                f"name the forge it is on, not {self._where.host}",
            )
        return owner, name

    def _sure(self, reply: Reply, repo: RepoId) -> list[dict[str, Json]]:
        """The trees of a reply that says yes."""
        if not 200 <= reply.status < 300:
            self._wire.refused(reply, repo)
        body = reply.body if isinstance(reply.body, list) else [reply.body]
        trees = [tree for tree in body if isinstance(tree, dict)]
        if len(trees) < len(body):
            raise RelockError("the forge's answer is not one of GitHub's", repo, "check the URL of the forge")
        return trees

    def _sure_one(self, reply: Reply, repo: RepoId) -> dict[str, Json]:
        [tree] = self._sure(reply, repo)
        return tree


def _state(repo: RepoId, tree: Mapping[str, Json]) -> ProposalState:
    labels = tree.get("labels")
    return ProposalState(
        repo=repo,
        branch=_text(tree, "head", "ref"),
        number=_text(tree, "number"),
        handle=_text(tree, "node_id"),
        url=_text(tree, "html_url"),
        standing=_standing(tree),
        draft=tree.get("draft") is True,
        title=_text(tree, "title"),
        body=_text(tree, "body"),
        labels=tuple(_text(label, "name") for label in labels) if isinstance(labels, list) else (),
        head=_text(tree, "head", "sha"),
    )


def _is_of(tree: Mapping[str, Json], owner: str, branch: str) -> bool:
    """GitHub answers with every proposal where it does not understand `head`."""
    return _text(tree, "head", "label").lower() == f"{owner}:{branch}".lower()


def _standing(tree: Mapping[str, Json]) -> Standing:
    if tree.get("merged_at"):
        return "merged"
    return "open" if tree.get("state") == "open" else "closed"


def _text(tree: Json | Mapping[str, Json], *route: str) -> str:
    """The string or number at `route`; empty where there is none (a body may be null)."""
    for name in route:
        tree = tree.get(name) if isinstance(tree, Mapping) else None
    return str(tree) if isinstance(tree, str | int) else ""


def _lines(text: str) -> str:
    """A body edited in a browser comes back with CRLF."""
    return text.replace("\r\n", "\n").rstrip()
