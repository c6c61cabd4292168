"""Columns after an edit are those of `terraform fmt`, if they were before it."""

import pytest

from tests.compose.ops import Make, after, check, drop, replace

LOCKFILE = "use_lockfile = true"
TABLE = 'dynamodb_table = "acme-locks"'


@pytest.mark.parametrize(
    ("old", "makes", "new"),
    [
        pytest.param(
            """\
bucket         = "acme-state"
dynamodb_table = "acme-locks"
use_lockfile   = true
""",
            [drop(TABLE)],
            """\
bucket       = "acme-state"
use_lockfile = true
""",
            id="the longest name has gone",
        ),
        pytest.param(
            """\
bucket = "acme-state"
region = "eu-west-1"
""",
            [after('region = "eu-west-1"', LOCKFILE)],
            """\
bucket       = "acme-state"
region       = "eu-west-1"
use_lockfile = true
""",
            id="a longer name has come",
        ),
        pytest.param(
            """\
lock_table = "acme-locks" # shared
key        = "net"
""",
            [replace("lock_table", "dynamodb_table")],
            """\
dynamodb_table = "acme-locks" # shared
key            = "net"
""",
            id="a name has changed",
        ),
        pytest.param(
            """\
a = 1

dynamodb_table = "acme-locks"
# note
b = 2
c {
  d = 3
}
e   = 4
fgh = 5
""",
            [drop("fgh = 5"), after("b = 2", LOCKFILE), after("d = 3", "long = 1")],
            """\
a = 1

dynamodb_table = "acme-locks"
# note
b            = 2
use_lockfile = true
c {
  d    = 3
  long = 1
}
e = 4
""",
            id="blank lines, comments and braces part groups",
        ),
        pytest.param(
            """\
a    = { b = 1 }
cccc = <<EOT
  x = 1
EOT
d    = [for e in f : e if e == "="]
""",
            [drop("cccc = <<EOT\n  x = 1\nEOT")],
            """\
a = { b = 1 }
d = [for e in f : e if e == "="]
""",
            id="a heredoc and what closes what it opens are of the group",
        ),
        pytest.param(
            """\
a = 1
long = {
}
b = 2
""",
            [after("b = 2", "cc = 3"), after("a = 1", "dd = 4")],
            """\
a  = 1
dd = 4
long = {
}
b  = 2
cc = 3
""",
            id="what opens more than it closes is of no group",
        ),
        pytest.param(
            """\
a = 1
long = {
}
bb = 2
""",
            [drop("long = {\n}")],
            """\
a  = 1
bb = 2
""",
            id="two groups have become one",
        ),
        pytest.param(
            """\
a   = 1
bbb = 2
""",
            [after("a   = 1", "c = {", "}")],
            """\
a = 1
c = {
}
bbb = 2
""",
            id="one group has become two",
        ),
        pytest.param(
            """\
/* é */ a = 1
bb        = 2
""",
            [after("bb        = 2", "ccc = 3"), replace("é", "e")],
            """\
/* e */ a = 1
bb        = 2
ccc       = 3
""",
            id="a comment within a line is as wide as it is",
        ),
    ],
)
def test_assignments(old: str, makes: list[Make], new: str) -> None:
    check(old, new, *makes)


@pytest.mark.parametrize(
    ("old", "makes", "new"),
    [
        pytest.param(
            """\
a = "long" # one
b = 2      # two
""",
            [drop('a = "long"')],
            """\
b = 2 # two
""",
            id="the widest line has gone",
        ),
        pytest.param(
            """\
a = false # one
b = 2     # two
""",
            [replace("false", "true")],
            """\
a = true # one
b = 2    # two
""",
            id="a value has changed",
        ),
        pytest.param(
            """\
x {      # one
  a = 1  # two
  b = [  # three
    "c", # four
  ]      // five
}
""",
            [replace('"c"', '"cc"')],
            """\
x {       # one
  a = 1   # two
  b = [   # three
    "cc", # four
  ]       // five
}
""",
            id="lines of every kind are of one chain",
        ),
        pytest.param(
            """\
a              = 1 # one
dynamodb_table = "acme-locks"
b              = 22 # two
ccc            = 3  # three
""",
            [drop(TABLE)],
            """\
a   = 1  # one
b   = 22 # two
ccc = 3  # three
""",
            id="two chains have become one",
        ),
        pytest.param(
            """\
a = 1   # one
b = 222 # two
""",
            [after("a = 1", "c = 3")],
            """\
a = 1 # one
c = 3
b = 222 # two
""",
            id="one chain has become two",
        ),
        pytest.param(
            """\
a = "한e\u0301🏳️‍🌈"  # one
b = "1234" # two
""",
            [replace("1234", "123")],
            """\
a = "한e\u0301🏳️‍🌈" # one
b = "123" # two
""",
            id="a cluster of characters is one column",
        ),
    ],
)
def test_comments(old: str, makes: list[Make], new: str) -> None:
    check(old, new, *makes)


@pytest.mark.parametrize(
    ("old", "makes", "new"),
    [
        pytest.param(
            """\
bucket = "acme-state"
dynamodb_table = "acme-locks"
""",
            [after(TABLE, LOCKFILE)],
            """\
bucket = "acme-state"
dynamodb_table = "acme-locks"
use_lockfile = true
""",
            id="not in columns",
        ),
        pytest.param(
            """\
bucket\t= "acme-state"
dynamodb_table\t= "acme-locks"
key\t= "net"
""",
            [drop('dynamodb_table\t= "acme-locks"')],
            """\
bucket\t= "acme-state"
key\t= "net"
""",
            id="tabs",
        ),
        pytest.param(
            """\
a = 1
long = {
}
b   = 2
""",
            [drop("long = {\n}")],
            """\
a = 1
b   = 2
""",
            id="one of two groups that become one",
        ),
        pytest.param(
            """\
bucket         = "acme-state"  # one
dynamodb_table = "acme-locks" # two
""",
            [drop(TABLE)],
            """\
bucket = "acme-state"  # one
""",
            id="comments, though the rest is",
        ),
    ],
)
def test_leaves_alone_what_was_not_aligned(old: str, makes: list[Make], new: str) -> None:
    check(old, new, *makes)
