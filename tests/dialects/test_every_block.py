"""Whatever a readable block says: what is edited in it is proved, and a refusal is the only other answer."""

from hypothesis import given, settings
from hypothesis import strategies as st

from migrate.dialects import Dialect, partial, remote_state, terraform, terragrunt
from migrate.model import LockWish, Refusal
from migrate.proof import Proof, prove
from tests.pairs import edited, source

STRINGS = [
    '"acme"',
    '"a}b"',
    '"a # b"',
    '"${var.x}-b"',
    "var.x",
    '""',
    "null",
    '"zürich"',
    '"a\\"b"',
    "<<E\n  x\nE",
]
OTHERS = ["5", "true", '["a", "b"]', '{ a = "b", c = 1 }', "{\n  a = 1\n}", "max(1, 2)", 'x ? "a" : "b"']
LOCKS = ["true", "false", "null", '"true"', '"0"', "!false", "var.x"]
ENDPOINTS = [
    '{ dynamodb = "d" }',
    '{ s3 = "s", dynamodb = "d" }',
    '{\n  dynamodb = "d"\n  s3 = "s" # x\n}',
    "{}",
    "var.e",
]
VALUES = {
    "bucket": STRINGS,
    "key": STRINGS,
    "dynamodb_table": STRINGS,
    "dynamodb_endpoint": STRINGS,
    "use_lockfile": LOCKS,
    "endpoints": ENDPOINTS,
    "max_retries": OTHERS,
    "assume_role": OTHERS,
}
TAILS = ["", "", " # a note", " // }", " /* { */"]
GAPS = ["", "# own line", "// } own", "/* over\n   lines */"]


@st.composite
def bodies(draw: st.DrawFn) -> list[str]:
    """The lines of a block in any order, with comments between and behind, spaced in any way."""
    lines = []
    for name in draw(st.permutations(sorted(VALUES)))[: draw(st.integers(0, len(VALUES)))]:
        value = draw(st.sampled_from(VALUES[name]))
        tail = "" if value.startswith("<<") else draw(st.sampled_from(TAILS))
        lines += draw(st.lists(st.sampled_from(GAPS), max_size=1))
        lines.append(f"{name}{' ' * draw(st.integers(0, 3))}= {value}{tail}")
    return lines


FORMS: dict[str, tuple[Dialect, str]] = {
    "a.tf": (terraform, 'terraform {{\n  backend "s3" {{\n{}\n  }}\n}}\n'),
    "b.tf": (
        remote_state,
        'data "terraform_remote_state" "n" {{\n  backend = "s3"\n  config = {{\n{}\n  }}\n}}\n',
    ),
    "a.hcl": (terragrunt, 'remote_state {{\n  backend = "s3"\n  config = {{\n{}\n  }}\n}}\n'),
    "a.tfbackend": (partial, "{}\n"),
}


@given(lines=bodies(), name=st.sampled_from(sorted(FORMS)), wish=st.sampled_from(LockWish))
@settings(max_examples=300)
def test_an_edit_is_proved_or_refused(lines: list[str], name: str, wish: LockWish) -> None:
    dialect, form = FORMS[name]
    before = source(name, form.format("\n".join(lines)))
    found = dialect.find(before)
    assert len(found.items) == 1
    assert found.problems == ()
    after = edited(dialect, before, wish)
    if isinstance(after, str) and after != before.text:
        assert isinstance(prove(dialect, before, after, found.items, wish), Proof)
        assert edited(dialect, source(name, after), wish) == after
    else:
        assert after == before.text or isinstance(after, Refusal)
