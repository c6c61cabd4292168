"""An answer of a forge in; how long it asks us to wait, and whether a redirect is followed, out."""

from __future__ import annotations

import httpx
import pytest

from migrate.errors import RelockError
from migrate.forges.answer import Reply, asked_pause
from migrate.forges.wire import Wire

SPENT = {
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "1796112090",
    "date": "Tue, 01 Dec 2026 08:00:00 GMT",
}


@pytest.mark.parametrize(
    ("status", "headers", "pause"),
    [
        (200, {}, None),
        (201, {"retry-after": "7"}, None),
        (202, {"retry-after": "7"}, None),
        (403, {"retry-after": "7"}, 7.0),
        (403, {}, None),
        (403, {"x-ratelimit-remaining": "4999"}, None),
        (403, SPENT, 90.0),
        (429, SPENT, 90.0),
        (200, SPENT, None),
        (429, {}, 60.0),
    ],
)
def test_only_what_was_refused_is_waited_for(
    status: int, headers: dict[str, str], pause: float | None
) -> None:
    assert asked_pause(Reply(status, None, headers)) == pause


@pytest.mark.parametrize(
    "location", ["http://git.acme.example/api", "https://evil.example/api", "//evil.example", "\x00"]
)
def test_a_token_goes_nowhere_else_and_never_in_the_clear(location: str) -> None:
    wire = Wire("https://git.acme.example/api", {}, sleep=lambda _: None)
    with pytest.raises(RelockError, match="redirects to another host"):
        wire._followed(httpx.URL("https://git.acme.example/api/repos"), location)
    wire.close()
