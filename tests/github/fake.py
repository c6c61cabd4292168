"""A GitHub of our own: the proposals it holds, the branches of real bare repositories, git over HTTP.

What it does not model (avatars, URLs of other resources) it fills from GitHub's description, which is also
what the checking proxy holds its answers against. `faults` come true once each, at the call they name, before
or after it acted.
"""

import json
import os
import re
import socket
import subprocess
import threading
import urllib.parse
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from tests.github.openapi import Description, Tree

TOKEN: Final = "ghp_" + "n0t4r34lt0k3n" * 2


@dataclass(slots=True)
class Pull:
    number: int
    head: str
    base: str
    title: str
    body: str
    draft: bool
    state: str = "open"
    merged: bool = False
    labels: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: object
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong at the first call that `at`, a pattern of "VERB path", matches.

    No `answer`: the line goes dead. `acted`: the server did its work first. `cut`: only so many bytes of the
    answer arrive.
    """

    at: str
    answer: Answer | None = None
    acted: bool = False
    cut: int | None = None
    hangs: bool = False


@dataclass(slots=True)
class Hub:
    """All that this GitHub knows. `folder` holds `owner/name.git`."""

    folder: Path
    description: Description
    pulls: dict[str, list[Pull]] = field(default_factory=dict)
    drafts: bool = True
    renamed: dict[str, str] = field(default_factory=dict)
    archived: set[str] = field(default_factory=set)
    read_only: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def create(self, name: str, source: Path | None = None) -> Path:
        """A bare repository, a mirror of `source` if given; gives its folder."""
        bare = self.folder / f"{name}.git"
        start = ["clone", "--quiet", "--mirror", str(source)] if source else ["init", "--quiet", "--bare"]
        subprocess.run(["git", *start, str(bare)], check=True)
        subprocess.run(["git", "-C", str(bare), "config", "http.receivepack", "true"], check=True)
        return bare

    def commit(self, name: str, branch: str) -> str | None:
        """The tip of a branch, read from the files of git: thousands of times a run."""
        bare, ref = self.folder / f"{name}.git", f"refs/heads/{branch}"
        if (bare / ref).is_file():
            return (bare / ref).read_text().strip()
        packed = (bare / "packed-refs").read_text() if (bare / "packed-refs").is_file() else ""
        return next((line.split()[0] for line in packed.splitlines() if line.endswith(f" {ref}")), None)

    def default_branch(self, name: str) -> str:
        head = (self.folder / f"{name}.git/HEAD").read_text()
        return head.strip().removeprefix("ref: refs/heads/")

    # ── REST ─────────────────────────────────────────────────────────────────────────────────────────────

    def answer(self, verb: str, path: str, query: Mapping[str, str], body: Tree) -> Answer:
        match [verb, *path.strip("/").split("/")]:
            case [_, "repos", owner, name, *rest] if f"{owner}/{name}" in self.renamed:
                return Answer(
                    301, {"message": "Moved Permanently"}, {"Location": self._new(owner, name, rest)}
                )
            case [_, "repos", owner, name, *_] if not (self.folder / owner / f"{name}.git").is_dir():
                return Answer(404, _says("Not Found"))
            case ["GET", "repos", owner, name]:
                return Answer(200, self._repository(f"{owner}/{name}", "full-repository"))
            case ["GET", "repos", owner, name, "pulls"]:
                return self._listed(f"{owner}/{name}", query)
            case ["POST", "repos", owner, name, "pulls"]:
                return self._opened(f"{owner}/{name}", body)
            case ["GET" | "PATCH", "repos", owner, name, "pulls", number]:
                return self._one(f"{owner}/{name}", int(number), body)
            case ["POST", "repos", owner, name, "issues", number, "labels"]:
                return self._labelled(f"{owner}/{name}", int(number), body)
            case ["POST", "graphql"]:
                return self._drafted(body)
            case _:
                return Answer(404, _says("Not Found"))

    def _new(self, owner: str, name: str, rest: list[str]) -> str:
        return "/".join(["/repos", self.renamed[f"{owner}/{name}"], *rest])

    def _listed(self, name: str, query: Mapping[str, str]) -> Answer:
        head, state = query.get("head", ""), query.get("state", "open")
        found = [
            self._tree("pull-request-simple", name, pull)
            for pull in reversed(self.pulls.get(name, []))
            if f"{_owner(name)}:{pull.head}" == head and state in ("all", pull.state)
        ]
        return Answer(200, list(found))

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
                return Answer(200, self._tree("pull-request", name, pull))
        return Answer(404, _says("Not Found"))

    def _labelled(self, name: str, number: int, body: Tree) -> Answer:
        [pull] = [pull for pull in self.pulls.get(name, []) if pull.number == number]
        asked = body["labels"]
        assert isinstance(asked, list)
        pull.labels = list(dict.fromkeys([*pull.labels, *map(str, asked)]))
        return Answer(200, [self._label(label) for label in pull.labels])

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
            "head": self._end(name, pull.head),
            "base": self._end(name, pull.base),
            "user": self.description.filled("simple-user", {}),
        }
        return self.description.filled(schema, known)

    def _end(self, name: str, branch: str) -> Tree:
        sha = self.commit(name, branch) or "0" * 40
        user = self.description.filled("simple-user", {"login": _owner(name)})
        label = f"{_owner(name)}:{branch}"
        return {"label": label, "ref": branch, "sha": sha, "user": user, "repo": self._repository(name)}

    def _repository(self, name: str, schema: str = "repository") -> Tree:
        known: Tree = {
            "full_name": name,
            "name": name.split("/")[1],
            "archived": name in self.archived,
            "default_branch": self.default_branch(name),
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


class Server(ThreadingHTTPServer):
    """Serves one hub; a test gives it another."""

    daemon_threads = True
    hub: Hub


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave together; apart, each answer waits 40 ms for the other side's word
    server: Server

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PATCH(self) -> None:
        self._serve()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The test's own output is enough."""

    def _serve(self) -> None:
        hub, call = self.server.hub, f"{self.command} {self.path}"
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        hub.calls.append(call)
        if ".git/" in self.path:
            self._git(body)
            return
        fault = next((fault for fault in hub.faults if re.search(fault.at, call)), None)
        if fault is None:
            self._say(self._answered(body))
            return
        hub.faults.remove(fault)
        answer = self._answered(body) if fault.acted else None
        if fault.hangs:
            hub.released.wait(10)
        self._say(fault.answer or (answer if fault.cut is not None else None), cut=fault.cut)

    def _answered(self, body: bytes) -> Answer:
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return Answer(401, _says("Bad credentials"))
        parts = urllib.parse.urlsplit(re.sub("^/api(/v3)?/", "/", self.path))
        query = dict(urllib.parse.parse_qsl(parts.query))
        return self.server.hub.answer(self.command, parts.path, query, json.loads(body) if body else {})

    def _say(self, answer: Answer | None, *, cut: int | None = None) -> None:
        """Without an answer the connection ends in the middle of nothing."""
        if answer is None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        content = json.dumps(answer.body).encode()
        self.send_response_only(answer.status)
        plain = {"Content-Type": "application/json", "Date": self.date_time_string()}
        for name, value in {**plain, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:cut])
        self.wfile.flush()
        self.close_connection = self.close_connection or cut is not None

    def _git(self, body: bytes) -> None:
        """`git http-backend`, as a web server would run it."""
        if (
            self.headers.get("Authorization")
            != f"Basic {b64encode(f'x-access-token:{TOKEN}'.encode()).decode()}"
        ):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="GitHub"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        done = subprocess.run(
            ["git", "http-backend"], input=body, capture_output=True, env=self._cgi(), check=True
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(headers.pop("Status", "200 OK").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _cgi(self) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        return {
            **os.environ,
            "GIT_PROJECT_ROOT": str(self.server.hub.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type") or "",
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or "",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
            "REMOTE_USER": "ada",
            "REMOTE_ADDR": "127.0.0.1",
        }


@contextmanager
def serving(hub: Hub) -> Iterator[tuple[Server, str]]:
    """The server and its URL."""
    with Server(("127.0.0.1", 0), Handler) as server:
        server.hub = hub
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server, f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.hub.released.set()
            server.shutdown()
