"""A thing goes with its lines; where it shares them, only what must go does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.compose import compose
from migrate.text import Drop, Span, Syntax
from tests.compose.ops import JSON, PLAIN, Make, check, drop

TABLE = 'dynamodb_table = "acme-locks"'


@pytest.mark.parametrize(
    ("old", "makes", "new"),
    [
        pytest.param(
            """\
    bucket = "acme-state"
    # shared with acme/app

    dynamodb_table = "acme-locks" # not for long
    key = "net"
""",
            [drop(TABLE)],
            """\
    bucket = "acme-state"
    # shared with acme/app

    key = "net"
""",
            id="with its trailing comment, not with that above it",
        ),
        pytest.param(
            """\
a = 1
/* why */ dynamodb_table /* what */ = "acme-locks" /* where
and when */
b = 2
""",
            [drop('dynamodb_table /* what */ = "acme-locks"')],
            """\
a = 1
b = 2
""",
            id="with all lines of its comments",
        ),
        pytest.param(
            f"a = <<E\nx\nE\n{TABLE}",
            [drop(TABLE)],
            "a = <<E\nx\nE\n",
            id="without the line end that a heredoc above needs",
        ),
        pytest.param(
            """\
a = 1
endpoints = {
  dynamodb = "http://localhost" # }
}

b = 2
""",
            [drop('endpoints = {\n  dynamodb = "http://localhost" # }\n}')],
            """\
a = 1

b = 2
""",
            id="with all its lines",
        ),
        pytest.param(
            """\
a = <<EOT
b = 1
EOT
b = 2
""",
            [drop("a = <<EOT\nb = 1\nEOT")],
            """\
b = 2
""",
            id="a heredoc",
        ),
        pytest.param(
            """\
a = 1
b = 2
c = 3
""",
            [drop("a = 1"), drop("b = 2"), drop("c = 3")],
            "",
            id="everything",
        ),
        pytest.param("a = 1\nb = 2", [drop("b = 2")], "a = 1", id="the last line without line end"),
        pytest.param("a = 1\nb = 2", [drop("a = 1"), drop("b = 2")], "", id="both lines without line end"),
    ],
)
def test_its_own_lines(old: str, makes: list[Make], new: str) -> None:
    check(old, new, *makes)


@pytest.mark.parametrize(
    ("old", "makes", "new"),
    [
        pytest.param(
            'backend "s3" { key = "net" } # x\n', [drop('key = "net"')], 'backend "s3" {} # x\n', id="a block"
        ),
        pytest.param("a = { x = 1, y = 2 }\n", [drop("x = 1")], "a = { y = 2 }\n", id="the first"),
        pytest.param("a = { x = 1, y = 2 }\n", [drop("y = 2")], "a = { x = 1 }\n", id="the last"),
        pytest.param("a = { x = 1, y = 2 }\n", [drop("x = 1"), drop("y = 2")], "a = {}\n", id="all"),
        pytest.param(
            "a = { x = 1, y = 2, }\n",
            [drop("y = 2")],
            "a = { x = 1, }\n",
            id="the last with a comma",
        ),
        pytest.param("a = { x = 1, }\n", [drop("x = 1")], "a = {}\n", id="the only one with a comma"),
        pytest.param("a = [1, 2, 3]\n", [drop("2")], "a = [1, 3]\n", id="one of a list"),
        pytest.param(
            "a = { /* why */ x = 1 }\n", [drop("x = 1")], "a = { /* why */ }\n", id="beside a comment"
        ),
        pytest.param(
            "a = { x = 1, # why\n  y = 2 }\n",
            [drop("x = 1")],
            "a = { # why\n  y = 2 }\n",
            id="before a comment",
        ),
        pytest.param(
            "a = { x = 1, # why\n  y = 2 }\n",
            [drop("y = 2")],
            "a = { x = 1, # why\n  }\n",
            id="after a comment",
        ),
        pytest.param('{"x": 1, "y": 2}', [drop('"y": 2', JSON)], '{"x": 1}', id="JSON"),
        pytest.param('{"x": 1, "y": 2}', [drop('"y": 2', JSON), drop('"x": 1', JSON)], "{}", id="JSON, all"),
        pytest.param("terraform init -x -y\n", [drop("-x", PLAIN)], "terraform init -y\n", id="a word"),
        pytest.param("x=1 terraform init\n", [drop("x=1", PLAIN)], "terraform init\n", id="the first word"),
        pytest.param(
            "  x=1 terraform init\n",
            [drop("x=1", PLAIN)],
            "  terraform init\n",
            id="the first word, indented",
        ),
    ],
)
def test_a_shared_line(old: str, makes: list[Make], new: str) -> None:
    check(old, new, *makes)


@pytest.mark.parametrize(
    ("old", "makes", "new"),
    [
        pytest.param(
            """\
{
  "a": 1,
  "b": 2,
  "c": 3
}
""",
            [drop('"c": 3', JSON), drop('"b": 2', JSON)],
            """\
{
  "a": 1
}
""",
            id="the last two of JSON",
        ),
        pytest.param(
            """\
{
  "a": 1
  , "b": 2
}
""",
            [drop('"a": 1', JSON)],
            """\
{
   "b": 2
}
""",
            id="the first where commas lead",
        ),
        pytest.param(
            """\
