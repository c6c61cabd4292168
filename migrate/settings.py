"""The arguments of an S3 backend: from a parsed block, map or object to settings with places.

Nested ones have dotted names (`endpoints.dynamodb`). What no literal says is Unknown with its text; so is a
literal that a person or a template engine has still to fill in. Where a map is an expression, any argument
may come out of it: then those that decide which state is meant and what locks it are Unknown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from migrate import hcl, jsontree
from migrate.model import Fact, Known, Scalar, Setting, Unknown
from migrate.text import Span

if TYPE_CHECKING:  # the readers of HCL are many, and should not pay for YAML's imports
    from migrate import yamltree

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

IN_LOCALS: Final = "locals."
"""What the name of a map begins with that is a backend only where another file reads it as one."""

IMPORTED: Final = Unknown("what the stack file imports")
"""What is known of a lock that a map of a stack file does not name, by that file alone."""

_BOOLEANS: Final = frozenset({"encrypt", "use_lockfile"})
_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}
_PLACEHOLDER: Final = re.compile(
    r"\{\{|\{%|<%|<[A-Za-z][\w .-]*>|@\w+@|%\w+%|#\{|#[A-Z][A-Z0-9_]+|__[A-Z][A-Z0-9_]*__|\A__\w+__\Z"
)
_WRAPPED: Final = re.compile(r"\$\{\s*(true|false|null)\s*\}")
_LITERALS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
_YAML: Final[dict[str, bool | None]] = {
    spelled: meant
    for word, meant in [*_LITERALS.items(), ("~", None), ("", None)]
    for spelled in (word, word.capitalize(), word.upper())
}


def of_body(text: str, items: Iterable[hcl.Item]) -> Iterator[Setting]:
    """The settings of a block, of a file or of an object. Terraform takes no block in a backend."""
    for item in items:
        if isinstance(item, hcl.Block):
            continue
        if item.name is None:
            yield from borrowed(text, item.span)
            continue
        yield Setting(item.name, _fact(text, item.name, item.value), item.span, item.value.span)
        if isinstance(item.value, hcl.Object):
            yield from _below(item.name, of_body(text, item.value.items))


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


def may_be_s3(items: Iterable[hcl.Item] | jsontree.Object, *, unsaid: bool = False) -> bool:
    """Whether the `backend` among these items or members is s3, or an expression that may be. `unsaid`: what
    it is where there is none, as in an override of a block that has it.
    """
    if isinstance(items, jsontree.Object):
        backend = items.get("backend")
        if backend is None:
            return unsaid
        return isinstance(backend, jsontree.Text) and (backend.value == "s3" or "${" in backend.value)
    given = [item.value for item in items if isinstance(item, hcl.Argument) and item.name == "backend"]
    if not given:
        return unsaid
    return not any(isinstance(value, hcl.Literal) and value.value != "s3" for value in given)


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


def repeated(*maps: hcl.Value | hcl.Block | hcl.Tree | jsontree.Node | None) -> tuple[str, ...]:
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
    given = list(names)
    if len(set(given)) == len(given):  # as nearly always; counting is slow
        return []
    return [name for name, count in Counter(given).items() if count > 1]


def _below(name: str, inner: Iterable[Setting]) -> Iterator[Setting]:
    return (Setting(f"{name}.{s.name}", s.value, s.span, s.value_span) for s in inner)


def _fact(text: str, name: str, value: hcl.Value) -> Fact[Scalar]:
    match value:
        case hcl.Literal(str() as string, span) if text.startswith('"', span.start):
            return taken(name, string, span.of(text))
        case hcl.Literal(literal):
            return Known(literal)
        case _:
            return Unknown(value.span.of(text))


def _json_fact(text: str, name: str, node: jsontree.Node) -> Fact[Scalar]:
    written = node.span.of(text)
    match node:
        case jsontree.Text(value) if wrapped := _WRAPPED.fullmatch(value):
            return Known(_LITERALS[wrapped[1]])
        case jsontree.Text(value) if "${" not in value and "%{" not in value:
            return taken(name, value, written)
        case jsontree.Number(value) | jsontree.Constant(value):
            return Known(value)
        case _:
            return Unknown(written)


def of_scalar(name: str, scalar: yamltree.Scalar) -> Fact[Scalar]:
    """What an argument makes of a text of YAML: without quotes that may be a boolean, or null."""
    if scalar.style == "plain" and scalar.value in _YAML:
        return Known(_YAML[scalar.value])
    return taken(name, scalar.value, scalar.value)


def taken(name: str, value: Scalar, written: str) -> Fact[Scalar]:
    """What an argument makes of a value, which is `written` so. Where a boolean is wanted Terraform takes
    `"true"` and `"1"` for true, but no number.
    """
    if not isinstance(value, str):
        return Known(value)
    if _PLACEHOLDER.search(value):
        return Unknown(written)
    return Known(_TRUTH.get(value, value) if name in _BOOLEANS else value)
