"""A document and a shape in; plain values out, with every mistake of the file at once, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final, TypeAlias

from msgspec import Struct, field

from migrate.config.document import Items, Node, NotRead, Pairs, Scalar
from migrate.config.shape import PATTERNS, Many, Named, Record, Shape, Text

Plain: TypeAlias = "str | Sequence[Plain] | Mapping[str, Plain]"


class Mistake(Struct, frozen=True, order=True):
    """What is wrong in one line of a file."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


class Leaf(Struct, frozen=True):
    """One value that holds, and the line that says so."""

    key: str
    value: str
    line: int


class Group(Struct, frozen=True):
    """The values of a record that was read, by name; what is absent is empty."""

    values: Mapping[str, Plain]

    def text(self, key: str) -> str:
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(value for value in self._items(key) if isinstance(value, str))

    def groups(self, key: str) -> tuple[Group, ...]:
        return tuple(Group(value) for value in self._items(key) if isinstance(value, Mapping))

    def group(self, key: str) -> Group:
        value = self.values.get(key)
        return Group(value if isinstance(value, Mapping) else {})

    def named(self, key: str) -> dict[str, str]:
        inner = self.group(key).values
        return {name: value for name, value in inner.items() if isinstance(value, str)}

    def _items(self, key: str) -> Sequence[Plain]:
        value = self.values.get(key)
        return value if isinstance(value, tuple) else ()


class Loaded(Struct, frozen=True):
    """What a file says, every mistake in it, and each value with its line."""

    group: Group
    mistakes: tuple[Mistake, ...]
    leaves: tuple[Leaf, ...]


def load(text: str, file: str, shape: Record) -> Loaded:
    """Read `text` by `shape`; `file` is its name in mistakes. Whatever the text, it does not raise."""
    from migrate.config.yaml import parse  # noqa: PLC0415  slow, and most repositories have no file

    reading = _Reading(file)
    values: Mapping[str, Plain] = {}
    try:
        found = reading.read(parse(text), shape, "")
        values = found if isinstance(found, Mapping) else {}
    except NotRead as error:
        reading.wrong(error.line, error.why)
    return Loaded(Group(values), tuple(sorted(reading.mistakes)), tuple(reading.leaves))


class _Reading(Struct, frozen=True):
    """One pass over one document, which gathers mistakes and leaves on its way."""

    file: str
    mistakes: list[Mistake] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)

    def wrong(self, line: int, what: str) -> None:
        self.mistakes.append(Mistake(self.file, line, what))

    def read(self, node: Node, shape: Shape, key: str) -> Plain | None:
        """The value at `node`, or None with its mistakes gathered."""
        match shape, node:
            case Text(), Scalar(str(text), line):
                return self._text(text, line, shape, key)
            case Many(_, of), Items(items):
                values = [self.read(item, of, f"{key}[{at}]") for at, item in enumerate(items)]
                if not items:
                    self.leaves.append(Leaf(f"{key}[]", "", node.line))
                return tuple(value for value in values if value is not None)
            case Named(), Pairs():
                return dict(self._named(node, shape, key))
            case Record(), Pairs():
                return dict(self._record(node, shape, key))
            case _:
                self.wrong(node.line, f"{_called(key)} must be {_KINDS[type(shape)]}")
                return None

    def _text(self, text: str, line: int, shape: Text, key: str) -> str | None:
        if text in shape.barred:
            self.wrong(line, f"{_called(key)} cannot be `{text}`: it {shape.barred[text]}")
        elif shape.choices and text not in shape.choices:
            self.wrong(line, f"{_called(key)} cannot be `{text}`{_meant(text, shape.choices)}")
        elif not re.search(PATTERNS[shape.form], text) or not _is_day(text, shape):
            self.wrong(line, f"{_called(key)} must be {_FORMS[shape.form]}")
        else:
            self.leaves.append(Leaf(key, text, line))
            return text
        return None

    def _named(self, node: Pairs, shape: Named, key: str) -> Iterator[tuple[str, Plain]]:
        if len(node.pairs) < shape.least:
            self.wrong(node.line, f"{_called(key)} is empty")
        for name, line, inner in self._once(node):
            if shape.choices and name not in shape.choices:
                self.wrong(line, f"{_called(key)} cannot hold `{name}`{_meant(name, shape.choices)}")
            elif (value := self.read(inner, shape.of, _below(key, name))) is not None:
                yield name, value

    def _record(self, node: Pairs, shape: Record, key: str) -> Iterator[tuple[str, Plain]]:
        names = set()
        for name, line, inner in self._once(node):
            names.add(name)
            if name not in shape.keys:
                why = shape.elsewhere.get(name) or f"is not a key{_here(key)}{_meant(name, shape.keys)}"
                self.wrong(line, f"`{name}` {why}")
            elif (value := self.read(inner, shape.keys[name], _below(key, name))) is not None:
                yield name, value
        for missing in sorted(shape.required - names):
            self.wrong(node.line, f"{_called(key)} needs `{missing}`: {shape.keys[missing].says}")

    def _once(self, node: Pairs) -> Iterator[tuple[str, int, Node]]:
        """The name, line and value of each pair; a name that stands twice is a mistake."""
        seen: set[str] = set()
        for key, inner in node.pairs:
            name = key.text or ""
            if name in seen:
                self.wrong(key.line, f"`{name}` stands here twice")
            seen.add(name)
            yield name, key.line, inner


_KINDS: Final[Mapping[type[Shape], str]] = {
    Text: "one value",
    Many: "a list, as [a, b]",
    Named: "a mapping, as {name: …}",
    Record: "a mapping, as {name: …}",
}
_FORMS: Final = {
    "any": "one value that is not empty",
    "date": "a day, YYYY-MM-DD",
    "https": "an https:// URL without credentials",
    "account": "an account number of twelve digits",
}


def _is_day(text: str, shape: Text) -> bool:
    if shape.form != "date":
        return True
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _called(key: str) -> str:
    return f"`{key}`" if key else "the file"


def _here(key: str) -> str:
    return f" of `{key}`" if key else ""


def _below(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _meant(word: str, known: Sequence[str] | Mapping[str, Shape]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  for a mistake alone

    near = get_close_matches(word, list(known), n=1)
    if near:
        return f"; did you mean `{near[0]}`?"
    more = ", …: tfrelock config show --schema repository lists all" if len(known) > _MANY else ""
    return f"; known: {', '.join(list(known)[:_MANY])}{more}"


_MANY: Final = 12