a = [
  "x", # one
  "y"  # two
]
""",
            [drop('"y"')],
            """\
a = [
  "x", # one
]
""",
            id="the last of a list: the line above stays",
        ),
        pytest.param(
            "a = [\n  1\n  , 2\n]\n", [drop("1")], "a = [\n   2\n]\n", id="a list where commas lead"
        ),
        pytest.param(
            "a = [\n  1\n  , 2\n  , 3\n]\n",
            [drop("2")],
            "a = [\n  1\n  , 3\n]\n",
            id="one between two where commas lead",
        ),
        pytest.param(
            '{"a": 1\n, "b": 2\n, "c": 3}',
            [drop('"b": 2', JSON)],
            '{"a": 1\n, "c": 3}',
            id="a member between two where commas lead",
        ),
        pytest.param(
            """\
a = [
  "x",
  "y", # two
]
""",
            [drop('"y"')],
            """\
a = [
  "x",
]
""",
            id="the last of a list that ends with a comma",
        ),
    ],
)
def test_commas(old: str, makes: list[Make], new: str) -> None:
    check(old, new, *makes)


def test_plain_lines_go_with_their_comment() -> None:
    check("a:\n  x: 1 # why\n  y: 2\n", "a:\n  y: 2\n", drop("x: 1", PLAIN))
    check('a:\n  x: "1 # 2" # why\n  y: 2\n', "a:\n  y: 2\n", drop('x: "1 # 2"', PLAIN))


def test_a_form_feed_and_its_like_end_no_line() -> None:
    text = 'x = "\f\v\u2028\u0085"\ny = 1\f\nz = 2\n'
    assert compose(text, [drop("z = 2")(text)]) == 'x = "\f\v\u2028\u0085"\ny = 1\f\n'


@pytest.mark.parametrize(
    ("old", "make", "new"),
    [
        pytest.param("a = 1\n  \r  b = 2\nc = 3\n", drop("b = 2"), "a = 1\nc = 3\n", id="before it"),
        pytest.param("a = 1\nb = 2\r # why\nc = 3\n", drop("b = 2"), "a = 1\nc = 3\n", id="behind it"),
        pytest.param("a = 1\r\r b = 2\n", drop("b = 2"), "a = 1\n", id="between two of a line"),
        pytest.param("a = 1\rb = 2\rc = 3\r", drop("b = 2"), "a = 1\rc = 3\r", id="between three of a line"),
        pytest.param('{"a": 1,\r"b": 2\n}', drop('"b": 2', JSON), '{"a": 1\n}', id="behind a comma"),
        pytest.param(
            '{"a": 1 \r\r,\n  "b": 2\n}',
            drop('"b": 2', JSON),
            '{"a": 1 \n}',
            id="before a comma that ends a line",
        ),
        pytest.param('{"a": 1\r, "b": 2}', drop('"b": 2', JSON), '{"a": 1\r}', id="before a comma"),
        pytest.param("init -x\r-y\n", drop("-y", PLAIN), "init -x\n", id="between words"),
    ],
)
def test_a_lone_carriage_return_becomes_no_line_end(old: str, make: Make, new: str) -> None:
    assert compose(old, [make(old)]) == new


PIECES = st.lists(st.sampled_from(["\r", "\n", "\r\n", " ", ",", "{", "}", "# c", "/*", "*/", "a", '"'])).map(
    "".join
)


@given(PIECES, PIECES, st.sampled_from(Syntax))
def test_no_line_end_is_made_of_what_was_none(ahead: str, behind: str, syntax: Syntax) -> None:
    text = f"{ahead}x=1{behind}"
    after = compose(text, [Drop(Span(len(ahead), len(ahead) + 3), syntax)])
    assert isinstance(after, str)
    assert after.count("\r\n") <= text.count("\r\n")
