"""What an answer of a forge holds, read to its end, and no further than an answer goes.

The time and the size of an answer are its sender's choice, unless somebody counts: one that trickles in, one
that never ends, and one that is small as sent and fills the memory once it is unpacked.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from time import monotonic
from typing import Final

import httpx

from migrate.errors import RelockError
from migrate.forges.answer import Json, Reply, Silence, plain

PACKED: Final = "gzip"
"""How an answer may be packed. httpx would unpack any nesting of packings, each without a limit."""
LONGEST: Final = 1 << 25
"""Bytes of an answer, unpacked: a hundred proposals with all the words that fit in are a quarter of it."""
WAITS: Final = 4
"""How many times the wait for a next part may be spent on an answer as a whole."""


def read(answer: httpx.Response, timeout: float) -> Reply | Silence:
    """An answer whose head is here. Parts come at most `timeout` seconds apart.

    Raises RelockError where it is no answer of an API, and what httpx raises where the connection breaks.
    """
    until = monotonic() + WAITS * timeout
    whole, unpacked = bytearray(), _unpacking(answer)
    for part in answer.iter_raw():
        whole += unpacked(part, LONGEST + 1 - len(whole))
        if len(whole) > LONGEST:
            raise _odd(answer, f"is longer than {LONGEST >> 20} MiB")
        if monotonic() > until:
            return Silence("it did not answer in time")
    return _meaning(answer, bytes(whole))


def _unpacking(answer: httpx.Response) -> Callable[[bytes, int], bytes]:
    """Makes of a part what it holds, at most so many bytes."""
    packed = answer.headers.get("content-encoding", "")
    if packed not in ("", PACKED):
        raise _odd(answer, f"is packed as {plain(packed, 40)}, which was not asked for")
    return zlib.decompressobj(wbits=31).decompress if packed else _as_sent


def _as_sent(part: bytes, most: int) -> bytes:
    return part[:most]


def _meaning(answer: httpx.Response, content: bytes) -> Reply | Silence:
    status = answer.status_code
    if status >= 500:
        return Silence(f"it answered {status}")
    try:
        return Reply(status, _json(content), answer.headers)
    except (ValueError, RecursionError):
        if status >= 400:
            return Reply(status, None, answer.headers)
    kind = answer.headers.get("content-type", "json").partition(";")[0]
    if "json" not in kind:
        raise _odd(answer, f"is {plain(kind, 40)}, not JSON")
    return Silence("its answer was cut short")


def _json(content: bytes) -> Json:
    body: Json = json.loads(content) if content else None
    return body


def _odd(answer: httpx.Response, what: str) -> RelockError:
    return RelockError(f"the forge's answer {what}", answer.url.netloc.decode(), "check the URL of the forge")
