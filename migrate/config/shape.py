"""The form of a configuration as one value: the loader reads by it, the published schema is made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias, assert_never

from msgspec import Struct, field

Form: TypeAlias = Literal["any", "date", "https", "account"]
Json: TypeAlias = str | bool | int | Sequence["Json"] | Mapping[str, "Json"]


class Text(Struct, frozen=True):
    """One value. `choices` closes it; `barred`: what people write here, and why they may not; a date is
    `YYYY-MM-DD`.
    """

    says: str
    choices: tuple[str, ...] = ()
    form: Form = "any"
    barred: Mapping[str, str] = field(default_factory=dict)


class Many(Struct, frozen=True):
    """A list of one kind of thing."""

    says: str
    of: Shape


class Named(Struct, frozen=True):
    """A mapping from names to one kind of thing. `choices` closes the names, `least` counts them."""

    says: str
    of: Shape
    choices: tuple[str, ...] = ()
    least: int = 0


class Record(Struct, frozen=True):
    """A mapping with keys of its own. `elsewhere`: keys that people write here, and why they may not."""

    says: str
    keys: Mapping[str, Shape]
    required: frozenset[str] = frozenset()
    elsewhere: Mapping[str, str] = field(default_factory=dict)


Shape: TypeAlias = Text | Many | Named | Record

PATTERNS: Final[Mapping[Form, str]] = {
    "any": r"\S",
    "date": r"^\d{4}-\d{2}-\d{2}$",
    "https": r"^https://[^/\s@]+(/\S*)?$",
    "account": r"^\d{12}$",
}


def json_schema(shape: Shape, title: str) -> Mapping[str, Json]:
    """The shape as a JSON Schema (2020-12), for editors and for other programs."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **_schema(shape)}


def _schema(shape: Shape) -> dict[str, Json]:
    said: dict[str, Json] = {"description": shape.says}
    match shape:
        case Text(_, choices, form, _):
            one: dict[str, Json] = {"enum": choices} if choices else {"pattern": PATTERNS[form]}
            return said | {"type": "string"} | one
        case Many(_, of):
            return said | {"type": "array", "items": _schema(of)}
        case Named(_, of, choices, least):
            names: dict[str, Json] = {"propertyNames": {"enum": choices}} if choices else {}
            rest: dict[str, Json] = {"additionalProperties": _schema(of), "minProperties": least}
            return said | {"type": "object"} | rest | names
        case Record(_, keys, required):
            inner: dict[str, Json] = {key: _schema(value) for key, value in keys.items()}
            closed: dict[str, Json] = {"required": sorted(required), "additionalProperties": False}
            return said | {"type": "object", "properties": inner} | closed
        case _:
            assert_never(shape)
