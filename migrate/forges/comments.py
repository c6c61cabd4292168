"""One comment of ours under a proposal, found again by its first line, and changed instead of repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from migrate.forges.answer import Json, Reply, Silence, lines, text, trees_of
from migrate.forges.forge import Said
from migrate.forges.wire import TRIES, Wire

_PAGE: Final = 100


class Thread(Struct, frozen=True):
    """The comments under one proposal: where they are listed, and how one is changed, by its id."""

    wire: Wire
    listed: str
    change: Callable[[str, Json], Reply]
    paged: bool = True


def sticky(thread: Thread, body: str, *, make: bool) -> Said:
    """See that a comment that begins as `body` does is `body`; without `make` only if there is one.

    After a silence it is looked for again, before it is made again. Raises RelockError.
    """
    for attempt in range(1, TRIES + 1):
        found = next((tree for tree in _comments(thread) if _is_ours(tree, body)), None)
        if found:
            return _changed(thread, found, body)
        if not make:
            return "none"
        answer = thread.wire.make(thread.listed, {"body": body})
        if isinstance(answer, Reply):
            trees_of(answer, thread.listed)
            return "made"
        _again(thread.wire, answer, attempt)
    raise AssertionError(TRIES)


def _again(wire: Wire, answer: Silence, attempt: int) -> None:
    if attempt == TRIES:
        raise wire.silent(answer)
    wire.wait(attempt)


def _comments(thread: Thread) -> Iterator[Mapping[str, Json]]:
    for number in range(1, 1000):
        query = {"per_page": str(_PAGE), "page": str(number)} if thread.paged else None
        page = trees_of(thread.wire.get(thread.listed, query=query), thread.listed)
        yield from page
        if not thread.paged or len(page) < _PAGE:
            return


def _is_ours(tree: Mapping[str, Json], body: str) -> bool:
    return lines(text(tree, "body")).partition("\n")[0] == body.partition("\n")[0]


def _changed(thread: Thread, found: Mapping[str, Json], body: str) -> Said:
    if lines(text(found, "body")) == lines(body):
        return "stands"
    trees_of(thread.change(text(found, "id"), {"body": body}), thread.listed)
    return "changed"
