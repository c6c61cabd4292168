"""A forge of our own over HTTP: what it knows is a `Hub`'s business, git is served by `git http-backend`.

`faults` come true once each, at the call they name, before or after it acted.
"""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import urllib.parse
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from msgspec import Struct, field

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Tree: TypeAlias = dict[str, Json]


class Answer(Struct, frozen=True):
    """`body` is said as JSON; bytes are sent as they are."""

    status: int
    body: object
    headers: Mapping[str, str] = field(default_factory=dict)


class Fault(Struct, frozen=True):
    """What goes wrong at the first call that `at`, a pattern of "VERB path", matches.

    No `answer`: the line goes dead. `acted`: the server did its work first. `cut`: only so many bytes of the
    answer arrive.
    """

    at: str
    answer: Answer | None = None
    acted: bool = False
    cut: int | None = None
    hangs: bool = False


class Pull(Struct):
    number: int
    head: str
    base: str
    title: str
    body: str
    draft: bool
    state: str = "open"
    merged: bool = False
    labels: list[str] = field(default_factory=list)
    fork: bool = False
    asked: list[str] = field(default_factory=list)
    """Who is asked to review."""
    comments: list[str] = field(default_factory=list)
    reviews: list[tuple[str, str]] = field(default_factory=list)
    """Who said what, in order: `APPROVED`, `CHANGES_REQUESTED` …"""


class Hub(Protocol):
    """All that a forge knows. `folder` holds `owner/name.git`; `key` is the token it takes."""

    folder: Path
    key: str
    faults: list[Fault]
    calls: list[str]
    released: threading.Event

    def lets_in(self, headers: Message, /) -> bool: ...
    def answer(self, verb: str, path: str, query: Mapping[str, str], body: Tree, /) -> Answer: ...


class Bare(Struct, frozen=True):
    """The bare repositories of a forge, in a folder."""

    folder: Path

    def create(self, name: str, source: Path | None = None) -> Path:
        """A bare repository, a mirror of `source` if given; gives its folder."""
        bare = self.folder / f"{name}.git"
        start = ["clone", "--quiet", "--mirror", str(source)] if source else ["init", "--quiet", "--bare"]
        subprocess.run(["git", *start, str(bare)], check=True)
        subprocess.run(["git", "-C", str(bare), "config", "http.receivepack", "true"], check=True)
        return bare

    def has(self, name: str) -> bool:
        return (self.folder / f"{name}.git").is_dir()

    def commit(self, name: str, branch: str) -> str | None:
        """The tip of a branch, read from the files of git: thousands of times a run."""
        bare, ref = self.folder / f"{name}.git", f"refs/heads/{branch}"
        if (bare / ref).is_file():
            return (bare / ref).read_text().strip()
        packed = (bare / "packed-refs").read_text() if (bare / "packed-refs").is_file() else ""
        return next((line.split()[0] for line in packed.splitlines() if line.endswith(f" {ref}")), None)

    def show(self, name: str, ref: str, branch: str) -> str | None:
        """Let the tip of a branch stand at a ref too, as forges keep a ref for each proposal; gives it."""
        tip = self.commit(name, branch)
        file = self.folder / f"{name}.git" / ref
        if tip:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{tip}\n")
        return tip

    def default_branch(self, name: str) -> str:
        head = (self.folder / f"{name}.git/HEAD").read_text()
        return head.strip().removeprefix("ref: refs/heads/")


T = TypeVar("T")


def paged(items: Sequence[T], query: Mapping[str, str], size: int | None = None) -> list[T]:
    """The page that is asked for, of `size` or as `per_page` says; 30 where nobody says."""
    page, count = int(query.get("page", "1")), size or int(query.get("per_page", "30"))
    return list(items[(page - 1) * count : page * count])


class Server(ThreadingHTTPServer):
    """Serves one hub; a test gives it another."""

    daemon_threads = True
    hub: Hub

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed breaks its connection; that is no news."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


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

    def do_PUT(self) -> None:
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
        hub, parts = self.server.hub, urllib.parse.urlsplit(self.path)
        if not hub.lets_in(self.headers):
            return Answer(401, {"message": "Bad credentials", "documentation_url": "https://forge.example"})
        query = dict(urllib.parse.parse_qsl(parts.query))
        return hub.answer(self.command, parts.path, query, json.loads(body) if body else {})

    def _say(self, answer: Answer | None, *, cut: int | None = None) -> None:
        """Without an answer the connection ends in the middle of nothing."""
        if answer is None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        content = b"" if answer.status == 204 else content
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
        basic = b64encode(f"x-access-token:{self.server.hub.key}".encode()).decode()
        if self.headers.get("Authorization") != f"Basic {basic}":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="forge"')
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
