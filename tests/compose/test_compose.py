"""Operations side by side with what they make of a text."""

import pytest

from migrate.compose import compose
from migrate.text import Conflict, Drop, InsertAfter, Span, Syntax

HCL, JSON, PLAIN = Syntax.HCL, Syntax.JSON, Syntax.PLAIN


def at(text: str, thing: str) -> Span:
    start = text.index(thing)
    return Span(start, start + len(thing))


def after(text: str, thing: str, *lines: str, syntax: Syntax = HCL) -> str | Conflict:
    return compose(text, [InsertAfter(at(text, thing), lines, syntax)])


def without(text: str, *things: str, syntax: Syntax = HCL) -> str | Conflict:
    return compose(text, [Drop(at(text, thing), syntax) for thing in things])


LOCKFILE = "use_lockfile = true"
TABLE = 'dynamodb_table = "acme-locks"'


@pytest.mark.parametrize(
    ("before", "thing", "expected"),
    [
        pytest.param(
            """\
  backend "s3" {
    bucket         = "acme-state"
    dynamodb_table = "acme-locks" # shared
    key            = "net"
  }
""",
            TABLE,
            """\
  backend "s3" {
    bucket         = "acme-state"
    dynamodb_table = "acme-locks" # shared
    use_lockfile   = true
    key            = "net"
  }
""",
            id="no other line moves beside the longest name",
        ),
        pytest.param(
            """\
    bucket = "acme-state"
    key    = "net"
""",
            'key    = "net"',
            """\
    bucket       = "acme-state"
    key          = "net"
    use_lockfile = true
""",
            id="a longer name moves its group",
        ),
        pytest.param(
            """\
    bucket = "acme-state"
    key = "net"
""",
            'key = "net"',
            """\
    bucket = "acme-state"
    key = "net"
    use_lockfile = true
""",
            id="what was not aligned is left alone",
        ),
        pytest.param(
            """\
backend "s3" { key = "net" } # note
""",
            'key = "net"',
            """\
backend "s3" {
  key          = "net"
  use_lockfile = true
} # note
""",
            id="a one-line block opens up",
        ),
        pytest.param(
            """\
\tterraform {
\t\tbackend s3 {key = "net"}
\t}
""",
            'key = "net"',
            """\
\tterraform {
\t\tbackend s3 {
\t\t\tkey          = "net"
\t\t\tuse_lockfile = true
\t\t}
\t}
""",
            id="a one-line block opens up by the step of its surroundings",
        ),
        pytest.param(
            """\
config = prod ? { bucket = "p", dynamodb_table = "acme-locks" } : {}
""",
            TABLE,
            """\
config = prod ? { bucket = "p", dynamodb_table = "acme-locks", use_lockfile = true } : {}
""",
            id="a one-line object stays on its line",
        ),
        pytest.param(
            """\
config = {
  bucket         = "p",
  dynamodb_table = "acme-locks", # shared
}
""",
            TABLE,
            """\
config = {
  bucket         = "p",
  dynamodb_table = "acme-locks", # shared
  use_lockfile   = true,
}
""",
            id="commas go on",
        ),
        pytest.param(
            """\
config = {
  bucket         = "p",
  dynamodb_table = "acme-locks" # shared
}
""",
            TABLE,
            """\
config = {
  bucket         = "p",
  dynamodb_table = "acme-locks", # shared
  use_lockfile   = true
}
""",
            id="no comma after the last",
        ),
        pytest.param(
            'dynamodb_table = "acme-locks"',
            TABLE,
            'dynamodb_table = "acme-locks"\nuse_lockfile   = true',
            id="no line end",
        ),
        pytest.param(
            "a = 1\r\n" + TABLE,
            TABLE,
            "a = 1\r\n" + TABLE + "\r\nuse_lockfile = true",
            id="no line end, CRLF, not aligned",
        ),
        pytest.param(
            '\ufeffkey = "net"\r\n',
            'key = "net"',
            '\ufeffkey          = "net"\r\nuse_lockfile = true\r\n',
            id="BOM, CRLF",
        ),
        pytest.param(
            'a = 1\r\nkey = "net"\nb = 2\r\n',
            'key = "net"',
            'a = 1\r\nkey = "net"\nuse_lockfile = true\nb = 2\r\n',
            id="mixed",
        ),
    ],
)
def test_insert_after(before: str, thing: str, expected: str) -> None:
    assert after(before, thing, LOCKFILE) == expected
