"""HCL values → data, or Unknown with the text of what is not known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from migrate import hcl
from migrate.evaluation.functions import FUNCTIONS
from migrate.hcl.strings import unescaped
from migrate.model import Scalar, Unknown
from migrate.text import Span

Data: TypeAlias = "Scalar | tuple[Data | Unknown, ...] | Names"
"""What an expression comes to. Numbers keep their text."""

_NAME: Final = r"[^\W\d][\w-]*"
_CALL: Final = rf"{_NAME}\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_STEP: Final = re.compile(rf'\s*(?:\.\s*{_NAME}|\["[^"\\$%]+"\]|\[\d{{1,4}}\])')
_TRAVERSAL: Final = re.compile(rf"(?P<start>{_CALL}|{_NAME})(?P<steps>(?:{_STEP.pattern})*)")
_SIDE: Final = r'[^=!<>&|?"]++|\s*+"[^"]*+"\s*+'
_EQUALITY: Final = re.compile(rf"(?P<one>{_SIDE})(?P<sign>[=!]=)(?P<other>{_SIDE})")


class Names(Protocol):
    """What has attributes: an object, a file that was read, `local`."""

    def look(self, name: str, /) -> Data | Unknown:
        """The attribute of that name."""


class Scope(Names, Protocol):
    """What an expression may speak of: names such as `local` and `var`, and functions of the engine's own."""

    def call(self, name: str, arguments: tuple[Data, ...], /) -> Data | Unknown:
        """What a function gives; the common ones are never asked for here."""


class Made(Struct, frozen=True):
    """An object written in place. `whole`: it has these members alone."""

    members: Mapping[str, Data | Unknown]
    whole: bool = False

    def look(self, name: str, /) -> Data | Unknown:
        return self.members.get(name, ABSENT if self.whole else Unknown(f"no {name} here"))


ABSENT: Final = Unknown("no such attribute")
"""What is known not to be there: `try` goes on to its next argument."""


@lru_cache(maxsize=4096)
def _parsed(expression: str) -> tuple[str, hcl.Value]:
    """Many files hold the same few expressions."""
    return f"x = {expression}\n", hcl.expression(expression)


def evaluated(expression: str, scope: Scope) -> Data | Unknown:
    """What an expression, as it is written, comes to."""
    text, value = _parsed(expression)
    return evaluate(text, value, scope)


def evaluate(text: str, value: hcl.Value, scope: Scope) -> Data | Unknown:
    """What a value of `text` comes to."""
    written = value.span.of(text)
    match value:
        case hcl.Literal(literal):
            return literal
        case hcl.Template(pieces):
            return _joined(text, pieces, scope, Unknown(written))
        case hcl.Choice(condition, yes, no):
            return _chosen(evaluate(text, condition, scope), (text, yes, no), scope, Unknown(written))
        case hcl.Call(name, arguments):
            given = tuple(evaluate(text, argument, scope) for argument in arguments)
            return _called(name, given, scope, Unknown(written))
        case hcl.List(items):
            return tuple(evaluate(text, item, scope) for item in items)
        case hcl.Object(items) if all(item.name is not None for item in items):  # else any may be set again
            members = {str(item.name): evaluate(text, item.value, scope) for item in items}
            return Made(members, whole=True)
        case hcl.Object() | hcl.Heredoc():
            return Unknown(written)
        case hcl.Other():
            return _other(written.strip(), scope)


def _joined(text: str, pieces: tuple[Span | hcl.Value, ...], scope: Scope, unknown: Unknown) -> str | Unknown:
    parts = [
        unescaped(piece.of(text)) if isinstance(piece, Span) else evaluate(text, piece, scope)
        for piece in pieces
    ]
    words = [f"{part}".lower() if isinstance(part, bool) else part for part in parts]
    return "".join(map(str, words)) if all(isinstance(word, str) for word in words) else unknown


def _chosen(
    condition: Data | Unknown, arms: tuple[str, hcl.Value, hcl.Value], scope: Scope, unknown: Unknown
) -> Data | Unknown:
    text, yes, no = arms
    if isinstance(condition, bool):
        return evaluate(text, yes if condition else no, scope)
    one, other = evaluate(text, yes, scope), evaluate(text, no, scope)
    return one if one == other and isinstance(one, str | bool) else unknown


def _called(name: str, given: tuple[Data | Unknown, ...], scope: Scope, unknown: Unknown) -> Data | Unknown:
    known = tuple(argument for argument in given if not isinstance(argument, Unknown))
    if name == "try":
        first = next((argument for argument in given if argument is not ABSENT), unknown)
        return unknown if isinstance(first, Unknown) else first
    if len(known) < len(given):
        return unknown
    function = FUNCTIONS.get(name)
    if function is None:
        found = scope.call(name, known)
        return unknown if isinstance(found, Unknown) else found
    words = tuple(argument for argument in known if isinstance(argument, str))
    made = function(words) if len(words) == len(known) else None
    return unknown if made is None else made


def _other(written: str, scope: Scope) -> Data | Unknown:
    if equality := _EQUALITY.fullmatch(written):
        one, other = evaluated(equality["one"], scope), evaluated(equality["other"], scope)
        plain = isinstance(one, str | bool) and isinstance(other, str | bool)
        return (one == other) is (equality["sign"] == "==") if plain else Unknown(written)
    traversal = _TRAVERSAL.fullmatch(written)
    if traversal is None:
        return Unknown(written)
    start = traversal["start"]
    found = evaluated(start, scope) if start.endswith(")") else scope.look(start)
    for step in _STEP.findall(traversal["steps"]):
        found = _below(found, step.strip('. \t\r\n[]"'), Unknown(written))
    return found


def _below(whole: Data | Unknown, step: str, unknown: Unknown) -> Data | Unknown:
    """An attribute of names, or an item of a list; of what is not there nothing is."""
    if whole is ABSENT:
        return ABSENT
    match whole:
        case tuple():
            return whole[int(step)] if step.isdecimal() and int(step) < len(whole) else unknown
        case str() | bool() | None | Unknown():
            return unknown
        case _:
            return whole.look(step)
