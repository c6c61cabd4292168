"""An AWS of our own for as long as a block lasts, and the few requests the demonstration makes itself."""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct

import migrate
from migrate.errors import RelockError
from migrate.process import Call, Running, started

REGION: Final = "eu-west-1"
PACKAGES: Final = Path(migrate.__file__).parent.parent
"""The folder to put on a child's path so that it imports the `migrate` that runs."""

_NEEDED: Final = ("moto", "flask")
_PATIENCE: Final = 60.0
_SCOPE: Final = f"AWS4-HMAC-SHA256 Credential=acme/20260101/{REGION}/{{}}/aws4_request"
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Cloud(Struct, frozen=True):
    """Where the server listens; nothing of it is checked, so its keys are no secret."""

    port: int

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def env(self) -> Mapping[str, str]:
        """What leads Terraform here, so that a root stands as it would for the real AWS."""
        return {
            "AWS_ACCESS_KEY_ID": "acme",
            "AWS_SECRET_ACCESS_KEY": "acme",
            "AWS_ENDPOINT_URL": self.endpoint,
        }

    def make_bucket(self, name: str) -> None:
        self.ask("PUT", f"/{name}")

    def make_table(self, name: str) -> None:
        self._table(
            "CreateTable",
            {
                "TableName": name,
                "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "LockID", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "LockID", "KeyType": "HASH"}],
            },
        )

    def keys(self, bucket: str) -> str:
        """The listing of a bucket, as XML."""
        return self.ask("GET", f"/{bucket}")

    def rows(self, table: str) -> str:
        """All rows of a table, as JSON."""
        return self._table("Scan", {"TableName": table})

    def _table(self, operation: str, body: Mapping[str, object]) -> str:
        headers = {**signed("dynamodb"), "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        return self.ask("POST", "/", json.dumps(body), headers)

    def delete(self, bucket: str, key: str) -> None:
        self.ask("DELETE", f"/{bucket}/{key}", headers=signed("s3"))

    def ask(self, method: str, path: str, body: str = "", headers: Mapping[str, str] = _NOTHING) -> str:
        """The text of an answer. Raises RelockError unless the request succeeds."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, body.encode(), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status not in (200, 204):
            raise RelockError(f"the embedded AWS answered {answer.status} to {method} {path}", "", text)
        return text


def signed(service: str) -> Mapping[str, str]:
    """The header that leads a request to a service; nobody looks at its signature."""
    return {"Authorization": _SCOPE.format(service)}


@contextmanager
def running() -> Iterator[Cloud]:
    """An AWS that ends with the block. Raises RelockError where the extra is not installed."""
    if not all(map(find_spec, _NEEDED)):
        raise RelockError("the embedded AWS is not installed", "", "pipx install 'tfrelock[demo]'")
    command = (sys.executable, "-P", "-m", "migrate.demo.server")
    with started(Call(command, PACKAGES, {"PYTHONPATH": str(PACKAGES)})) as server:
        yield Cloud(_port(server))


def _port(server: Running) -> int:
    until = time.monotonic() + _PATIENCE
    while not server.said.endswith(b"\n"):
        if server.ended or time.monotonic() > until:
            raise RelockError("the embedded AWS did not start", "", "python -m migrate.demo.server")
        time.sleep(0.05)
    return int(server.said)
