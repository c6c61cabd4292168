"""All operations of a text at once."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from migrate.compose import compose
from migrate.text import Conflict, Drop, InsertAfter, Op, Span
from tests.compose.ops import HCL, JSON, Make, after, at, check, drop, inside, replace
from tests.pairs import with_crlf

TEXT = """\
terraform {
  backend "s3" {
    bucket         = "acme-state"
    dynamodb_table = "acme-locks"
  }
}
"""
TABLE = 'dynamodb_table = "acme-locks"'
BUCKET = 'bucket         = "acme-state"'
BLOCK = TEXT[TEXT.index("backend") : TEXT.rindex("\n}")]


@pytest.mark.parametrize(
    ("makes", "new"),
    [
        pytest.param([], TEXT, id="none"),
        pytest.param(
            [after(TABLE, "use_lockfile = true"), drop(TABLE)],
            """\
terraform {
  backend "s3" {
    bucket       = "acme-state"
    use_lockfile = true
  }
}
""",
            id="in place of another",
        ),
        pytest.param(
            [
                replace("acme-locks", "locks"),
                after(TABLE, "b = 2"),
                after(BUCKET, "c = 3"),
            ],
            """\
terraform {
  backend "s3" {
    bucket         = "acme-state"
    c              = 3
    dynamodb_table = "locks"
    b              = 2
  }
}
""",
            id="on all sides",
        ),
        pytest.param(
            [
                drop(TABLE),
                after(BLOCK, "a = 1"),
                inside(BLOCK[BLOCK.index("{") :], "b = 2"),
            ],
            """\
terraform {
  backend "s3" {
    b      = 2
    bucket = "acme-state"
  }
  a = 1
}
""",
            id="about a block and about what it holds",
        ),
        pytest.param(
            [after(BUCKET, "use_lockfile = true"), after(BUCKET, "use_lockfile = true")],
            """\
terraform {
  backend "s3" {
    bucket         = "acme-state"
    use_lockfile   = true
    dynamodb_table = "acme-locks"
  }
}
""",
            id="the same twice",
        ),
    ],
)
def test_together(makes: list[Make], new: str) -> None:
    check(TEXT, new, *makes)


def test_swapping_the_only_argument_of_a_line() -> None:
    old = f'backend "s3" {{ {TABLE} }}\n'
    new = 'backend "s3" {\n  use_lockfile = true\n}\n'
    check(old, new, drop(TABLE), after(TABLE, "use_lockfile = true"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(after(TABLE, "a = 1"), after(TABLE, "b = 1"), id="two lines for one place"),
        pytest.param(replace(TABLE, "a = 1"), replace(TABLE, "b = 1"), id="two texts for one place"),
        pytest.param(replace("acme-locks", "locks"), drop(TABLE), id="a change of what goes"),
        pytest.param(drop(TABLE), drop(BLOCK), id="a part of what goes"),
        pytest.param(drop(BLOCK), after(TABLE, "a = 1"), id="beside what goes"),
        pytest.param(replace(f"{BUCKET}\n    dynamodb", "x"), replace("dynamodb_table", "y"), id="overlap"),
    ],
)
def test_conflicts(one: Make, other: Make) -> None:
    ops = [one(TEXT), other(TEXT)]
    for given_ops in (ops, ops[::-1]):
        conflict = compose(TEXT, given_ops)
        assert isinstance(conflict, Conflict)
        assert {conflict.one, conflict.other} == set(ops)


def test_a_document_within_a_text() -> None:
    old = """\
generate "backend" {
  contents = <<-EOT
    terraform {
      backend "s3" {
        key = "${path_relative_to_include()}/{"
      }
    }
  EOT
  a = 1
}
"""
    body = at(old, old[old.index("    terraform") : old.index("  EOT")])
    made = compose(
        old,
        [
            InsertAfter(
                at(old, old[old.index("key") : old.index("\n      }")]), ("use_lockfile = true",), HCL, body
            )
        ],
    )
    assert made == old.replace('key = "', 'key          = "').replace(
        '/{"\n', '/{"\n        use_lockfile = true\n'
    )


def test_a_document_without_lines_around_it() -> None:
    old = 'x: {"a": 1}\n'
    document = at(old, '{"a": 1}')
    ops: list[Op] = [
        InsertAfter(at(old, '"a": 1'), ('"c": 3',), JSON, document),
    ]
    assert compose(old, ops) == 'x: {"a": 1, "c": 3}\n'


MEMBERS = st.dictionaries(
    st.sampled_from("abcdefgh"), st.integers(0, 99) | st.just({"x": [1, "y"]}), min_size=1
)


@given(MEMBERS, st.data(), st.sampled_from([None, 2, "\t"]), st.booleans())
def test_members_of_json(
    members: dict[str, object], data: st.DataObject, indent: int | str | None, crlf: bool
) -> None:
    """Whatever goes and whatever comes, the text is written as it was."""

    def written(value: object) -> str:
        text = json.dumps(value, indent=indent)
        return with_crlf(text) if crlf else text

    text = written(members)
    gone, beside = (data.draw(st.sets(st.sampled_from(sorted(members)))) for _ in range(2))
    ops: list[Op] = [Drop(member(text, name, members[name]), JSON) for name in gone]
    ops += [InsertAfter(member(text, name, members[name]), (f'"{name}{name}": 1',), JSON) for name in beside]
    wanted: dict[str, object] = {}
    for name, value in members.items():
        wanted |= {name: value} if name not in gone else {}
        wanted |= {name * 2: 1} if name in beside else {}
    assume(wanted)
    assert compose(text, data.draw(st.permutations(ops))) == written(wanted)


def member(text: str, name: str, value: object) -> Span:
    start = text.index(f'"{name}": ')
    value_start = start + len(f'"{name}": ')
    _, end = json.JSONDecoder().raw_decode(text, value_start)
    return Span(start, end)
