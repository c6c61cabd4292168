import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate import hcl
from migrate.hcl.grammar import read
from migrate.hcl.plain import plain
from migrate.text import Span

PLAIN = [
    'terraform {\n  backend "s3" {\n    bucket = "acme"\n    encrypt = true\n  }\n}\n',
    'terraform {\r\n\trequired_version = "~> 1.5" // why\r\n}',
    'backend "s3" {}\n',
    'a {\n  b = {\n    c = "d" # e\n  }\n}\n',
    "a = null\nb = 1.5\n\n# end",
    "",
]


@pytest.mark.parametrize("text", PLAIN)
def test_what_people_mostly_write_needs_no_grammar(text: str) -> None:
    assert plain(text, Span(0, len(text))) is not None


ODD = ["a = b\n", 'a = "${b}"\n', "a { b = 1 }\n", "a {\n", "}\n", "a = {\n  for = 1\n}\n", "/* */ a = 1\n"]


@pytest.mark.parametrize("text", ODD)
def test_leaves_all_else_to_the_grammar(text: str) -> None:
    assert plain(text, Span(0, len(text))) is None


WORDS = (
    "a",
    "for",
    "null",
    "b-2",
    '"s3"',
    '""',
    '"é ~> 1"',
    "1",
    "0.5",
    "true",
    "=",
    "{",
    "}",
    "#",
    "//",
    "x y",
)
BETWEEN = ("", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", ",", "$", "\\", "/*", "*/", "[", "]", "<<E\n")


def lines(words: list[str], between: list[str]) -> str:
    return "".join(word + gap for word, gap in zip(words, between, strict=False))


texts = st.builds(
    lines,
    st.lists(st.sampled_from(WORDS), max_size=24),
    st.lists(st.sampled_from(BETWEEN[:6]) | st.sampled_from(BETWEEN), min_size=24, max_size=24),
)
arguments = st.builds(
    lambda name, value, end: f"{name} = {value}{end}",
    st.sampled_from(("a", "for", "_x")),
    st.sampled_from(('"b"', "1", "true", "null", '"é"', "c", "{")),
    st.sampled_from(("\n", " # c\n", "\r\n", "\n\n")),
)
blocks = st.recursive(
    st.lists(arguments).map("".join),
    lambda inner: st.builds(
        lambda head, body: f"{head} {{\n{body}}}\n", st.sampled_from(("a", 'b "c"', "d =")), inner
    ),
)


@given(text=texts | blocks, before=st.sampled_from(("", "x\n", "é")))
def test_reads_as_the_grammar_does(text: str, before: str) -> None:
    part = Span(len(before), len(before) + len(text))
    items = plain(before + text, part)
    assert items is None or hcl.Tree(items) == read(before + text, part)
