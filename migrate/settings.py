"""The arguments of an S3 backend: from a parsed block, map or object to settings with places.

Nested ones have dotted names (`endpoints.dynamodb`). What no literal says is Unknown with its text; so is a
literal that a person or a template engine has still to fill in. Where a map is an expression, any argument
may come out of it: then those that decide which state is meant and what locks it are Unknown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from migrate import hcl, jsontree
from migrate.model import Fact, Known, Scalar, Setting, Unknown
from migrate.text import Span

DECISIVE: Final = (
    "bucket",
    "key",
    "region",
    "workspace_key_prefix",
    "encrypt",
    "dynamodb_table",
    "use_lockfile",
)
"""What may come out of a map that is an expression."""

_BOOLEANS: Final = frozenset({"encrypt", "use_lockfile"})
_TRUTH: Final[dict[Scalar, bool]] = {"true": True, "false": False}
_PLACEHOLDER: Final = re.compile(r"\{\{|\{%|<[A-Z][A-Z0-9_ .-]*>|\A__\w+__\Z")
_WRAPPED: Final = re.compile(r"\$\{\s*(true|false|null)\s*\}")
_LITERALS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}


def of_body(text: str, items: Iterable[hcl.Item]) -> Iterator[Setting]:
    """The settings of a block, of a file without blocks, or of an object's items."""
    for item in items:
        match item:
            case hcl.Argument(name, value, span):
                yield from _of_argument(text, name, value, span)
            case hcl.Block(name, _, inner, span, braces):
                yield Setting(name, Unknown(braces.of(text)), span, braces)
                yield from _below(name, of_body(text, inner))


def of_map(text: str, value: hcl.Value | hcl.Block) -> Iterator[Setting]:
    """The settings of a map: a literal one, literal ones in `merge(…)`, or any expression."""
    match value:
        case hcl.Object(items) | hcl.Block(items=items):
            yield from of_body(text, items)
        case hcl.Call("merge", arguments):
            for argument in arguments:
                yield from of_map(text, argument)
        case _:
            yield from borrowed(text, value.span)


def borrowed(text: str, span: Span) -> Iterator[Setting]:
    """What may come out of the expression at `span`."""
    return (Setting(name, Unknown(span.of(text)), span, span) for name in DECISIVE)


def of_config(text: str, items: Iterable[hcl.Item]) -> tuple[tuple[Setting, ...], tuple[str, ...]]:
    """What a `config` among these items says (of old it had no `=`), and the names that stand twice in it."""
    maps = [item.value if isinstance(item, hcl.Argument) else item for item in items if _is_config(item)]
    again = ("config",) if len(maps) > 1 else ()
    return tuple(s for one in maps for s in of_map(text, one)), (*again, *repeated(*maps))


def may_be_s3(items: Iterable[hcl.Item]) -> bool:
    """Whether the `backend` among these items is s3, or an expression that may be."""
    given = [item.value for item in items if isinstance(item, hcl.Argument) and item.name == "backend"]
    return bool(given) and not any(isinstance(value, hcl.Literal) and value.value != "s3" for value in given)


def of_node(text: str, node: jsontree.Node) -> Iterator[Setting]:
    """The settings of a JSON object; `//` is Terraform's comment there. Anything else is an expression."""
    if not isinstance(node, jsontree.Object):
        yield from borrowed(text, node.span)
        return
    for member in node.members:
        name = member.key.value
        if name == "//":
            continue
        yield Setting(name, _json_fact(text, name, member.value), member.span, member.value.span)
        if isinstance(member.value, jsontree.Object):
            yield from _below(name, of_node(text, member.value))


def repeated(*maps: hcl.Value | hcl.Block | hcl.Tree | jsontree.Object) -> tuple[str, ...]:
    """Names written more than once in one map. Terraform takes neither: it refuses the block."""
    found: list[str] = []
    for one in maps:
        match one:
            case hcl.Call("merge", arguments):
                found += repeated(*arguments)
            case hcl.Object(items) | hcl.Block(items=items) | hcl.Tree(items):
                found += _twice(item.name for item in items if isinstance(item, hcl.Argument) and item.name)
            case jsontree.Object(members):
                found += _twice(member.key.value for member in members)
            case _:
                pass
    return tuple(found)


def _is_config(item: hcl.Item) -> bool:
    return (item.name if isinstance(item, hcl.Argument) else item.type) == "config"


def _twice(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _of_argument(text: str, name: str | None, value: hcl.Value, span: Span) -> Iterator[Setting]:
    if name is None:
        yield from borrowed(text, span)
        return
    yield Setting(name, _fact(text, name, value), span, value.span)
    if isinstance(value, hcl.Object):
        yield from _below(name, of_body(text, value.items))


def _below(name: str, inner: Iterable[Setting]) -> Iterator[Setting]:
    return (Setting(f"{name}.{s.name}", s.value, s.span, s.value_span) for s in inner)


def _fact(text: str, name: str, value: hcl.Value) -> Fact[Scalar]:
    match value:
        case hcl.Literal(literal) if not _is_placeholder(literal):
            return Known(_typed(name, literal))
        case _:
            return Unknown(value.span.of(text))


def _json_fact(text: str, name: str, node: jsontree.Node) -> Fact[Scalar]:
    match node:
        case jsontree.Text(value) if wrapped := _WRAPPED.fullmatch(value):
            return Known(_LITERALS[wrapped[1]])
        case jsontree.Text(value) if "${" not in value and "%{" not in value and not _is_placeholder(value):
            return Known(_typed(name, value))
        case jsontree.Number(value) | jsontree.Constant(value):
            return Known(value)
        case _:
            return Unknown(node.span.of(text))


def _typed(name: str, literal: Scalar) -> Scalar:
    """Terraform takes `"true"` for true where a boolean is wanted."""
    return _TRUTH.get(literal, literal) if name in _BOOLEANS else literal


def _is_placeholder(literal: Scalar) -> bool:
    return isinstance(literal, str) and bool(_PLACEHOLDER.search(literal))
