"""Whatever stands in a file: every dialect answers, and no edit that its second vote accepts loses a byte."""

from hypothesis import given, settings
from hypothesis import strategies as st

from migrate.compose import compose
from migrate.dialects import DIALECTS, Dialect
from migrate.model import LockWish, Refusal, Site, Source, Suggestion
from migrate.proof import Unproved, prove
from migrate.text import Conflict
from tests.fuzz import mutations
from tests.pairs import block, source

SEEDS = [
    block('bucket = "b"', 'dynamodb_table = "l" # x', "use_lockfile = false"),
    block("key = var.k", 'dynamodb_table = "l"', "use_lockfile = true", 'endpoints = { dynamodb = "d" }'),
    'data "terraform_remote_state" "n" {\n  backend = "s3"\n  config = { dynamodb_table = "l", k = 1 }\n}\n',
    'remote_state {\n  backend = "s3"\n  config = merge({ lock_table = "l" }, { r = <<E\nx\nE\n  })\n}\n',
    """\
locals {
  c = x ? { lock_table = "l" } : local.d
  d = { dynamodb_table = "${a}" }
}
remote_state = {
  backend = "s3"
  config = merge([local.c]...)
}
""",
    """\
generate "a" {
  contents = <<-E
    terraform {
      backend "s3" {
        key = ${k}
        dynamodb_table = "l"
      }
    }
  E
}
""",
    'bucket = "b"\ndynamodb_table = "${x}"\ndynamodb_table_tags = { a : 1 }\n',
    '{"terraform": {"backend": {"s3": {"dynamodb_table": "l", "endpoints": {"dynamodb": "d"}}}}}\n',
    'terraform {\n backend "s3" {\n{% if a %}\n  dynamodb_table = "{{ l }}"\n{% else %}\n  {{ l }}\n }\n}\n',
    "terraform:\n  backend:\n    s3: &a\n      dynamodb_table: 'l' # x\n      <<: *b\n      c: {}\n",
    "backends:\n  s3: {dynamodb_table: l, a: [{}, b]}\nterraform: {backend: {s3: {lock_table: l, a: {}}}}\n",
    'a="terraform {\n  backend \\"s3\\" {\n    dynamodb_table = \\"$t\\"\n  }\n}"\nx -D lock_table="$t"\n',
    'module "a" {\n  source = "./a"\n}\n',
    'i:\n\tinit -backend-config="dynamodb_table=$(T)" \\\n\t -backend-config=key=k # -backend-config=key=l\n',
    "x: [a, -backend-config=dynamodb_table=l, b]\ny:\n- -backend-config='use_lockfile=false'\n- -x\n",
]
SIGNS = [*mutations.SIGNS, "\n", "\r\n", ";", "{%", "%}", "null"]
WHERE = st.integers(0, 200)
CUTS = st.lists(st.tuples(WHERE, st.integers(0, 12), st.sampled_from(["", *SIGNS])), max_size=4)
NAMES = ["a.tf", "a.tf.json", "a.tfbackend", "a.hcl", "a.j2", "a.yml", "a.sh"]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A seed, or two, with a few places cut out or written over."""
    text = "".join(draw(st.lists(st.sampled_from(SEEDS), min_size=1, max_size=2)))
    for at, length, sign in draw(CUTS):
        text = text[:at] + sign + text[at + length :]
    return text


@given(
    text=texts(),
    name=st.sampled_from(NAMES),
    wish=st.sampled_from(LockWish),
    dialect=st.sampled_from(DIALECTS),
)
@settings(max_examples=400)
def test_every_text_has_an_answer(text: str, name: str, wish: LockWish, dialect: Dialect) -> None:
    given_source = source(name, text)
    for site in dialect.find(given_source).items:
        assert given_source.text[site.span.start : site.span.end]
        check_edit(dialect, given_source, site, wish)


def check_edit(dialect: Dialect, before: Source, site: Site, wish: LockWish) -> None:
    answer = dialect.edit({before.path: before}, site, wish)
    if isinstance(answer, Refusal | Suggestion) or not answer:
        return
    after = compose(before.text, answer[before.path])
    assert not isinstance(after, Conflict)
    vote = prove(dialect, before, after, [site], wish)
    if not (isinstance(vote, Unproved) and vote.blocks):
        edited = source(str(before.path), after)
        again = [s for s in dialect.find(edited).items if s.name == site.name and s.line == site.line]
        assert all(dialect.edit({before.path: edited}, s, wish) == {} for s in again)
