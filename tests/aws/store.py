"""An S3 and an STS of our own that answer as they are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar, Final

import pytest

IDENTITY: Final = b"""\
<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
<Arn>arn:aws:sts::111122223333:assumed-role/ci/run-8841</Arn><UserId>A</UserId><Account>111122223333</Account>
</GetCallerIdentityResult></GetCallerIdentityResponse>"""
CODES: Final = {
    403: b"<Error><Code>AccessDenied</Code></Error>",
    404: b"<Error><Code>NoSuchKey</Code></Error>",
}


class Store(BaseHTTPRequestHandler):
    """An S3 that answers each verb with the status it is set to, and an STS."""

    statuses: ClassVar[Mapping[str, int]] = {}
    asked: ClassVar[list[str]] = []
    identity: ClassVar[tuple[int, bytes]] = (200, IDENTITY)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def do_POST(self) -> None:
        self._answer(*self.identity)

    def do_GET(self) -> None:
        self._verb()

    def do_PUT(self) -> None:
        self._verb()

    def do_HEAD(self) -> None:
        self._verb()

    def do_DELETE(self) -> None:
        self._verb()

    def _verb(self) -> None:
        status = self.statuses[self.command]
        self.asked.append(f"{self.command} {self.path}")
        self._answer(status, b"" if self.command == "HEAD" else CODES.get(status, b""))

    def _answer(self, status: int, body: bytes) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(status)
        if status < 300 and self.command in ("PUT", "DELETE"):
            self.send_header("x-amz-version-id", "v1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def store() -> Iterator[str]:
    """The endpoint of a store of which nothing is known."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Store) as server:
        Store.asked.clear()
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def somebody(endpoint: str) -> Mapping[str, str]:
    return {
        "AWS_ACCESS_KEY_ID": "acme",
        "AWS_SECRET_ACCESS_KEY": "acme-secret",
        "AWS_ENDPOINT_URL": endpoint,
    }
