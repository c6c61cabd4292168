"""One comment of ours under a proposal, found again by its first line, and changed instead of repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from migrate.forges.answer import Json, Reply, Silence, lines, text, tree_of, trees_of
from migrate.forges.forge import Said
from migrate.forges.paging import pages
from migrate.forges.wire import Wire


class Thread(Struct, frozen=True):
    """The comments under one proposal: the path that lists them, that of one of them without its id, and how
    the host wants a change written.
    """

    wire: Wire
    listed: str
    one: str
    write: Callable[[str, Json], Reply]
    paged: bool = True


def sticky(thread: Thread, body: str, *, make: bool) -> Said:
    """See that a comment that begins as `body` does is `body`; without `make` only if there is one.

    After a silence it is looked for again, before it is made again. Raises RelockError.
    """

    def attempt() -> Said | Silence:
        found = next((tree for tree in _comments(thread) if _is_ours(tree, body)), None)
        if found:
            return _changed(thread, found, body)
        if not make:
            return "none"
        answer = thread.wire.make(thread.listed, {"body": body})
        if isinstance(answer, Silence):
            return answer
        tree_of(answer, thread.listed)
        return "made"

    return thread.wire.surely(attempt)


def _comments(thread: Thread) -> Iterator[Mapping[str, Json]]:
    replies = pages(thread.wire, thread.listed) if thread.paged else [thread.wire.get(thread.listed)]
    for reply in replies:
        yield from trees_of(reply, thread.listed)


def _is_ours(tree: Mapping[str, Json], body: str) -> bool:
    return lines(text(tree, "body")).partition("\n")[0] == body.partition("\n")[0]


def _changed(thread: Thread, found: Mapping[str, Json], body: str) -> Said:
    if lines(text(found, "body")) == lines(body):
        return "stands"
    tree_of(thread.write(f"{thread.one}/{text(found, 'id')}", {"body": body}), thread.listed)
    return "changed"
