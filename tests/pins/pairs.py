"""What is asked of every pin: what is found, and what a file becomes when its releases are others."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TypeAlias

from migrate.compose import compose
from migrate.model import Known, Pin, Refusal, RepoId, Source, Suggestion
from migrate.pins import PinPlug
from migrate.text import Conflict, Op

REPO = RepoId("git.acme.example/acme/net")

Answer: TypeAlias = str | Refusal | Suggestion


def source(path: str, text: str) -> Source:
    return Source(REPO, PurePosixPath(path), text)


def pins(plug: PinPlug, path: str, text: str) -> list[tuple[str | None, str, str, int]]:
    """Engine, version, root and line of every pin; of one that nobody can tell, `? ` and why."""
    given = source(path, text)
    assert plug.claims(given.path, text[:512].encode())
    found = plug.find(given).items
    assert all(pin.span.of(text) == pin.version.value for pin in found if isinstance(pin.version, Known))
    return [(pin.engine, said(pin), str(pin.root), pin.line) for pin in found]


def said(pin: Pin) -> str:
    return pin.version.value if isinstance(pin.version, Known) else f"? {pin.version.why}"


def moved(plug: PinPlug, path: str, text: str, wish: str) -> Answer:
    """The text after the wish was asked of every known version, or the first answer that is no edit."""
    given = source(path, text)
    ops: list[Op] = []
    for pin in plug.find(given).items:
        answer = plug.edit({given.path: given}, pin, wish) if isinstance(pin.version, Known) else {}
        if isinstance(answer, Refusal | Suggestion):
            return answer
        ops += answer.get(given.path, ())
    after = compose(text, ops)
    assert not isinstance(after, Conflict)
    return after


def check(plug: PinPlug, path: str, before: str, after: str, wish: str = "1.11.4") -> None:
    """`before` becomes exactly `after`, however its lines end; a second run edits nothing."""
    for dress in (str, with_crlf, with_mark, without_end):
        assert moved(plug, path, dress(before), wish) == dress(after)
        assert moved(plug, path, dress(after), wish) == dress(after)


def with_crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def with_mark(text: str) -> str:
    return f"\ufeff{text}"


def without_end(text: str) -> str:
    return text.removesuffix("\n")
