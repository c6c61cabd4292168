"""Lexemes of each syntax: kinds by one letter, so that a row shows where code, strings and comments begin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.compose.lex import Kind, lexemes
from migrate.text import Span, Syntax

LETTERS = {
    Kind.OPEN: "(",
    Kind.CLOSE: ")",
    Kind.EQUAL: "=",
    Kind.COMMA: ",",
    Kind.COMMENT: "#",
    Kind.NEWLINE: "|",
    Kind.LAST: "!",
    Kind.OTHER: ".",
}


def kinds(text: str, syntax: Syntax) -> str:
    return "".join(LETTERS[lexeme.kind] for lexeme in lexemes(text, Span(0, len(text)), syntax))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a = "b"\n', ".=.|"),
        ("a = [1, 2]\r\n", ".=(.,.)|"),
        ("a == b != c <= d >= e => f", "..........."),
        ("a = 1 # b = {\n", ".=.#|"),
        ("a = 1 // b = {\n", ".=.#|"),
        ("a = 1 /* b\n= { */ c", ".=.#."),
        ("/* never closed\n}", "#"),
        ('"a = ${b({c = 1})} d"\n', "..(.((.=.)))..|"),
        ('"$${ %%{ $ % { = # \\" \\\\" = 1', "...=."),
        ('"%{ if a }b%{ endif }"\n', ".(..).(.).|"),
        ('"${"}"}" = 1', ".(.).=."),
        ('"never closed = {\na = 1', "..|.=."),
        ('"never closed\\\na = 1', "...|.=."),
        ("<<EOT\na = {\n  EOT \nb = 1\n", "..!|.=.|"),
        ("<<-EOT\r\n${a} = #\r\nEOT\r\n", ".(.).!|"),
        ("<<EOT\nEOT2\n${x}EOT\nEOT", "..(.).!"),
        ("<<EOT\n$${ %%{\nEOT\n", "..!|"),
        ("<<EOT \n", "...|"),
        ("a << 1", "...."),
        ("a-b.c", "..."),
        ("}} a = 1", ")).=."),
        ("\r a =\r\r1 # b\r\r\n\r", ".=.#|"),
    ],
)
def test_hcl(text: str, expected: str) -> None:
    assert kinds(text, Syntax.HCL) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": "${", "b\\"": [-1.5e+3]}\n', "(...,..(.))|"),
        ('"never closed\n}', ".|)"),
        ("# /* =", "...."),
        ('\r{"a":\r1\r,\r\n}\r', "(...,|)"),
    ],
)
def test_json(text: str, expected: str) -> None:
    assert kinds(text, Syntax.JSON) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: {b} # c\r\n", "..#|"),
        ("a#b=c\n#d", ".|#"),
        ("\ra\rb\r\n\r# c\r\r\n", "..|#|"),
    ],
)
def test_plain(text: str, expected: str) -> None:
    assert kinds(text, Syntax.PLAIN) == expected


CODE = ["a", "=", "{", "}", "[", "]", "(", ")", ",", "#", "//", "/*", "*/", "<<A", "A", "-", "\\"]
QUOTED = ['"', "${", "%{", "$", "%", "é"]
BLANK = ["\n", "\r\n", "\r", " ", "\t", "\f", "\u2028"]
TEXTS = st.lists(st.sampled_from([*CODE, *QUOTED, *BLANK])).map("".join)


@given(TEXTS, st.sampled_from(Syntax))
def test_nothing_is_lost(text: str, syntax: Syntax) -> None:
    """Lexemes follow each other without overlap, and between them are blanks."""
    at = 0
    for lexeme in lexemes(text, Span(0, len(text)), syntax):
        assert at <= lexeme.start < lexeme.end
        assert not text[at : lexeme.start].strip(" \t\r")
        at = lexeme.end
    assert not text[at:].strip(" \t\r")


@pytest.mark.parametrize("piece", ["{", '"${', '"', "<<A\n", "/*", "[\n", "$", "\\", '"\\', " "])
@pytest.mark.parametrize("syntax", Syntax)
def test_a_hostile_text_takes_time_by_its_length(piece: str, syntax: Syntax) -> None:
    text = piece * 100_000
    assert sum(1 for _ in lexemes(text, Span(0, len(text)), syntax)) <= len(text)
