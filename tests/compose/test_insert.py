"""What is added stands on lines of its own, as its neighbours do, or goes on in a line that goes on."""

import pytest

from migrate.compose import compose
from tests.compose.ops import JSON, PLAIN, Make, after, check, inside

LOCKFILE = "use_lockfile = true"
TABLE = 'dynamodb_table = "acme-locks"'


@pytest.mark.parametrize(
    ("old", "make", "new"),
    [
        pytest.param(
            """\
  backend "s3" {
    bucket         = "acme-state"
    dynamodb_table = "acme-locks" # shared
    key            = "net"
  }
""",
            after(TABLE, LOCKFILE),
            """\
  backend "s3" {
    bucket         = "acme-state"
    dynamodb_table = "acme-locks" # shared
    use_lockfile   = true
    key            = "net"
  }
""",
            id="one added line",
        ),
        pytest.param(
            """\
    bucket = "acme-state"
    endpoints = {
      s3 = "http://localhost"
    }
""",
            after('endpoints = {\n      s3 = "http://localhost"\n    }', LOCKFILE),
            """\
    bucket = "acme-state"
    endpoints = {
      s3 = "http://localhost"
    }
    use_lockfile = true
""",
            id="below all lines of a thing",
        ),
        pytest.param(
            """\
statement {
  a = 1
}
""",
            after("statement {\n  a = 1\n}", "", "statement {", "  b = 2", "}"),
            """\
statement {
  a = 1
}

statement {
  b = 2
}
""",
            id="several lines, one of them blank",
        ),
        pytest.param(
            '# note\n  dynamodb_table = "acme-locks"',
            after(TABLE, LOCKFILE),
            '# note\n  dynamodb_table = "acme-locks"\n  use_lockfile   = true',
            id="no line end before, none after",
        ),
    ],
)
def test_on_lines_of_its_own(old: str, make: Make, new: str) -> None:
    check(old, new, make)


def test_below_a_text_of_one_line() -> None:
    assert compose(TABLE, [after(TABLE, LOCKFILE)(TABLE)]) == f"{TABLE}\nuse_lockfile   = true"


@pytest.mark.parametrize(
    ("old", "make", "new"),
    [
        pytest.param(
            """\
backend "s3" { key = "net" } # note
""",
            after('key = "net"', LOCKFILE),
            """\
backend "s3" {
  key          = "net"
  use_lockfile = true
} # note
""",
            id="beside what it holds",
        ),
        pytest.param(
            """\
\tterraform {
\t\tbackend s3 /* partial */ {key = "net" /* of us */}
\t}
""",
            after('key = "net"', LOCKFILE),
            """\
\tterraform {
\t\tbackend s3 /* partial */ {
\t\t\tkey          = "net" /* of us */
\t\t\tuse_lockfile = true
\t\t}
\t}
""",
            id="indented by the step around it",
        ),
        pytest.param(
            """\
terraform {
    backend "s3" {}
}
""",
            inside("{}", LOCKFILE),
            """\
terraform {
    backend "s3" {
        use_lockfile = true
    }
}
""",
            id="empty",
        ),
        pytest.param(
            """\
backend "s3" { assume_role = {
  role_arn = "acme"
} }
""",
            after('assume_role = {\n  role_arn = "acme"\n}', LOCKFILE),
            """\
backend "s3" {
  assume_role = {
  role_arn = "acme"
}
  use_lockfile = true
}
""",
            id="though what it holds is of several lines",
        ),
        pytest.param(
            """\
terraform { required_version = ">= 1.5" }
""",
            inside('{ required_version = ">= 1.5" }', LOCKFILE, ""),
            """\
terraform {
  use_lockfile = true

  required_version = ">= 1.5"
}
""",
            id="above what it holds",
        ),
    ],
)
def test_a_one_line_block_opens_up(old: str, make: Make, new: str) -> None:
    check(old, new, make)


