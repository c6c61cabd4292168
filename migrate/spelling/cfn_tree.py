"""A CloudFormation template, in YAML or JSON, as one tree: short tags (`!Sub`) as the functions they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from migrate import jsontree, yamltree
from migrate.jsontree import Array, Constant, Member, Mistake, Node, Object, Text
from migrate.model import Source
from migrate.text import Span

_TAGGED: Final = re.compile(r"!(\w+)[ \t]+[\"']?\Z")
_TAGGED_LIST: Final = re.compile(r"!(\w+)\s*(?:\[\s*|-[ \t]+)(?:!\w+[ \t]+)?[\"']?\Z")
_TEMPLATE: Final = re.compile(r"""["']?Type["']?\s*:\s*["']?AWS::""")
_RESOURCES: Final = re.compile(r"""["']?Resources["']?\s*:""")
_CLOSING: Final = re.compile(r"(?:[\s,]|\[\s*\])*\]")  # behind empty lists, which have no place of their own
_FURTHEST: Final = 300  # a tag stands just before its value
_YAML: Final = (".yaml", ".yml")
_BRACE: Final = re.compile(r"[\ufeff \t\r\n]*\{(?![{%#])")  # no mark of a template engine


def is_template(text: str) -> bool:
    return _TEMPLATE.search(text) is not None and _RESOURCES.search(text) is not None


def is_yaml(source: Source) -> bool:
    return source.path.suffix in _YAML or _BRACE.match(source.text) is None


def template(text: str, *, yaml: bool) -> Object | Mistake | None:
    """The root of a template; None where there is none, or the text holds something else."""
    if not yaml:
        read = jsontree.parse(text)
        return read if isinstance(read, Object | Mistake) else None
    root = next(trees(text), None)
    return root if isinstance(root, Object) else None


def trees(text: str) -> Iterator[Node]:
    """The documents of YAML."""
    return map(_Reader(text).node, yamltree.parse(text))


def resources(root: Object) -> Iterator[tuple[str, str, Object]]:
    """Each resource: its logical name, its type, and its properties."""
    found = root.get("Resources")
    for member in found.members if isinstance(found, Object) else ():
        kind = member.value.get("Type") if isinstance(member.value, Object) else None
        properties = member.value.get("Properties") if isinstance(member.value, Object) else None
        if isinstance(kind, Text) and isinstance(properties, Object):
            yield member.key.value, kind.value, properties


def conditions(root: Object) -> Mapping[str, str]:
    """The condition of each resource that is made only where one holds."""
    found = root.get("Resources")
    members = found.members if isinstance(found, Object) else ()
    named = {one.key.value: one.value.get("Condition") for one in members if isinstance(one.value, Object)}
    return {name: one.value for name, one in named.items() if isinstance(one, Text)}


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def node(self, value: yamltree.Node | None) -> Node:
        match value:
            case yamltree.Scalar():
                return self._scalar(value)
            case yamltree.Sequence(items):
                return self._array(items)
            case yamltree.Mapping(members):
                return self._object(members)
            case _:
                return Constant(None, Span(0, 0))

    def _scalar(self, value: yamltree.Scalar) -> Node:
        text = _written(value)
        tag = _TAGGED.search(self._text, max(0, value.span.start - _FURTHEST), value.span.start)
        return self._called(tag, text, text.span.end) if tag else text

    def _array(self, items: tuple[yamltree.Node | None, ...]) -> Node:
        nodes = tuple(map(self.node, items))
        start = nodes[0].span.start if nodes else 0
        array = Array(nodes, Span(start, self._closed(max((node.span.end for node in nodes), default=0))))
        tag = _TAGGED_LIST.search(self._text, max(0, start - _FURTHEST), start) if nodes else None
        return self._called(tag, array, array.span.end) if tag else array

    def _closed(self, end: int) -> int:
        """Behind the bracket that closes a list in flow after its last item; other lists end with that."""
        found = _CLOSING.match(self._text, end)
        return found.end() if found else end

    def _object(self, members: tuple[yamltree.Member, ...]) -> Object:
        made = tuple(Member(_written(one.key), self._value(one)) for one in members)
        start = made[0].key.span.start if made else 0
        return Object(made, Span(start, max(start, made[-1].value.span.end if made else 0)))

    def _value(self, member: yamltree.Member) -> Node:
        """Where nothing is said the value is null, just behind its colon."""
        end = member.key.span.end + 1
        return Constant(None, Span(end, end)) if member.value is None else self.node(member.value)

    def _called(self, tag: re.Match[str], argument: Node, end: int) -> Object:
        name = tag[1] if tag[1] in ("Ref", "Condition") else f"Fn::{tag[1]}"
        key = Text(name, Span(tag.start(), tag.start() + 1 + len(tag[1])))
        return Object((Member(key, argument),), Span(tag.start(), end))


def _written(value: yamltree.Scalar) -> Text:
    """A text with the place of its quotes."""
    quoted = value.style in ("single", "double")
    return Text(value.value, Span(value.span.start - quoted, value.span.end + quoted))
