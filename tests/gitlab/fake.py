"""A GitLab of our own. What it does not model stands as recorded in GitLab's documentation of its API.

Shapes: `doc/api/projects.md`, `doc/api/merge_requests.md`, `doc/api/commits.md` of GitLab; the refusal of a
second merge request: `MergeRequest#validate_branches`; that of a status told twice: `CommitStatus`.
"""

import re
import threading
from collections.abc import Mapping
from email.message import Message
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from msgspec import Struct, field

from tests import secrets
from tests.forge_server import Answer, Bare, Fault, Pull, Tree, paged

TOKEN: Final = secrets.GITLAB
USER: Final[Tree] = {"id": 1, "name": "Administrator", "username": "admin", "state": "active"}
MERGE_REQUEST: Final[Tree] = {
    "id": 1,
    "target_project_id": 3,
    "project_id": 3,
    "merged_at": None,
    "closed_at": None,
    "created_at": "2017-04-29T08:46:00Z",
    "updated_at": "2017-04-29T08:46:00Z",
    "upvotes": 0,
    "author": USER,
    "assignees": [],
    "reviewers": [],
    "milestone": None,
    "merge_when_pipeline_succeeds": False,
    "merge_status": "can_be_merged",
    "detailed_merge_status": "mergeable",
    "merge_commit_sha": None,
    "discussion_locked": None,
    "has_conflicts": False,
    "blocking_discussions_resolved": True,
}
USERS: Final = {"ada": 11, "grace": 12}
MOVED: Final = {"message": "Moved Permanently"}


