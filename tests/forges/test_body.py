"""An answer with its head in; what it says, or why it is none, out."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from itertools import count, repeat
from typing import Final

import httpx
import pytest

from migrate.errors import RelockError
from migrate.forges.answer import Json, Reply, Silence
from migrate.forges.body import read
from migrate.forges.paging import MOST, onward

JSON: Final = {"content-type": "application/json; charset=utf-8"}
HTML: Final = {"content-type": "text/html; charset=utf-8"}
GZIP: Final = {**JSON, "content-encoding": "gzip"}


def answer(status: int, headers: dict[str, str], parts: Iterable[bytes]) -> httpx.Response:
    asked = httpx.Request("GET", "https://git.acme.example:8443/api/repos")
    return httpx.Response(status, headers=headers, content=iter(parts), request=asked)


@pytest.mark.parametrize(
    ("status", "headers", "parts", "body"),
    [
        (200, JSON, [b'{"a":', b" 1}"], {"a": 1}),
        (200, GZIP, [gzip.compress(b'{"a": 1}')], {"a": 1}),
        (200, HTML, [b'{"a": 1}'], {"a": 1}),
        (204, {}, [], None),
        (404, HTML, [b"<html>"], None),
        (422, JSON, [b"[" * 100_000], None),
    ],
)
def test_what_an_answer_holds(status: int, headers: dict[str, str], parts: list[bytes], body: Json) -> None:
    said = read(answer(status, headers, parts), 30.0)
    assert isinstance(said, Reply)
    assert (said.status, said.body) == (status, body)


@pytest.mark.parametrize(
    ("status", "headers", "parts", "why"),
    [
        (200, JSON, [b'{"a":'], "its answer was cut short"),
        (200, GZIP, [gzip.compress(b'{"a": 1}')[:-12]], "its answer was cut short"),
        (200, {}, [b"[" * 100_000], "its answer was cut short"),
        (503, HTML, [b"<html>"], "it answered 503"),
        (503, JSON, [b'{"message": "Down"}'], "it answered 503"),
    ],
)
def test_what_may_be_asked_again(status: int, headers: dict[str, str], parts: list[bytes], why: str) -> None:
    assert read(answer(status, headers, parts), 30.0) == Silence(why)


def test_an_answer_that_trickles_in_is_not_waited_for() -> None:
    assert read(answer(200, JSON, repeat(b" ")), 0.0) == Silence("it did not answer in time")


@pytest.mark.parametrize(
    ("headers", "parts", "what"),
    [
        (JSON, repeat(b" " * 65_536), "is longer than 32 MiB"),
        (GZIP, [gzip.compress(bytes(1 << 26))], "is longer than 32 MiB"),
        (
            {**JSON, "content-encoding": "gzip, gzip"},
            [b""],
            "is packed as gzip, gzip, which was not asked for",
        ),
        (HTML, [b"<html>Sign in\x1b[2J"], "is text/html, not JSON"),
        ({"content-type": "text/\x1b[2J"}, [b"<"], "is text/ [2J, not JSON"),
    ],
)
def test_what_is_no_answer_of_an_api(headers: dict[str, str], parts: Iterable[bytes], what: str) -> None:
    with pytest.raises(RelockError) as error:
        read(answer(200, headers, parts), 30.0)
    assert str(error.value) == (
        f"git.acme.example:8443: the forge's answer {what}\n  try: check the URL of the forge"
    )


def test_a_list_that_never_ends_is_left() -> None:
    pages = (Reply(200, [number], {}) for number in count())
    seen: list[Reply] = []
    with pytest.raises(RelockError, match=r"^git\.acme\.example: the forge gives more than 1000 pages\n"):
        seen.extend(onward(pages, "git.acme.example"))
    assert len(seen) == MOST
