"""Strings of CloudFormation as words of a policy: `Fn::Sub`, `Fn::Join`, references, and back.

What a template engine fills in, or CloudFormation itself where it reads `{{resolve:…}}`, is not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from migrate.iam.glob import Hole
from migrate.iam.policy import Part, Word
from migrate.iam.read import as_json
from migrate.jsontree import Array, Node, Object, Text

_SUBSTITUTED: Final = re.compile(r"\$\{(!?)([^{}]*)\}")
_NAME: Final = re.compile(r"\$\{[\w.:]+\}")
_FILLED_IN: Final = re.compile(r"(\{\{.*?\}\}|<%.*?%>|\{%.*%\})")


def parts_of(text: str, node: Node) -> tuple[Part, ...] | None:
    """What a string consists of; a function whose result is not told is a hole with its text."""
    if isinstance(node, Text):
        return tuple(_literal(node.value)) or ("",)
    if not isinstance(node, Object):
        return as_json(node)
    match [(member.key.value, member.value) for member in node.members]:
        case [("Fn::Sub", Text(value))]:
            return tuple(_substituted(value))
        case [("Fn::Sub", Array((Text(value), Object() as names)))]:
            return tuple(part for one in _substituted(value) for part in _named(text, one, names))
        case [("Ref", Text(name))] | [("Fn::GetAtt", Text(name))]:
            return (Hole(f"${{{name}}}"),)
        case [("Fn::GetAtt", Array((Text(name), Text(attribute))))]:
            return (Hole(f"${{{name}.{attribute}}}"),)
        case [("Fn::Join", Array((Text(""), Array(items))))]:
            return tuple(part for item in items for part in parts_of(text, item) or (_whole(text, item),))
        case [(name, _)] if name.startswith("Fn::"):
            return (_whole(text, node),)
        case _:
            return None


def _named(text: str, part: Part, names: Object) -> tuple[Part, ...]:
    """What a substitution's own names stand for."""
    own = names.get(part.symbol[2:-1]) if isinstance(part, Hole) else None
    return (part,) if own is None else parts_of(text, own) or (_whole(text, own),)


def _whole(text: str, node: Node) -> Hole:
    return Hole(node.span.of(text))


def _substituted(value: str) -> Iterator[Part]:
    """`${Name}` is filled in, `${!name}` is what IAM fills in itself."""
    end = 0
    for found in _SUBSTITUTED.finditer(value):
        yield from _literal(value[end : found.start()] + (f"${{{found[2]}}}" if found[1] else ""))
        if not found[1]:
            yield Hole(f"${{{found[2]}}}")
        end = found.end()
    yield from _literal(value[end:])


def _literal(value: str) -> Iterator[Part]:
    """A text with what is filled in before anybody reads it."""
    for at, piece in enumerate(_FILLED_IN.split(value)):
        if piece:
            yield Hole(piece) if at % 2 else piece


def substitution(word: Word) -> str | None:
    """The text of `Fn::Sub` that gives the word; None where a hole is more than a name."""
    if not all(
        isinstance(part, str) or _is_text(part) or _NAME.fullmatch(part.symbol) for part in word.parts
    ):
        return None
    return "".join(
        part.symbol if isinstance(part, Hole) else part.replace("${", "${!") for part in word.parts
    )


def has_holes(word: Word) -> bool:
    """Whether it needs a function to be written."""
    return any(isinstance(part, Hole) and not _is_text(part) for part in word.parts)


def _is_text(part: Hole) -> bool:
    return _FILLED_IN.fullmatch(part.symbol) is not None
