"""A GitHub of our own: the proposals it holds, the branches of real bare repositories, git over HTTP.

What it does not model (avatars, URLs of other resources) it fills from GitHub's description, which is also
what the checking proxy holds its answers against.
"""

import re
import threading
from collections.abc import Mapping
from email.message import Message
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from msgspec import Struct, field

from tests import secrets
from tests.forge_server import Answer, Bare, Fault, Json, Pull, paged
from tests.github.app import Client
from tests.github.objects import Objects
from tests.github.openapi import Description, Tree
from tests.github.people import People

TOKEN: Final = secrets.GITHUB


class Hub(Struct):
    """All that this GitHub knows. `folder` holds `owner/name.git`."""

    folder: Path
    description: Description
    pulls: dict[str, list[Pull]] = field(default_factory=dict)
    drafts: bool = True
    key: str = TOKEN
    statuses: dict[str, list[Tree]] = field(default_factory=dict)
    people: People = People()
    renamed: dict[str, str] = field(default_factory=dict)
    archived: set[str] = field(default_factory=set)
    forks: set[str] = field(default_factory=set)
    rules: list[Tree] = field(default_factory=list)
    protected: dict[str, bool | str] = field(default_factory=dict)
    """Branch → whether its protection takes only signed commits, or why that is not shown."""
    signed: set[str] = field(default_factory=set)
    """The commits that it made and signed for a bot."""
    scopes: str = ""
    """What a classic token may do, as GitHub says with each answer."""
    app: Client | None = None
    as_app: bool = False
    made_runs: dict[str, list[Tree]] = field(default_factory=dict)
    """Commit → the check runs that an App made, the newest first."""
    runs: dict[str, list[str]] = field(default_factory=dict)
    """Commit → conclusions of its check runs; empty is one that still runs."""
    read_only: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def bare(self) -> Bare:
        return Bare(self.folder)

    def create(self, name: str, source: Path | None = None) -> Path:
        return self.bare.create(name, source)

    def commit(self, name: str, branch: str) -> str | None:
        return self.bare.commit(name, branch)

    def lets_in(self, headers: Message, /) -> bool:
        """A token, or the words of our App; these for the calls of an App alone."""
        said = (headers.get("Authorization") or "").removeprefix("Bearer ")
        self.as_app = self.app is not None and self.app.signed(said)
        return self.as_app or said == self.key

    # ── REST ─────────────────────────────────────────────────────────────────────────────────────────────

    def answer(self, verb: str, path: str, query: Mapping[str, str], body: Tree) -> Answer:
        match [verb, *re.sub("^/api(/v3/|/(?=graphql$))", "/", path).strip("/").split("/")]:
            case [_, "repos", owner, name, *rest] if f"{owner}/{name}" in self.renamed:
                return Answer(
                    301, {"message": "Moved Permanently"}, {"Location": self._new(owner, name, rest)}
                )
            case [_, "repos", owner, name, *_] if not self.bare.has(f"{owner}/{name}"):
                return Answer(404, _says("Not Found"))
            case [_, "repos", owner, name, *rest]:
                return self._of(f"{owner}/{name}", [verb, *rest], query, body)
            case [_, "app", *_] | ["GET", "orgs", _, "installation"]:
                return self._installed(path)
            case ["GET", "orgs", org, "repos"]:
                names = [name for name in self._names() if _owner(name) == org]
                return Answer(200, self._some(names, query, "minimal-repository"))
            case ["GET", "search", "repositories"]:
                found = [name for name in self._names() if query["q"] in name]
                items = self._some(found, query, "repo-search-result-item")
                return Answer(200, {"total_count": len(found), "incomplete_results": False, "items": items})
            case ["POST", "graphql"]:
                return self._moved(body) if "updateRefs" in str(body["query"]) else self._drafted(body)
            case _:
                return Answer(404, _says("Not Found"))

    def _of(self, name: str, call: list[str], query: Mapping[str, str], body: Tree) -> Answer:
        """A call about one repository that is there."""
        match call:
            case ["GET"]:
                scopes = {"X-OAuth-Scopes": self.scopes} if self.scopes else {}
                return Answer(200, self._repository(name, "full-repository"), scopes)
            case ["GET", "pulls"]:
                return self._listed(name, query)
            case ["POST", "pulls"]:
                return self._opened(name, body)
            case ["GET" | "PATCH", "pulls", number]:
                return self._one(name, int(number), body)
            case ["POST", "issues", number, "labels"]:
                return self._labelled(name, int(number), body)
            case ["GET", "commits", sha, "status"]:
                return self._combined(name, sha, query)
            case ["POST", "statuses", sha]:
                return self._marked(sha, body)
            case _:
                return self._fares(name, call, query, body)

    def _fares(self, name: str, call: list[str], query: Mapping[str, str], body: Tree) -> Answer:
        """A call about what others say of a proposal."""
        match call:
            case ["GET" | "POST", "issues", number, "comments"]:
                return self._commented(self._pull(name, int(number)), body, query)
            case ["PATCH", "issues", "comments", identity]:
                of, at = divmod(int(identity), 1000)
                self._pull(name, of).comments[at] = str(body["body"])
                return Answer(200, self._comment(of, at, str(body["body"])))
            case ["GET", "pulls", number, "reviews"]:
                return self._reviewed(self._pull(name, int(number)), query)
            case ["GET", "commits", sha, "check-runs"]:
                return self._checked(sha, query)
            case [_, "git", "trees" | "commits" | "ref" as kind, *rest]:
                return self._object(name, kind, unquote("/".join(rest)), body)
            case ["GET", "installation"]:
                return self._installed(name)
            case ["POST", "check-runs"]:
                self.made_runs.setdefault(str(body["head_sha"]), []).insert(0, body)
                return Answer(201, self.description.filled("check-run", body))
            case _:
                return self._guards(name, call, query, body)

    def _guards(self, name: str, call: list[str], query: Mapping[str, str], body: Tree) -> Answer:
        """A call about who reviews, and about what protects a branch."""
        match call:
            case ["POST", "pulls", number, "requested_reviewers"]:
                return self._requested(name, self._pull(name, int(number)), body)
            case ["GET", "issues", number, "events"]:
                pull = self._pull(name, int(number))
                return Answer(200, self.people.happened(pull, query, self.description))
            case ["GET", "collaborators", who]:
                return Answer(204 if who in self.people.known else 404, None)
            case ["GET", "rules", "branches", _]:
                return Answer(200, list(self.rules))
            case ["GET", "branches", branch]:
                known: Tree = {"name": unquote(branch), "protected": unquote(branch) in self.protected}
                return Answer(200, self.description.filled("branch-with-protection", known))
            case ["GET", "branches", branch, "protection", "required_signatures"]:
                wanted = self.protected[unquote(branch)]
                if isinstance(wanted, str):
                    return Answer(404, _says(wanted))
                told = {"url": "https://api.github.com/it", "enabled": wanted}
                return Answer(200, told)
            case _:
                return Answer(404, _says("Not Found"))

    def _new(self, owner: str, name: str, rest: list[str]) -> str:
        return "/".join(["/repos", self.renamed[f"{owner}/{name}"], *rest])

    def _listed(self, name: str, query: Mapping[str, str]) -> Answer:
        """Those of a branch here, or all."""
        head, state = query.get("head", ""), query.get("state", "open")
        known = [pull for pull in reversed(self.pulls.get(name, [])) if state in ("all", pull.state)]
        if head:
            known = [pull for pull in known if f"{_owner(name)}:{pull.head}" == head and not pull.fork]
        for pull in known:
            self.bare.show(name, f"refs/pull/{pull.number}/head", pull.head)
        return Answer(200, paged([self._tree("pull-request-simple", name, pull) for pull in known], query))

    def _opened(self, name: str, body: Tree) -> Answer:
        pulls = self.pulls.setdefault(name, [])
        head, base = str(body["head"]), str(body["base"])
        if any((pull.head, pull.base, pull.state) == (head, base, "open") for pull in pulls):
            return Answer(422, _failed(f"A pull request already exists for {_owner(name)}:{head}."))
        if self.commit(name, head) is None or self.commit(name, base) is None:
            return Answer(422, _failed("head or base is invalid"))
        if body.get("draft") and not self.drafts:
            return Answer(422, _says("Draft pull requests are not supported in this repository."))
        pull = Pull(
            len(pulls) + 1, head, base, str(body["title"]), str(body["body"]), bool(body.get("draft"))
        )
        pulls.append(pull)
        return Answer(201, self._tree("pull-request", name, pull))

    def _one(self, name: str, number: int, body: Tree) -> Answer:
        for pull in self.pulls.get(name, []):
            if pull.number == number:
                pull.title = str(body.get("title", pull.title))
                pull.body = str(body.get("body", pull.body))
                pull.state = str(body.get("state", pull.state))
                return Answer(200, self._tree("pull-request", name, pull))
        return Answer(404, _says("Not Found"))

    def _pull(self, name: str, number: int) -> Pull:
        [pull] = [pull for pull in self.pulls.get(name, []) if pull.number == number]
        return pull

    def _names(self) -> list[str]:
        found = [path.relative_to(self.folder) for path in self.folder.glob("*/*.git")]
        return sorted(str(path.with_suffix("")) for path in found)

    def _some(self, names: list[str], query: Mapping[str, str], schema: str) -> list[Json]:
        return [self._repository(name, schema) for name in paged(names, query)]

    def _commented(self, pull: Pull, body: Tree, query: Mapping[str, str]) -> Answer:
        if body:
            pull.comments.append(str(body["body"]))
            return Answer(201, self._comment(pull.number, len(pull.comments) - 1, pull.comments[-1]))
        shown = [self._comment(pull.number, at, said) for at, said in enumerate(pull.comments)]
        return Answer(200, paged(shown, query))

    def _comment(self, number: int, at: int, said: str) -> Tree:
        return self.description.filled("issue-comment", {"id": number * 1000 + at, "body": said})

    def _reviewed(self, pull: Pull, query: Mapping[str, str]) -> Answer:
        people = [
            (self.description.filled("simple-user", {"login": who}), said) for who, said in pull.reviews
        ]
        told: list[Json] = [
            self.description.filled("pull-request-review", {"user": who, "state": said})
            for who, said in people
        ]
        return Answer(200, paged(told, query))

    def _checked(self, sha: str, query: Mapping[str, str]) -> Answer:
        runs: list[Json] = [
            self.description.filled(
                "check-run",
                {
                    "head_sha": sha,
                    "status": "completed" if said else "in_progress",
                    "conclusion": said or None,
                },
            )
            for said in self.runs.get(sha, [])
        ]
        runs += [self.description.filled("check-run", made) for made in self.made_runs.get(sha, [])]
        return Answer(200, {"total_count": len(runs), "check_runs": paged(runs, query)})

    def _requested(self, name: str, pull: Pull, body: Tree) -> Answer:
        why = self.people.ask(pull, body)
        return Answer(422, _says(why)) if why else Answer(201, self._tree("pull-request-simple", name, pull))

    def _installed(self, where: str) -> Answer:
        """What an App is asked about itself: where it is installed, and for a token."""
        if not self.as_app or self.app is None:
            return Answer(401, _says("A JSON web token could not be decoded"))
        if where.endswith("/access_tokens"):
            return Answer(201, {**self.app.sell(self.key), "permissions": {"contents": "write"}})
        if not any(owner in where.split("/") for owner in self.app.owners):
            return Answer(404, _says("Not Found"))
        return Answer(200, self.description.filled("installation", {"id": 42, "permissions": {}}))

    def _labelled(self, name: str, number: int, body: Tree) -> Answer:
        [pull] = [pull for pull in self.pulls.get(name, []) if pull.number == number]
        asked = body["labels"]
        assert isinstance(asked, list)
        pull.labels = list(dict.fromkeys([*pull.labels, *map(str, asked)]))
        return Answer(200, [self._label(label) for label in pull.labels])

    def _combined(self, name: str, sha: str, query: Mapping[str, str]) -> Answer:
        """The newest status of each context."""
        newest = {str(status["context"]): status for status in self.statuses.get(sha, [])}
        repository = self._repository(name, "minimal-repository")
        known: Tree = {"sha": sha, "statuses": paged([*newest.values()], query), "repository": repository}
        return Answer(200, self.description.filled("combined-commit-status", known))

    def _marked(self, sha: str, body: Tree) -> Answer:
        status = self.description.filled("status", body)
        self.statuses.setdefault(sha, []).append(self.description.filled("simple-commit-status", body))
        return Answer(201, status)

    def _objects(self, name: str) -> Objects:
        return Objects(self.folder / f"{name}.git")

    def _object(self, name: str, kind: str, ref: str, body: Tree) -> Answer:
        """A call of the Git data API."""
        if kind == "ref":
            return self._at(name, ref)
        if kind == "commits":
            return self._made(name, body)
        sha = self._objects(name).tree(body)
        return Answer(201, self.description.filled("git-tree", {"sha": sha}))

    def _made(self, name: str, body: Tree) -> Answer:
        """Signed for a bot that does not say who the author is."""
        sha = self._objects(name).commit(body)
        bot = self.key.startswith("ghs_") and not {"author", "committer", "signature"} & body.keys()
        self.signed |= {sha} if bot else set()
        said: Tree = {"verified": bot, "reason": "valid" if bot else "unsigned"}
        known: Tree = {"sha": sha, "message": body["message"], "verification": said}
        return Answer(201, self.description.filled("git-commit", known))

    def _at(self, name: str, ref: str) -> Answer:
        sha = self.commit(name, ref.removeprefix("heads/"))
        if sha is None:
            return Answer(404, _says("Not Found"))
        known: Tree = {"ref": f"refs/{ref}", "object": {"type": "commit", "sha": sha}}
        return Answer(200, self.description.filled("git-ref", known))

    def _moved(self, body: Tree) -> Answer:
        variables = body["variables"]
        assert isinstance(variables, dict)
        wanted = variables["input"]
        assert isinstance(wanted, dict)
        [update] = wanted["refUpdates"] if isinstance(wanted["refUpdates"], list) else []
        strict = any(rule["type"] == "required_signatures" for rule in self.rules)
        takes = frozenset(self.signed) if strict else None
        why = self._objects(str(wanted["repositoryId"])).move(update, takes)
        return Answer(200, {"data": {}} if not why else {"data": None, "errors": [{"message": why}]})

    def _drafted(self, body: Tree) -> Answer:
        variables, query = body["variables"], str(body["query"])
        assert isinstance(variables, dict)
        name, _, number = str(variables["id"]).partition("#")
        [pull] = [pull for pull in self.pulls.get(name, []) if str(pull.number) == number]
        draft = "convertPullRequestToDraft" in query
        if pull.draft == draft:
            return Answer(200, {"data": None, "errors": [{"message": "It is that already."}]})
        pull.draft = draft
        return Answer(200, {"data": {}})

    def _tree(self, schema: str, name: str, pull: Pull) -> Tree:
        known: Tree = {
            "number": pull.number,
            "node_id": f"{name}#{pull.number}",
            "html_url": f"https://github.com/{name}/pull/{pull.number}",
            "state": pull.state,
            "merged_at": "2026-01-05T09:00:00Z" if pull.merged else None,
            "draft": pull.draft,
            "title": pull.title,
            "body": pull.body,
            "labels": [self._label(label) for label in pull.labels],
            "head": self._end(name, pull.head, fork=pull.fork),
            "base": self._end(name, pull.base),
            "user": self.description.filled("simple-user", {"login": self.people.user}),
        }
        return self.description.filled(schema, known)

    def _end(self, name: str, branch: str, *, fork: bool = False) -> Tree:
        sha = self.commit(name, branch) or "0" * 40
        user = self.description.filled("simple-user", {"login": _owner(name)})
        label = f"{_owner(name)}:{branch}"
        repo = {**self._repository(name), **({"full_name": "somebody/fork"} if fork else {})}
        return {"label": label, "ref": branch, "sha": sha, "user": user, "repo": repo}

    def _repository(self, name: str, schema: str = "repository") -> Tree:
        known: Tree = {
            "full_name": name,
            "node_id": name,
            "name": name.split("/")[1],
            "archived": name in self.archived,
            "disabled": False,
            "fork": name in self.forks,
            "size": 1 if self.commit(name, self.bare.default_branch(name)) else 0,
            "default_branch": self.bare.default_branch(name),
            "permissions": {"admin": False, "pull": True, "push": name not in self.read_only},
        }
        return self.description.filled(schema, known)

    def _label(self, name: str) -> Tree:
        return {
            "id": 1,
            "node_id": name,
            "url": f"https://api.github.com/labels/{name}",
            "name": name,
            "description": "",
            "color": "ededed",
            "default": False,
        }


def _owner(name: str) -> str:
    return name.partition("/")[0]


def _says(message: str) -> Tree:
    return {"message": message, "documentation_url": "https://docs.github.com/rest"}


def _failed(message: str) -> Tree:
    problem: Tree = {"resource": "PullRequest", "code": "custom", "message": message}
    return {**_says("Validation Failed"), "errors": [problem]}
