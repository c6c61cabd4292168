"""An argument that is an item of a list, `["init", "-x"]` in YAML, JSON and HCL, or a quoted word."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from migrate.text import Span, lead, line_start

_DASH: Final = re.compile(r"[ \t]*(-[ \t]+)")
_COMMA_AFTER: Final = re.compile(r"[ \t]*,[ \t]*")
_COMMA_BEFORE: Final = re.compile(r"[ \t]*,[ \t]*\Z")
_FLOW_AFTER: Final = re.compile(r"[ \t]*[,\]]")


class Item(Struct, frozen=True):
    """One item of a list: `span` is with its quotes, `apart` what separates it from the next item.

    Where `apart` is None, the item has a line for itself, behind `dash` and before `comma`.
    """

    span: Span
    quote: str
    apart: str | None
    dash: str = ""
    comma: str = ""

    @property
    def line(self) -> Span:
        """All that stands on a line of its own."""
        return Span(self.span.start - len(self.dash), self.span.end + len(self.comma))


def item(text: str, span: Span) -> Item | None:
    """The list item that the argument at `span` is; None where it is a word of a command line."""
    before = lead(text, span.start)
    quote = before[-1:]
    if quote in ("'", '"') and text.startswith(quote, span.end):
        return _quoted(text, before[:-1], Span(span.start - 1, span.end + 1), quote)
    if _DASH.fullmatch(before) or (not before.strip() and text.startswith(",", span.end)):
        return _on_its_line(text, before, span, "")
    flow = before.rstrip().endswith(("[", ",")) and before.rfind("[") > before.rfind("(")
    return Item(span, "", ", ") if flow and _FLOW_AFTER.match(text, span.end) else None


def _quoted(text: str, before: str, whole: Span, quote: str) -> Item | None:
    if not before.strip() or _DASH.fullmatch(before):
        return _on_its_line(text, before, whole, quote)
    if before.rstrip().endswith(("[", ",")):
        return Item(whole, quote, ", ")
    if before.rstrip().endswith((":", "=")):  # all arguments as one value
        return None
    return Item(whole, quote, " ") if before[-1] in " \t(" else None


def _on_its_line(text: str, before: str, whole: Span, quote: str) -> Item:
    dash = _DASH.fullmatch(before)
    return Item(whole, quote, None, dash[1] if dash else "", "," if text.startswith(",", whole.end) else "")


def may_go(text: str, found: Item) -> bool:
    """Whether an item on a line of its own can be deleted: another stays, and the list is not empty."""
    start, end = line_start(text, found.span.start), text.find("\n", found.span.end) + 1
    indent = text[start : found.line.start]
    above, below = text[line_start(text, max(0, start - 1)) : start], text[end:] if end else ""
    beside = (above, below) if found.dash else ()
    return bool(found.comma) or any(line.startswith(f"{indent}-") for line in beside)


def without(text: str, found: Item) -> Span:
    """What to delete with an item that shares its line: the item, and its comma or the blanks before it."""
    start, end = line_start(text, found.span.start), found.span.end
    if found.apart == ", ":
        if after := _COMMA_AFTER.match(text, end):
            return Span(found.span.start, after.end())
        before = _COMMA_BEFORE.search(text, start, found.span.start)
        return Span(before.start() if before else found.span.start, end)
    return Span(start + len(lead(text, found.span.start).rstrip()), end)
