"""Lists that a forge gives page by page, as GitHub and GitLab do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Final, TypeAlias

from migrate.errors import RelockError
from migrate.forges.answer import Json, Reply, trees_of
from migrate.forges.wire import Wire

Shown: TypeAlias = Sequence[Mapping[str, Json]] | None
"""The objects of a list; None where the token may not see it."""
PAGE: Final = 100
"""The most that both give at once."""
MOST: Final = 1_000
"""Pages of one list; no forge has as many repositories of one owner, or proposals that are open."""


def pages(wire: Wire, path: str, query: Mapping[str, str] | None = None, key: str = "") -> Iterator[Reply]:
    """Until one is not full, or none. With `key` the list stands under it. Raises RelockError."""
    return onward(_pages(wire, path, query, key), wire.host)


def onward(replies: Iterable[Reply], where: str) -> Iterator[Reply]:
    """The same pages. Raises RelockError where one comes again, since what ignores the number never ends, and
    where there are more than `MOST`.
    """
    before: Json = None
    for number, reply in enumerate(replies, 1):
        if reply.body and reply.body == before:
            raise RelockError("the forge gives the same page again", where, "check what stands before it")
        if number > MOST:
            raise RelockError(f"the forge gives more than {MOST} pages", where, "check what stands before it")
        before = reply.body
        yield reply


def _pages(wire: Wire, path: str, query: Mapping[str, str] | None, key: str) -> Iterator[Reply]:
    for number in count(1):
        reply = wire.get(path, query={**(query or {}), "per_page": str(PAGE), "page": str(number)})
        yield reply
        body = reply.body.get(key) if isinstance(reply.body, dict) else reply.body
        if not isinstance(body, list) or len(body) < PAGE:
            return


def shown(replies: Iterable[Reply], key: str = "") -> Shown:
    """All that pages hold together."""
    known = list(replies)
    if any(reply.status != 200 for reply in known):
        return None
    return [tree for reply in known for tree in trees_of(reply, "", key)]
