"""A Gitea of our own. What it does not model stands as Gitea's description of its API has it.

Shapes: `templates/swagger/v1_json.tmpl` of Gitea and Forgejo (`PullRequest`, `CombinedStatus`, `Label`); what
is refused and how: `routers/api/v1/repo/pull.go`.
"""

import re
import threading
from collections.abc import Mapping
from email.message import Message
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from tests import secrets
from tests.forge_server import Answer, Bare, Fault, Json, Pull, Tree, paged
from tests.gitea import described

TOKEN: Final = secrets.GITEA
USER: Final[Tree] = {"id": 1, "login": "root", "full_name": "", "email": "root@noreply.localhost"}
PULL: Final[Tree] = {
    "id": 1,
    "user": USER,
    "milestone": None,
    "assignee": None,
    "requested_reviewers": None,
    "is_locked": False,
    "comments": 0,
    "mergeable": True,
    "merged_at": None,
    "merge_commit_sha": None,
    "due_date": None,
    "created_at": "2026-01-05T09:00:00Z",
    "updated_at": "2026-01-05T09:00:00Z",
    "closed_at": None,
}
MISSING: Final = {
    "errors": [],
    "message": "The target couldn't be found.",
    "url": "https://git.acme.example/api/swagger",
}


class Hub(Struct):
    """All that this Gitea knows. `folder` holds `owner/name.git`; `page` is the most it lists at once."""

    folder: Path
    page: int = 2
    pulls: dict[str, list[Pull]] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    statuses: dict[str, list[Tree]] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    forks: set[str] = field(default_factory=set)
    archived: set[str] = field(default_factory=set)
    read_only: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    """What of the requests and answers so far is not as Gitea describes them."""
    released: threading.Event = field(default_factory=threading.Event)
    key: str = TOKEN
    people: tuple[str, ...] = ("ada", "grace", "root")
    """Who may review; the token is of the last."""

    @property
    def bare(self) -> Bare:
        return Bare(self.folder)

    def lets_in(self, headers: Message, /) -> bool:
        return headers.get("Authorization") == f"token {self.key}"

    def answer(self, verb: str, path: str, query: Mapping[str, str], body: Tree, /) -> Answer:
        """What it answers; where Gitea's own description is at hand, both are held against that."""
        answer = self._answered(verb, path, query, body)
        if described.WHOLE.is_dir() and answer.status != 307:
            said = described.mistakes(verb, path.removeprefix("/api/v1"), query, body, answer)
            self.mistakes += said
        return answer

    def _answered(self, verb: str, path: str, query: Mapping[str, str], body: Tree) -> Answer:
        match [verb, *path.removeprefix("/api/v1/").split("/")]:
            case [_, "repos", owner, name, *rest] if f"{owner}/{name}" in self.renamed:
                new = self.renamed[f"{owner}/{name}"]
                return Answer(307, None, {"Location": "/".join(["/api/v1/repos", new, *rest])})
            case ["GET", "repos", "search"]:
                found = self._some([name for name in self._names() if query["q"] in name], query)
                return Answer(200, {"ok": True, "data": found})
            case ["GET", "user"]:
                return Answer(200, USER)
            case ["GET", "orgs", org, "repos"]:
                names = [name for name in self._names() if name.startswith(f"{org}/")]
                return Answer(200, self._some(names, query)) if names else Answer(404, MISSING)
            case [_, "repos", owner, name, *rest] if self.bare.has(f"{owner}/{name}"):
                return self._of(f"{owner}/{name}", [verb, *rest], query, body)
            case _:
                return Answer(404, MISSING)

    def _of(self, name: str, call: list[str], query: Mapping[str, str], body: Tree) -> Answer:
        match call:
            case ["GET"]:
                return Answer(200, self._repository(name))
            case ["GET", "pulls"]:
                return self._listed(name, query)
            case ["POST", "pulls"]:
                return self._opened(name, body)
            case ["GET" | "PATCH", "pulls", number]:
                return self._one(name, int(number), body)
            case ["POST", "issues", number, "labels"]:
                return self._labelled(name, int(number), body)
            case ["GET", "reviewers"]:
                return Answer(200, [{**USER, "login": login} for login in self.people])
            case ["POST", "labels"]:
                self.labels.append(str(body["name"]))
                return Answer(201, _label(str(body["name"])))
            case ["GET", "commits", sha, "status"]:
                newest = {str(status["context"]): status for status in self.statuses.get(sha, [])}
                said = paged([*newest.values()], query, int(query.get("limit", "30")))
                return Answer(200, {"sha": sha, "state": "pending", "statuses": said or None})
            case ["POST", "statuses", sha]:
                status: Tree = {"context": body["context"], "status": body["state"]}
                self.statuses.setdefault(sha, []).append({**status, "description": body["description"]})
                return Answer(201, status)
            case _:
                return self._said(name, call, query, body)

    def _said(self, name: str, call: list[str], query: Mapping[str, str], body: Tree) -> Answer:
        """A call about comments."""
        match call:
            case ["GET" | "POST", "issues", number, "comments"]:
                [pull] = [pull for pull in self.pulls[name] if pull.number == int(number)]
                if body:
                    pull.comments.append(str(body["body"]))
                    return Answer(201, {"id": len(pull.comments), "body": body["body"], "user": USER})
                shown = enumerate(pull.comments, 1)
                return Answer(200, [{"id": at, "body": said, "user": USER} for at, said in shown])
            case ["GET", "pulls", number, "reviews"]:
                [pull] = [pull for pull in self.pulls[name] if pull.number == int(number)]
                said = [
                    {"user": {"login": who}, "state": what, "dismissed": False} for who, what in pull.reviews
                ]
                return Answer(200, paged(said, query, int(query.get("limit", "30"))))
            case ["PATCH", "issues", "comments", at]:
                self.pulls[name][0].comments[int(at) - 1] = str(body["body"])
                return Answer(200, {"id": int(at), "body": body["body"], "user": USER})
            case _:
                return Answer(404, MISSING)

    def _names(self) -> list[str]:
        found = [path.relative_to(self.folder) for path in self.folder.glob("*/*.git")]
        return sorted(str(path.with_suffix("")) for path in found)

    def _some(self, names: list[str], query: Mapping[str, str]) -> list[Tree]:
        return [self._repository(name) for name in paged(names, query, self.page)]

    def _repository(self, name: str) -> Tree:
        return {
            "id": 3,
            "full_name": name,
            "default_branch": self.bare.default_branch(name),
            "archived": name in self.archived,
            "fork": name in self.forks,
            "empty": self.bare.commit(name, self.bare.default_branch(name)) is None,
            "permissions": {"admin": False, "pull": True, "push": name not in self.read_only},
        }

    def _listed(self, name: str, query: Mapping[str, str]) -> Answer:
        """Newest first; no search by branch; less at once than one asks for."""
        state = query["state"]
        size = min(self.page, int(query["limit"]))
        known = [pull for pull in self.pulls.get(name, [])[::-1] if state in ("all", pull.state)]
        for pull in known:
            self.bare.show(name, f"refs/pull/{pull.number}/head", pull.head)
        newest = paged(known, query, size)
        return Answer(200, [self._tree(name, pull) for pull in newest])

    def _opened(self, name: str, body: Tree) -> Answer:
        pulls = self.pulls.setdefault(name, [])
        head, base = str(body["head"]), str(body["base"])
        if any((p.head, p.base, p.state, p.fork) == (head, base, "open", False) for p in pulls):
            said = f"pull request already exists for these targets [id: 1, head_branch: {head}]"
            return Answer(409, {"message": said, "url": ""})
        if self.bare.commit(name, head) is None:
            return Answer(404, MISSING)
        asked = [str(name) for kind in ("reviewers", "team_reviewers") for name in _listed(body[kind])]
        if strange := set(map(str, _listed(body["reviewers"]))) - {*self.people}:
            said = f"user doesn't exist: {', '.join(sorted(strange))}"
            return Answer(404, {**MISSING, "errors": [said]})
        if USER["login"] in asked:
            return Answer(422, {"message": "poster of pr can't be reviewer", "url": ""})
        title, text = str(body["title"]), str(body["body"])
        pulls.append(Pull(len(pulls) + 1, head, base, title, text, draft=False, asked=asked))
        return Answer(201, self._tree(name, pulls[-1]))

    def _one(self, name: str, number: int, body: Tree) -> Answer:
        for pull in self.pulls.get(name, []):
            if pull.number == number:
                pull.title, pull.body = str(body.get("title", pull.title)), str(body.get("body", pull.body))
                pull.state = str(body.get("state", pull.state))
                return Answer(201 if body else 200, self._tree(name, pull))
        return Answer(404, MISSING)

    def _labelled(self, name: str, number: int, body: Tree) -> Answer:
        """Names that no label has are left out without a word."""
        [pull] = [pull for pull in self.pulls.get(name, []) if pull.number == number]
        asked = body["labels"]
        assert isinstance(asked, list)
        known = [label for label in map(str, asked) if label in self.labels]
        pull.labels = list(dict.fromkeys([*pull.labels, *known]))
        return Answer(200, [_label(label) for label in pull.labels])

    def _tree(self, name: str, pull: Pull) -> Tree:
        labels: list[Json] = [_label(label) for label in pull.labels]
        repo: Tree = {"full_name": "somebody/fork" if pull.fork else name}
        head: Tree = {"ref": pull.head, "label": pull.head, "repo_id": 9 if pull.fork else 3, "repo": repo}
        return {
            **PULL,
            "number": pull.number,
            "html_url": f"https://git.acme.example/{name}/pulls/{pull.number}",
            "title": pull.title,
            "body": pull.body,
            "labels": labels,
            "state": pull.state,
            "merged": pull.merged,
            "draft": bool(re.match("wip:", pull.title, re.IGNORECASE)),
            "head": {**head, "sha": self.bare.commit(name, pull.head) or ""},
            "base": {"ref": pull.base, "label": pull.base, "repo_id": 3, "repo": {"full_name": name}},
        }


def _label(name: str) -> Tree:
    return {"id": 1, "name": name, "color": "ededed", "description": "", "exclusive": False}


def _listed(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value