class Hub(Struct):
    """All that this GitLab knows. `folder` holds `group/name.git`."""

    folder: Path
    pulls: dict[str, list[Pull]] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    statuses: dict[str, list[Tree]] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    archived: set[str] = field(default_factory=set)
    forks: set[str] = field(default_factory=set)
    approved: set[str] = field(default_factory=set)
    """Names of projects whose merge requests somebody approved."""
    fares: Tree = field(default_factory=dict)
    """What merge requests show beside the recorded shape: their pipeline, their merge status."""
    read_only: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    key: str = TOKEN

    @property
    def bare(self) -> Bare:
        return Bare(self.folder)

    def lets_in(self, headers: Message, /) -> bool:
        return headers.get("Authorization") == f"Bearer {self.key}"

    def answer(self, verb: str, path: str, query: Mapping[str, str], body: Tree, /) -> Answer:
        match [verb, *path.removeprefix("/api/v4/").split("/")]:
            case ["GET", "users"]:
                number = USERS.get(query["username"])
                return Answer(200, [{**USER, "id": number, "username": query["username"]}] if number else [])
            case [_, "projects", name, *rest] if unquote(name) in self.renamed:
                new = quote(self.renamed[unquote(name)], safe="")
                return Answer(301, MOVED, {"Location": "/".join(["/api/v4/projects", new, *rest])})
            case ["GET", "groups", group, "projects"]:
                assert query["include_subgroups"] == "true"
                return self._page([n for n in self._names() if n.startswith(f"{unquote(group)}/")], query)
            case ["GET", "projects"]:
                return self._page([name for name in self._names() if query["search"] in name], query)
            case [_, "projects", name, *rest] if self.bare.has(unquote(name)):
                return self._of(unquote(name), [verb, *rest], query, body)
            case _:
                return Answer(404, {"message": "404 Project Not Found"})

    def _of(self, name: str, call: list[str], query: Mapping[str, str], body: Tree) -> Answer:
        match call:
            case ["GET"]:
                return Answer(200, self._project(name))
            case ["GET", "merge_requests"]:
                return Answer(200, self._listed(name, query))
            case ["POST", "merge_requests"]:
                return self._opened(name, body)
            case ["PUT", "merge_requests", number] if "state_event" in body:
                return self._closed(name, int(number))
            case ["PUT", "merge_requests", number]:
                return self._changed(name, int(number), body)
            case ["GET" | "POST" | "PUT", "merge_requests", number, "notes", *rest]:
                [pull] = [pull for pull in self.pulls[name] if pull.number == int(number)]
                return _noted(pull, [*map(int, rest)], query, body)
            case ["GET", "repository", "commits", sha, "statuses"]:
                newest = {str(status["name"]): status for status in self.statuses.get(sha, [])}
                named = [one for one in newest.values() if query.get("name", one["name"]) == one["name"]]
                return Answer(200, paged(named, query))
            case ["POST", "statuses", sha]:
                return self._marked(sha, body)
            case _:
                return self._fared(name, call)

    def _fared(self, name: str, call: list[str]) -> Answer:
        match call:
            case ["GET", "merge_requests", number]:
                [pull] = [pull for pull in self.pulls[name] if pull.number == int(number)]
                return Answer(200, {**self._tree(name, pull), **self.fares})
            case ["GET", "merge_requests", _, "approvals"]:
                by = [{"user": USER}] if name in self.approved else []
                return Answer(200, {"approved": bool(by), "approved_by": by})
            case _:
                return Answer(404, {"error": "404 Not Found"})

    def _closed(self, name: str, number: int) -> Answer:
        [pull] = [pull for pull in self.pulls[name] if pull.number == number]
        pull.state = "closed"
        return Answer(200, self._tree(name, pull))

    def _names(self) -> list[str]:
        found = [path.relative_to(self.folder) for path in self.folder.glob("**/*.git")]
        return sorted(str(path.with_suffix("")) for path in found)

    def _page(self, names: list[str], query: Mapping[str, str]) -> Answer:
        return Answer(200, [self._project(name) for name in paged(names, query)])

    def _project(self, name: str) -> Tree:
        level = 20 if name in self.read_only else 40
        return {
            "id": 3,
            "path_with_namespace": name,
            "default_branch": self.bare.default_branch(name),
            "archived": name in self.archived,
            "empty_repo": self.bare.commit(name, self.bare.default_branch(name)) is None,
            **({"forked_from_project": {"id": 9}} if name in self.forks else {}),
            "permissions": {
                "project_access": {"access_level": level},
                "group_access": None,
            },
        }

    def _listed(self, name: str, query: Mapping[str, str]) -> list[Tree]:
        """Those of a branch, or all that are open."""
        known = [*reversed(self.pulls.get(name, []))]
        if branch := query.get("source_branch"):
            assert query["state"] == "all"
            return [self._tree(name, pull) for pull in known if pull.head == branch]
        assert query["state"] == "opened"
        for pull in known:
            self.bare.show(name, f"refs/merge-requests/{pull.number}/head", pull.head)
        return paged([self._tree(name, pull) for pull in known if pull.state == "open"], query)

    def _opened(self, name: str, body: Tree) -> Answer:
        pulls = self.pulls.setdefault(name, [])
        head, base = str(body["source_branch"]), str(body["target_branch"])
        for pull in pulls:
            if (pull.head, pull.base, pull.state, pull.fork) == (head, base, "open", False):
                said = f"Another open merge request already exists for this source branch: !{pull.number}"
                return Answer(409, {"message": [said]})
        if self.bare.commit(name, base) is None:
            return Answer(422, {"message": ["Target branch does not exist"]})
        labels = [label for label in str(body["labels"]).split(",") if label]
        title, text = str(body["title"]), str(body["description"])
        numbers = body["reviewer_ids"]
        assert isinstance(numbers, list)
        asked = [name for name, number in USERS.items() if number in numbers]
        pulls.append(Pull(len(pulls) + 1, head, base, title, text, draft=False, labels=labels, asked=asked))
        return Answer(201, self._tree(name, pulls[-1]))

    def _changed(self, name: str, number: int, body: Tree) -> Answer:
        for pull in self.pulls.get(name, []):
            if pull.number == number:
                pull.title, pull.body = str(body["title"]), str(body["description"])
                added = [label for label in str(body["add_labels"]).split(",") if label]
                pull.labels = list(dict.fromkeys([*pull.labels, *added]))
                return Answer(200, self._tree(name, pull))
        return Answer(404, {"message": "404 Not found"})

    def _marked(self, sha: str, body: Tree) -> Answer:
        before = [status for status in self.statuses.get(sha, []) if status["name"] == body["name"]]
        if before and before[-1]["status"] == body["state"] == "pending":
            return Answer(400, {"message": "Cannot transition status via :enqueue from :pending"})
        status: Tree = {
            "id": 1,
            "sha": sha,
            "status": body["state"],
            "name": body["name"],
            "description": body["description"],
            "target_url": None,
            "author": USER,
        }
        self.statuses.setdefault(sha, []).append(status)
        return Answer(201, status)

    def _tree(self, name: str, pull: Pull) -> Tree:
        return {
            **MERGE_REQUEST,
            "iid": pull.number,
            "title": pull.title,
            "description": pull.body,
            "state": "merged" if pull.merged else {"open": "opened"}.get(pull.state, pull.state),
            "draft": bool(re.match("draft:", pull.title, re.IGNORECASE)),
            "source_branch": pull.head,
            "target_branch": pull.base,
            "source_project_id": 9 if pull.fork else 3,
            "labels": list(pull.labels),
            "sha": self.bare.commit(name, pull.head),
            "web_url": f"https://gitlab.acme.example/{name}/-/merge_requests/{pull.number}",
        }


def _noted(pull: Pull, rest: list[int], query: Mapping[str, str], body: Tree) -> Answer:
    if rest:
        pull.comments[rest[0] - 1] = str(body["body"])
        return Answer(200, {"id": rest[0], "body": body["body"], "author": USER, "system": False})
    if body:
        pull.comments.append(str(body["body"]))
        return Answer(201, {"id": len(pull.comments), "body": body["body"], "author": USER, "system": False})
    notes = [{"id": at, "body": said, "author": USER} for at, said in enumerate(pull.comments, 1)]
    return Answer(200, paged(notes, query))
