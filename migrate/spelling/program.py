"""Statements of policies in programs (CDK, Pulumi, CDKTF), each as it is written, and the text of a new one.

No program is run and no language is parsed: a statement is what stands in the brackets around its actions,
where strings, lists and templates are read as TypeScript and Python write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct

from migrate.iam.glob import Hole
from migrate.iam.policy import Effect, Element, Part, Statement, Word
from migrate.text import Span

_ACTIONS: Final = re.compile(r"""["']?\b[aA]ctions?["']?\s*[:=]\s*(?=[\["'])""")
_RESOURCES: Final = re.compile(r"""["']?\b[rR]esources?["']?\s*[:=]\s*""")
_SID: Final = re.compile(r"""["']?\b[sS]id["']?\s*[:=]\s*(["'])([\w ]*)\1""")
_DENY: Final = re.compile(r"""\bDENY\b|["']Deny["']""")
_STRING: Final = re.compile(
    r"""(?P<f>[fF]?)(?P<quote>["'`])(?P<body>(?:\\.|(?!(?P=quote)).){0,1000}+)(?P=quote)""", re.DOTALL
)
_FILLED: Final = re.compile(r"\$\{([^{}]*)\}")
_FILLED_F: Final = re.compile(r"\{([^{}]*)\}")
_OPEN: Final = {"(": ")", "[": "]", "{": "}"}
_HEAD: Final = re.compile(r"(?:\bnew\s+)?[\w.]*\Z")
_LONGEST: Final = 3_000
MOST: Final = 100
"""Statements that are read of one program: a text made to be slow has more."""


class Found(Struct, frozen=True):
    """A statement with the places of its lists; `python`: whether it is written in Python."""

    statement: Statement
    actions: Span
    resources: Span
    sid: Span | None
    text: str
    python: bool


def statements(text: str, where: str, *, python: bool) -> Iterator[Found]:
    """Every statement whose actions are literals and whose resources stand beside them."""
    for found in islice(_ACTIONS.finditer(text), MOST):
        actions = _value(text, found.end())
        body = _around(text, found.start())
        if actions is None or body is None or len(body) > _LONGEST:
            continue
        beside = _RESOURCES.search(text, body.start, body.end)
        resources = _value(text, beside.end()) if beside else None
        if resources is None or not body.contains(resources):
            continue
        line = text.count("\n", 0, body.start) + 1
        yield _found(text, body, actions, resources, f"{where}:{line}", python=python)


def _found(text: str, body: Span, actions: Span, resources: Span, where: str, *, python: bool) -> Found:
    sid = _SID.search(text, body.start, body.end)
    effect: Effect = "Deny" if _DENY.search(text, body.start, body.end) else "Allow"
    statement = Statement(
        effect,
        Element(tuple(Word((one["body"],)) for one in _STRING.finditer(actions.of(text)))),
        Element(tuple(Word(tuple(_parts(item, python=python))) for item in _items(resources.of(text)))),
        sid=sid[2] if sid else "",
        where=where,
        span=body,
    )
    return Found(statement, actions, resources, Span(*sid.span(2)) if sid else None, text, python)


def written(like: Found, new: Statement) -> str:
    """A new statement in the words of the one it stands beside."""
    quote = "'" if "'" in like.actions.of(like.text) else '"'
    actions = ", ".join(f"{quote}{word}{quote}" for word in new.actions.words)
    words = new.resources.words if new.resources else ()
    resources = ", ".join(_spelt(word, quote, python=like.python) for word in words)
    edits = [(like.actions, f"[{actions}]"), (like.resources, f"[{resources}]")]
    edits += [(like.sid, new.sid)] if like.sid else []
    text = like.text
    out, at = [], like.statement.span.start
    for span, value in sorted(edits, key=lambda edit: edit[0].start):
        out += [text[at : span.start], value]
        at = span.end
    return "".join([*out, text[at : like.statement.span.end]])


def _spelt(word: Word, quote: str, *, python: bool) -> str:
    body = "".join(part.symbol if isinstance(part, Hole) else part for part in word.parts)
    if not any(isinstance(part, Hole) for part in word.parts):
        return f"{quote}{body}{quote}"
    return f'f"{body}"' if python else f"`{body}`"


def _parts(item: str, *, python: bool) -> Iterator[Part]:
    """The parts of one item: strings joined by `+`, what is filled into them, and expressions."""
    for piece in re.split(r"\s*\+\s*", item.strip()):
        string = _STRING.fullmatch(piece)
        if string is None:
            yield Hole(f"{{{piece}}}" if python else f"${{{piece}}}")
        elif string["quote"] == "`" or string["f"]:
            yield from _filled(string["body"], _FILLED_F if string["f"] else _FILLED)
        elif string["body"]:
            yield string["body"]


def _filled(body: str, pattern: re.Pattern[str]) -> Iterator[Part]:
    end = 0
    for found in pattern.finditer(body):
        if found.start() > end:
            yield body[end : found.start()]
        yield Hole(found[0])
        end = found.end()
    if body[end:]:
        yield body[end:]


def _items(value: str) -> Iterator[str]:
    """The items of a list, or the one value."""
    inner = value[1:-1] if value.startswith("[") else value
    at = start = 0
    while at < len(inner):
        if inner[at] == ",":
            yield from _said(inner[start:at])
            start = at + 1
        at = _next(inner, at)
    yield from _said(inner[start:])


def _said(item: str) -> Iterator[str]:
    if item.strip():
        yield item


def _value(text: str, start: int) -> Span | None:
    """From a value's first character to its last: up to the comma or bracket behind it."""
    at = start
    while at < len(text) and text[at] not in ",)]}\n;":
        at = _next(text, at)
    end = len(text[:at].rstrip())
    return Span(start, end) if start < end else None


def _next(text: str, at: int) -> int:
    """Behind the string or brackets that begin here, else behind the character."""
    end, open_ = at, list[str]()
    while end < min(len(text), at + _LONGEST):
        string = _STRING.match(text, end)
        if string:
            end = string.end()
        else:
            if open_ and text[end] == open_[-1]:
                open_.pop()
            elif text[end] in _OPEN:
                open_.append(_OPEN[text[end]])
            end += 1
        if not open_:
            break
    return end


def _around(text: str, at: int) -> Span | None:
    """The brackets around a place, with the call that they are the arguments of."""
    start = _opening(text, at)
    if start is None:
        return None
    if text[start] == "{" and start and text[:start].rstrip().endswith("("):
        start = len(text[:start].rstrip()) - 1
    end = _next(text, start)
    if text[end - 1] != _OPEN[text[start]]:
        return None
    head = _HEAD.search(text, max(0, start - 200), start) if text[start] == "(" else None
    return Span(head.start() if head else start, end)


def _opening(text: str, at: int) -> int | None:
    """The bracket that is open at a place, looking back."""
    depth = 0
    for place in range(at - 1, max(-1, at - _LONGEST), -1):
        if text[place] in ")]}":
            depth += 1
        elif text[place] in _OPEN:
            if depth == 0:
                return place
            depth -= 1
    return None
