"""The published schemas and the loader agree: what one takes the other takes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.config.operator import SHAPE as OPERATOR
from migrate.config.reading import load
from migrate.config.repository import SHAPE as REPOSITORY
from migrate.config.shape import Json, Record, json_schema

WORD = st.from_regex(r"[a-z][a-z0-9*/ -]{0,8}[a-z0-9]", fullmatch=True)
FORMED = {
    r"\S": WORD,
    r"^\d{4}-\d{2}-\d{2}$": st.dates().map(str),
    r"^https://[^/\s@]+(/\S*)?$": st.just("https://forge.acme.example/api"),
    r"^\d{12}$": st.from_regex(r"[0-9]{12}", fullmatch=True),
}


def mapping(value: Json) -> Mapping[str, Json]:
    assert isinstance(value, Mapping)
    return value


def texts(value: Json) -> list[str]:
    assert isinstance(value, Sequence)
    return [item for item in value if isinstance(item, str)]


def documents(schema: Mapping[str, Json]) -> st.SearchStrategy[Json]:
    """Values that the schema takes."""
    match schema["type"]:
        case "string" if "enum" in schema:
            return st.sampled_from(texts(schema["enum"]))
        case "string":
            return FORMED[str(schema["pattern"])]
        case "array":
            return st.lists(documents(mapping(schema["items"])), max_size=2)
        case _ if "properties" in schema:
            keys = {name: documents(mapping(of)) for name, of in mapping(schema["properties"]).items()}
            needed = {name: keys.pop(name) for name in texts(schema["required"])}
            return st.fixed_dictionaries(needed, optional=keys)
        case _:
            closed = mapping(schema["propertyNames"])["enum"] if "propertyNames" in schema else None
            names = st.sampled_from(texts(closed)) if closed else WORD
            least = 1 if schema.get("minProperties") else 0
            return st.dictionaries(
                names, documents(mapping(schema["additionalProperties"])), min_size=least, max_size=2
            )


SHAPES = {"operator": OPERATOR, "repository": REPOSITORY}


@pytest.mark.parametrize("name", SHAPES)
@given(data=st.data())
def test_what_the_schema_takes_the_loader_takes_whole(name: str, data: st.DataObject) -> None:
    shape: Record = SHAPES[name]
    document = data.draw(documents(json_schema(shape, name)))
    loaded = load(json.dumps(document), "file", shape)
    assert loaded.mistakes == ()
    assert json.loads(json.dumps(loaded.group.values)) == document


@pytest.mark.parametrize("name", SHAPES)
def test_the_schema_closes_every_record(name: str) -> None:
    found = list(records(json.loads(json.dumps(json_schema(SHAPES[name], name)))))
    assert len(found) > 1
    assert [one for one in found if one["additionalProperties"] is not False] == []


def records(schema: object) -> Iterator[dict[str, object]]:
    """Every part of a schema that describes an object by its properties."""
    if isinstance(schema, dict):
        if "type" in schema and "properties" in schema:
            yield schema
        yield from chain.from_iterable(map(records, schema.values()))
    elif isinstance(schema, list):
        yield from chain.from_iterable(map(records, schema))