@pytest.mark.parametrize(
    ("old", "make", "new"),
    [
        pytest.param(
            """\
terraform { # ours

  # note
    backend "s3" {}
}
""",
            inside('{ # ours\n\n  # note\n    backend "s3" {}\n}', 'required_version = ">= 1.11.0"', ""),
            """\
terraform { # ours
    required_version = ">= 1.11.0"


  # note
    backend "s3" {}
}
""",
            id="indented as what comes first",
        ),
        pytest.param("a {\n}\n", inside("{\n}", "b = 1"), "a {\n  b = 1\n}\n", id="empty"),
        pytest.param("a = {}\n", inside("{}", "b = 1"), "a = { b = 1 }\n", id="an empty object"),
        pytest.param("a = {c = 2}\n", inside("{c = 2}", "b = 1"), "a = {b = 1, c = 2}\n", id="an object"),
        pytest.param("a = []\n", inside("[]", "1"), "a = [1]\n", id="an empty list"),
        pytest.param("a = [\n  2,\n]\n", inside("[\n  2,\n]", "1"), "a = [\n  1,\n  2,\n]\n", id="a list"),
        pytest.param(
            '{"a": {}}\n', inside("{}", '"b": 1', syntax=JSON), '{"a": {"b": 1}}\n', id="JSON, empty"
        ),
        pytest.param(
            '{\n  "a": 1\n}\n',
            inside('{\n  "a": 1\n}', '"b": 1', syntax=JSON),
            '{\n  "b": 1,\n  "a": 1\n}\n',
            id="JSON",
        ),
    ],
)
def test_first_in_brackets(old: str, make: Make, new: str) -> None:
    check(old, new, make)


@pytest.mark.parametrize(
    ("old", "make", "new"),
    [
        pytest.param(
            'a = prod ? { dynamodb_table = "acme-locks" } : {}\n',
            after(TABLE, LOCKFILE),
            'a = prod ? { dynamodb_table = "acme-locks", use_lockfile = true } : {}\n',
            id="after the only one",
        ),
        pytest.param('a = ["x", "y"]\n', after('"x"', '"z"'), 'a = ["x", "z", "y"]\n', id="after one"),
        pytest.param(
            '{"a": 1}', after('"a": 1', '"b": 2', syntax=JSON), '{"a": 1, "b": 2}', id="a member of JSON"
        ),
        pytest.param(
            "a = { x = 1,\n  y = 2\n}\n",
            after("x = 1", "z = 3"),
            "a = { x = 1, z = 3,\n  y = 2\n}\n",
            id="mixed",
        ),
        pytest.param(
            "a = [\n  1, 2,\n  3, 4,\n]\n",
            after("3", "0"),
            "a = [\n  1, 2,\n  3, 0, 4,\n]\n",
            id="in a matrix",
        ),
    ],
)
def test_a_line_that_goes_on(old: str, make: Make, new: str) -> None:
    check(old, new, make)


@pytest.mark.parametrize(
    ("old", "make", "new"),
    [
        pytest.param(
            """\
config = {
  bucket         = "acme-state",
  dynamodb_table = "acme-locks", # shared
}
""",
            after(TABLE, LOCKFILE),
            """\
config = {
  bucket         = "acme-state",
  dynamodb_table = "acme-locks", # shared
  use_lockfile   = true,
}
""",
            id="go on",
        ),
        pytest.param(
            """\
config = {
  bucket         = "acme-state",
  dynamodb_table = "acme-locks" # shared
}
""",
            after(TABLE, LOCKFILE),
            """\
config = {
  bucket         = "acme-state",
  dynamodb_table = "acme-locks" # shared
  use_lockfile   = true
}
""",
            id="none behind the last: its line stays",
        ),
        pytest.param(
            """\
config = {
  dynamodb_table = "acme-locks"
}
""",
            after(TABLE, LOCKFILE),
            """\
config = {
  dynamodb_table = "acme-locks"
  use_lockfile   = true
}
""",
            id="none where line ends part",
        ),
        pytest.param('a = [\n  "x"\n]\n', after('"x"', '"y"'), 'a = [\n  "x",\n  "y"\n]\n', id="in a list"),
        pytest.param(
            '{\n  "a": 1\n}\n',
            after('"a": 1', '"b": {', '  "c": 2', "}", syntax=JSON),
            '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}\n',
            id="in JSON",
        ),
        pytest.param(
            '{\n  "a": "${x}",\n  "b": 2\n}\n',
            after('"a": "${x}"', '"c": 3', syntax=JSON),
            '{\n  "a": "${x}",\n  "c": 3,\n  "b": 2\n}\n',
            id="in JSON, between",
        ),
        pytest.param(
            '{\n  "a": 1\n  , "b": 2\n}\n',
            after('"a": 1', '"c": 3', syntax=JSON),
            '{\n  "a": 1,\n  "c": 3\n  , "b": 2\n}\n',
            id="in front of lines",
        ),
    ],
)
def test_commas(old: str, make: Make, new: str) -> None:
    check(old, new, make)


def test_plain_lines_have_nothing_but_their_indent() -> None:
    check(
        "init:\n\tterraform init  # note\n",
        "init:\n\tterraform init  # note\n\tterraform plan\n",
        after("terraform init", "terraform plan", syntax=PLAIN),
    )
