"""What is asked of every pin: what is found, and what a file becomes when its releases are others."""

from __future__ import annotations

from migrate.model import Known, Pin, Source
from migrate.pins import PINS, PinPlug
from tests.pairs import Answer, check_dressed, composed, source


def pins(plug: PinPlug, path: str, text: str) -> list[tuple[str | None, str, str, int]]:
    """Engine, version, root and line of every pin; of one that nobody can tell, `? ` and why."""
    given = source(path, text)
    assert plug.claims(given.path, text[:512].encode())
    found = plug.find(given).items
    assert not found or is_shown(plug, given)
    assert all(pin.span.of(text) == pin.version.value for pin in found if isinstance(pin.version, Known))
    return [(pin.engine, said(pin), str(pin.root), pin.line) for pin in found]


def is_shown(plug: PinPlug, given: Source) -> bool:
    """Whether the line of a plug in the list says that such a file is worth showing to it."""
    (line,) = (line for line in PINS if line.NAME == plug.NAME)
    named = any(given.path.match(name) for name in line.FILES)
    return named or any(token in given.text.encode() for token in line.TOKENS)


def said(pin: Pin) -> str:
    return pin.version.value if isinstance(pin.version, Known) else f"? {pin.version.why}"


def moved(plug: PinPlug, path: str, text: str, wish: str) -> Answer:
    """The text after the wish was asked of every known version, or the first answer that is no edit."""
    given = source(path, text)
    known = (pin for pin in plug.find(given).items if isinstance(pin.version, Known))
    return composed(given, (plug.edit({given.path: given}, pin, wish) for pin in known))


def check(plug: PinPlug, path: str, before: str, after: str, wish: str = "1.11.4") -> None:
    """`before` becomes exactly `after`, however its lines end; a second run edits nothing."""
    check_dressed(lambda text: moved(plug, path, text, wish), before, after)
