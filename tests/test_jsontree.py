"""A JSON text becomes a tree with places, and what is not JSON is named with its place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate import jsontree
from migrate.jsontree import Array, Constant, Mistake, Node, Number, Object, Text
from migrate.text import Span


def parsed(text: str) -> Node:
    tree = jsontree.parse(text)
    assert not isinstance(tree, Mistake), tree
    return tree


def value(node: Node) -> object:
    match node:
        case Object(members):
            return {member.key.value: value(member.value) for member in members}
        case Array(items):
            return [value(item) for item in items]
        case Number(written):
            return json.loads(written)
        case Text(found, _) | Constant(found, _):
            return found


def test_every_node_knows_its_characters() -> None:
    text = '\ufeff{ "a" : [1, true],\r\n  "b": "x\\n" }'
    tree = parsed(text)
    assert isinstance(tree, Object)
    a, b = tree.members
    assert tree.span.of(text) == text[1:]
    assert (a.key.span.of(text), a.value.span.of(text), a.span.of(text)) == (
        '"a"',
        "[1, true]",
        '"a" : [1, true]',
    )
    assert (b.value, b.value.span.of(text)) == (Text("x\n", b.value.span), '"x\\n"')


def test_a_key_that_stands_twice_is_there_twice_and_the_last_wins() -> None:
    tree = parsed('{"a": 1, "a": 2}')
    assert isinstance(tree, Object)
    assert [member.span for member in tree.all("a")] == [Span(1, 7), Span(9, 15)]
    assert tree.get("a") == Number("2", Span(14, 15))
    assert tree.get("b") is None


def test_walk_gives_every_node_in_order() -> None:
    text = '{"a": [1, {"b": null}], "c": "d"}'
    spans = [node.span.of(text) for node in jsontree.walk(parsed(text))]
    assert spans == [text, '[1, {"b": null}]', "1", '{"b": null}', "null", '"d"']


@pytest.mark.parametrize(
    ("text", "why", "line", "offset"),
    [
        ("", "the text ends where a value should stand", 1, 0),
        ('{"a": 1,\n}', "nothing stands between the comma and }", 2, 9),
        ("[1 2]", "a comma or ] should stand here", 1, 3),
        ("[1,]", "nothing stands between the comma and ]", 1, 3),
        ("{a: 1}", "a key in double quotes should stand here", 1, 1),
        ('{"a" 1}', "a colon should stand here", 1, 5),
        ("{'a': 1}", "a key in double quotes should stand here", 1, 1),
        ("[NaN]", "a value should stand here", 1, 1),
        ("[True]", "a value should stand here", 1, 1),
        ("01", "something follows the end of the document", 1, 1),
        ("[+1]", "a value should stand here", 1, 1),
        ("// no\n1", "a value should stand here", 1, 0),
        ("1\n2", "something follows the end of the document", 2, 2),
        ('["a', "a string that does not end, or holds a bare control character or a wrong escape", 1, 1),
        ('["\t"]', "a string that does not end, or holds a bare control character or a wrong escape", 1, 1),
        ('["\\x"]', "a string that does not end, or holds a bare control character or a wrong escape", 1, 1),
        ("[" * 300, "nested deeper than 200 levels", 1, 201),
    ],
)
def test_what_is_not_json_is_named_with_its_place(text: str, why: str, line: int, offset: int) -> None:
    found = jsontree.parse(text)
    assert isinstance(found, Mistake)
    assert (found.why, found.line, found.offset) == (why, line, offset)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_it_reads_what_json_writes(document: object, ascii_only: bool, indent: int | str | None) -> None:
    text = json.dumps(document, ensure_ascii=ascii_only, indent=indent)
    assert value(parsed(text)) == document


@given(st.text(alphabet='{}[]",:0123456789eE+-.truefalsn\\u \n\t', max_size=30))
def test_it_takes_and_refuses_what_json_does(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        assert isinstance(jsontree.parse(text), Mistake)
    else:
        assert value(parsed(text)) == expected
