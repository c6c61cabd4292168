import re

import pytest

from migrate import hcl
from migrate.text import Span

ANY = re.compile("")


def value(text: str) -> hcl.Value:
    (argument,) = hcl.parse(f"x = {text}\n").arguments
    return argument.value


LITERALS = {
    '"acme"': "acme",
    '""': "",
    '"a\\"b\\n$${x}%%{y}"': 'a"b\n${x}%{y}',
    '"\\u00fc \\U0001F600"': "ü 😀",
    "12": "12",
    "-1.5e3": "-1.5e3",
    "true": True,
    "!true": False,
    "(false)": False,
    '"${true}"': True,
    '"${null}"': None,
    "null": None,
}


@pytest.mark.parametrize(("text", "meant"), LITERALS.items())
def test_literals(text: str, meant: str | bool | None) -> None:
    assert value(text) == hcl.Literal(meant, Span(4, 4 + len(text)))


OTHERS = ["var.x", "a + b", "[for x in y : x]", '"%{ if a }b%{ endif }"', "x[0]", "(x)"]


@pytest.mark.parametrize("text", OTHERS)
def test_other_expressions_are_their_text(text: str) -> None:
    assert value(text) == hcl.Other(Span(4, 4 + len(text)))


def shape(text: str, given: hcl.Value | Span) -> object:
    """A value as what it is made of, for reading."""
    match given:
        case Span():
            return given.of(text)
        case hcl.Literal(literal):
            return literal
        case hcl.Template(pieces) | hcl.Heredoc(_, pieces):
            return [shape(text, piece) for piece in pieces]
        case hcl.Object(items):
            return {item.name: shape(text, item.value) for item in items}
        case hcl.List(values):
            return tuple(shape(text, one) for one in values)
        case hcl.Call(name, arguments):
            return (name, *(shape(text, one) for one in arguments))
        case hcl.Choice(condition, yes, no):
            return shape(text, condition), shape(text, yes), shape(text, no)
        case hcl.Other(span):
            return f"<{span.of(text)}>"


SHAPES = {
    '"a${var.x}b"': ["a", "<var.x>", "b"],
    '"${var.x}"': ["<var.x>"],
    '{ a = 1, "b" : true, (c) = null }': {"a": "1", "b": True, None: None},
    "{\n    a = 1 # one\n    b = {}\n  }": {"a": "1", "b": {}},
    '["a", ["b"]]': ("a", ("b",)),
    'merge(local.a, { b = "c" })': ("merge", "<local.a>", {"b": "c"}),
    'provider::acme::f("a")': ("provider::acme::f", "a"),
    'a ? "b" : ""': ("<a>", "b", ""),
    "<<E\na\n${var.x}\n  b\nE": ["a\n", "<var.x>", "\n  b\n"],
    "<<-E\n    E": [],
}


@pytest.mark.parametrize(("text", "meant"), SHAPES.items())
def test_shapes(text: str, meant: object) -> None:
    assert shape(f"x = {text}\n", value(text)) == meant


def test_spans_are_characters_of_the_text_and_not_bytes() -> None:
    text = '\ufeff# Zürich 🏔️\nterraform {\n  backend "s3" {\n    ключ = "zürich" # é\n  }\n}\n'
    (block,) = hcl.blocks(text, {"terraform"}, ANY).blocks
    (backend,) = block.blocks
    (argument,) = backend.arguments
    assert (argument.name, argument.span.of(text)) == ("ключ", 'ключ = "zürich"')
    assert argument.value.span.of(text) == '"zürich"'
    assert backend.braces.of(text) == '{\n    ключ = "zürich" # é\n  }'


def test_only_blocks_that_hold_what_is_asked_for() -> None:
    text = "a {\n  x = 1\n}\na {\n  y = 1\n}\nb {\n  y = 1\n}\n"
    found = hcl.blocks(text, {"a"}, re.compile(r"\by\b"))
    assert [block.span.of(text) for block in found.items] == ["a {\n  y = 1\n}"]


BROKEN = {
    "two arguments on one line": ("a {\n  x = 1 y = 2\n}\n", "y = 2"),
    "two items without a comma": ("a {\n  x = { y = 1 z = 2 }\n}\n", "z = 2"),
    "a semicolon": ("a {\n  x = 1; y = 2\n}\n", ""),
    "no value": ("a {\n  x =\n}\n", "="),
}


@pytest.mark.parametrize(("text", "at"), BROKEN.values(), ids=BROKEN)
def test_what_holds_a_mistake_is_left_out(text: str, at: str) -> None:
    found = hcl.blocks(f"{text}b {{}}\n", {"a", "b"}, ANY)
    assert [block.type for block in found.blocks] == ["b"]
    assert [error.of(text) for error in found.errors] == [at]


@pytest.mark.parametrize(
    "text",
    [
        "a {" * 300_000,
        "a { x = " + "[" * 300_000 + "]" * 300_000 + " }",
        'a { x = "' + "${" * 300_000,
        "a { x = " + "{}" * 300_000 + " }",
        "a { x = " + "{}" * 20_000 + " }",
        "{{}}" * 200_000,
    ],
    ids=["blocks", "lists", "templates", "objects", "fewer objects", "pairs"],
)
def test_a_hostile_text_is_no_hcl_and_soon(text: str) -> None:
    found = hcl.blocks(text, {"a"}, ANY)
    assert found.items == ()
    assert found.errors != ()


def test_nested_deeper_than_anybody_reads() -> None:
    (block,) = hcl.blocks("a { x = " + "[" * 5_000 + "]" * 5_000 + "\n}\n", {"a"}, ANY).blocks
    assert block.span == Span(0, 10_010)


def test_an_expression_alone() -> None:
    assert isinstance(hcl.expression('get_env("A", "")'), hcl.Call)
    assert isinstance(hcl.expression("}"), hcl.Other)
