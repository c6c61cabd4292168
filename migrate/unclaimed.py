"""What a token is where no dialect claims it: a name that carries the table's name, or words about it.

A variable, an output, a local, an argument of a module: each only hands a name on, and whatever it is handed
to is read by itself. A literal map is none of these: it may be handed on as a whole backend configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from migrate import hcl, jsontree
from migrate.model import Look, Source
from migrate.text import Span

Looks: TypeAlias = tuple[Span, Look]

_CODE: Final = frozenset({".tf", ".tofu", ".hcl"})
_PROSE: Final = frozenset({"description", "error_message", "source"})
"""What is said of a thing, and where its code lies: no value of either is a setting."""
_SETTING: Final = frozenset({"terraform", "backend", "remote_state", "config", "generate", "generate_hcl"})
"""Blocks whose arguments do set a lock; where a dialect left one of these out, it is not covered."""


def looks(source: Source) -> Iterator[Looks]:
    """The places of a file whose part is known from how they stand in it."""
    if source.path.suffix in _CODE:
        for item in hcl.parse(source.text).items:
            match item:
                case hcl.Block():
                    yield from _block(source.text, item)
                case hcl.Argument("inputs", hcl.Object(items)):
                    yield from _named(source.text, items)
                case _:
                    pass
    elif source.path.suffix == ".json":
        yield from _about(jsontree.parse(source.text))


def _block(text: str, block: hcl.Block) -> Iterator[Looks]:
    if block.type in _SETTING or "terraform_remote_state" in block.labels:
        return
    yield Span(block.span.start, block.braces.start), "carrier"
    for inner in block.blocks:
        yield from _block(text, inner)
    yield from _named(text, block.arguments)


def _named(text: str, arguments: Iterable[hcl.Argument]) -> Iterator[Looks]:
    """Arguments whose names are those of variables, outputs or attributes."""
    for one in arguments:
        if one.name in _PROSE:
            yield one.span, "documentation"
        else:
            yield Span(one.span.start, one.value.span.start), "carrier"
            yield from _value(text, one.value)


def _value(text: str, value: hcl.Value) -> Iterator[Looks]:
    """The references in a value; of a map not the keys, unless they are the variables of a template."""
    match value:
        case hcl.Other(span) if '"' not in span.of(text):
            yield span, "carrier"
        case hcl.Call("templatefile", (_, hcl.Object(items))):
            yield from _named(text, items)
        case hcl.Template(pieces) | hcl.Heredoc(pieces=pieces):
            yield from _all(text, (piece for piece in pieces if not isinstance(piece, Span)))
        case hcl.Object(items):
            yield from _all(text, (item.value for item in items))
        case hcl.List(items) | hcl.Call(arguments=items):
            yield from _all(text, items)
        case hcl.Choice(condition, yes, no):
            yield from _all(text, (condition, yes, no))
        case _:
            pass


def _all(text: str, values: Iterable[hcl.Value]) -> Iterator[Looks]:
    for value in values:
        yield from _value(text, value)


def _about(document: jsontree.Node | jsontree.Mistake) -> Iterator[Looks]:
    """A list or an object under the name of a setting says something about it: a table is named by a text."""
    if isinstance(document, jsontree.Mistake):
        return
    for node in jsontree.walk(document):
        for member in node.members if isinstance(node, jsontree.Object) else ():
            if isinstance(member.value, jsontree.Array | jsontree.Object):
                yield member.key.span, "documentation"
