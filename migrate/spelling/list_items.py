"""An argument that is an item of a list, `["init", "-x"]` in YAML, JSON and HCL, or a quoted word."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from migrate.text import Span

_BARE: Final = re.compile(r"[ \t]*-[ \t]+")
_COMMA_AFTER: Final = re.compile(r"[ \t]*,[ \t]*")
_COMMA_BEFORE: Final = re.compile(r"[ \t]*,[ \t]*\Z")


class Item(Struct, frozen=True):
    """An item with its quotes. `apart` parts it from the next; None: it stands on a line of its own."""

    span: Span
    quote: str
    apart: str | None


def item(text: str, span: Span) -> Item | None:
    """The item that what stands at `span` is; None where it is a part of a command."""
    start = text.rfind("\n", 0, span.start) + 1
    lead = text[start : span.start]
    if _BARE.fullmatch(lead):
        return Item(span, "", None)
    quote = lead[-1:]
    if quote not in ("'", '"') or not text.startswith(quote, span.end):
        return None
    before, whole = lead[:-1], Span(span.start - 1, span.end + 1)
    if not before.strip() or _BARE.fullmatch(before):
        return Item(whole, quote, None)
    if before.rstrip().endswith(("[", ",")):
        return Item(whole, quote, ", ")
    if before.rstrip().endswith((":", "=")):  # all arguments as one value
        return None
    return Item(whole, quote, " ") if before[-1] in " \t(" else None


def without(text: str, found: Item) -> Span:
    """The characters that go with an item: its comma or the blanks before it."""
    start, end = text.rfind("\n", 0, found.span.start) + 1, found.span.end
    if found.apart == ", ":
        if after := _COMMA_AFTER.match(text, end):
            return Span(found.span.start, after.end())
        before = _COMMA_BEFORE.search(text, start, found.span.start)
        return Span(before.start() if before else found.span.start, end)
    lead = text[start : found.span.start]
    return Span(start + len(lead.rstrip()), end)
