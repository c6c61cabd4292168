"""Policy statements added behind one that stands there, in its list; a single statement becomes a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from migrate.text import InsertAfter, Op, Replace, Span, Syntax, line_start, stands_alone

_BLANK: Final = re.compile(r"[ \t]*")


def beside(
    text: str, statement: Span, lines: Sequence[str], syntax: Syntax, within: Span | None = None
) -> Op:
    """The operation that puts `lines`, statements parted by commas, behind the one at `statement`."""
    if text[: statement.start].rstrip()[-1:] not in ("[", ","):
        return Replace(statement, _listed(text, statement, lines), syntax, within)
    if len(lines) == 1 or stands_alone(text, statement):
        return InsertAfter(statement, tuple(lines), syntax, within)
    return _in_line(text, statement, lines, syntax, within)


def _in_line(text: str, statement: Span, lines: Sequence[str], syntax: Syntax, within: Span | None) -> Op:
    """New statements begin on the line on which the one before ends: `}, {`.

    `terraform fmt` indents such a line as what is in the braces.
    """
    start = line_start(text, statement.end)
    indent = _indent(text, statement)
    inner = _BLANK.match(statement.of(text).splitlines()[1]) if syntax is Syntax.HCL else None
    joint = (inner[0] if inner else indent) + text[start + len(indent) : statement.end]
    written = _joined(text, statement, [f"{joint}, {lines[0]}", *lines[1:]])
    return Replace(Span(start, statement.end), written, syntax, within)


def _listed(text: str, statement: Span, lines: Sequence[str]) -> str:
    """A single statement becomes a list of it and the new ones."""
    written = statement.of(text)
    if "\n" not in written:
        return f"[{written}, {' '.join(lines)}]"
    indent = _indent(text, statement)
    own = [line.removeprefix(indent) for line in written.splitlines()]
    unit = _BLANK.match(own[1])
    step = unit[0] if unit else "  "
    inner = [step + line if line else "" for line in (*own[:-1], own[-1] + ",", *lines)]
    return _joined(text, statement, ["[", *inner, "]"])


def _indent(text: str, span: Span) -> str:
    """The blanks of the line on which the statement ends."""
    found = _BLANK.match(text, line_start(text, span.end))
    return found[0] if found else ""


def _joined(text: str, span: Span, lines: Sequence[str]) -> str:
    newline = "\r\n" if "\r\n" in span.of(text) else "\n"
    first, *rest = lines
    indent = _indent(text, span)
    return newline.join([first, *(indent + line if line else "" for line in rest)])
