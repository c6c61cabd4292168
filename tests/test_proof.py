"""The votes on an edit: what does the wish and nothing else is proved, and each other text is found out."""

from __future__ import annotations

import pytest

from migrate.dialects import Dialect, flags, partial, remote_state, terraform, terraform_json
from migrate.model import LockWish
from migrate.proof import Proof, Unproved, difference, only_grows, prove
from tests.pairs import block, source

BUCKET, TABLE, LOCK = 'bucket = "b"', 'dynamodb_table = "t"', "use_lockfile = true"
NOT_FOUND = "what is found in the edited text is not what was found before, with the wish applied"
ANOTHER = "the second parser sees another difference than the one wished for"


def vote(dialect: Dialect, path: str, before: str, after: str, wish: LockWish) -> str:
    """Why the edit is not proved, empty where it is."""
    given = source(path, before)
    said = prove(dialect, given, after, dialect.find(given).items, wish)
    return said.why if isinstance(said, Unproved) else ""


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (block(BUCKET, TABLE, LOCK), ""),
        (block(BUCKET, TABLE), NOT_FOUND),
        (block(BUCKET, LOCK), NOT_FOUND),
        (block(BUCKET, TABLE, "use_lockfile = false"), NOT_FOUND),
        (block(BUCKET, TABLE, "use_lockfile = var.on"), NOT_FOUND),
        (block(BUCKET, 'dynamodb_table = "u"', LOCK), NOT_FOUND),
        (block('bucket = "c"', TABLE, LOCK), NOT_FOUND),
        (block(BUCKET, TABLE, LOCK, "encrypt = true"), NOT_FOUND),
        (block(BUCKET, TABLE, LOCK) * 2, NOT_FOUND),
        ("", NOT_FOUND),
        (block(BUCKET, TABLE, LOCK, "lock_table {", "}"), ANOTHER),
    ],
)
def test_both_locks(after: str, why: str) -> None:
    assert vote(terraform, "main.tf", block(BUCKET, TABLE), after, LockWish.DUAL) == why


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("use_lockfile = false", LOCK, ""),
        ("use_lockfile = null", LOCK, ""),
        ("use_lockfile = false", "use_lockfile = false", NOT_FOUND),
        ("use_lockfile = false", "", NOT_FOUND),
    ],
)
def test_a_lockfile_that_is_switched_on_in_its_place(before: str, after: str, why: str) -> None:
    given, made = block(BUCKET, TABLE, before), block(BUCKET, TABLE, *filter(None, [after]))
    assert vote(terraform, "main.tf", given, made, LockWish.DUAL) == why


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (block(BUCKET, LOCK), ""),
        (block(BUCKET, TABLE, LOCK), NOT_FOUND),
        (block(BUCKET), NOT_FOUND),
        (block(LOCK), NOT_FOUND),
        (block(BUCKET, "use_lockfile = false"), NOT_FOUND),
    ],
)
def test_the_table_is_given_up(after: str, why: str) -> None:
    assert vote(terraform, "main.tf", block(BUCKET, TABLE, LOCK), after, LockWish.RETIRE) == why


OF_JSON = '{"terraform": {"backend": {"s3": {"bucket": "b", "dynamodb_table": "t"%s}}}%s}\n'
READER = 'data "terraform_remote_state" "n" {\n  backend = "s3"\n  config = { bucket = "b"%s }\n}\n%s'


@pytest.mark.parametrize(
    ("dialect", "path", "before", "after", "wish", "why"),
    [
        (
            terraform_json,
            "a.tf.json",
            OF_JSON % ("", ""),
            OF_JSON % (', "use_lockfile": true', ""),
            "dual",
            "",
        ),
        (
            terraform_json,
            "a.tf.json",
            OF_JSON % ("", ""),
            OF_JSON % (', "use_lockfile": true', ', "locals": {"a": 1}'),
            "dual",
            ANOTHER,
        ),
        (remote_state, "a.tf", READER % (f", {TABLE}", ""), READER % ("", ""), "read", ""),
        (remote_state, "a.tf", READER % (f", {TABLE}", ""), READER % ("", "locals {}\n"), "read", ANOTHER),
        (partial, "a.tfbackend", f"{BUCKET}\n{TABLE}\n", f"{BUCKET}\n{TABLE}\n{LOCK}\n", "dual", ""),
        (
            terraform,
            "a.tf",
            block(BUCKET, TABLE),
            block(BUCKET, TABLE, LOCK) + "locals {}\n",
            "dual",
            ANOTHER,
        ),
        (
            terraform,
            "a.tf",
            "locals {\n  a = 1\n}\n" + block(BUCKET, TABLE),
            "locals {\n  a = 2\n}\n" + block(BUCKET, TABLE, LOCK),
            "dual",
            ANOTHER,
        ),
        (
            terraform,
            "a.tf",
            "locals {\n  a = 1\n}\n" + block(BUCKET, TABLE),
            block(BUCKET, TABLE, LOCK),
            "dual",
            ANOTHER,
        ),
    ],
)
def test_what_no_plug_looks_at_is_seen_by_the_second_parser(
    dialect: Dialect, path: str, before: str, after: str, wish: str, why: str
) -> None:
    assert vote(dialect, path, before, after, {"dual": LockWish.DUAL, "read": LockWish.READ}[wish]) == why


def test_of_two_blocks_only_the_one_that_was_wished_for_may_change() -> None:
    one, other = block(BUCKET, TABLE), READER % (f", {TABLE}", "")
    given = source("a.tf", one + other)
    sites = terraform.find(given).items
    assert isinstance(
        prove(terraform, given, block(BUCKET, TABLE, LOCK) + other, sites, LockWish.DUAL), Proof
    )
    both = block(BUCKET, TABLE, LOCK) + READER % ("", "")
    assert prove(terraform, given, both, sites, LockWish.DUAL) == Unproved(ANOTHER)


MOVED = block(BUCKET, "assume_role = {", '  role_arn = "r"', "}")


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (MOVED, ""),
        (block(BUCKET, "assume_role = {", '  role_arn = "s"', "}"), NOT_FOUND),
        (block(BUCKET), NOT_FOUND),
        (block('bucket = "c"', "assume_role = {", '  role_arn = "r"', "}"), NOT_FOUND),
        (MOVED + "locals {}\n", ANOTHER),
    ],
)
def test_arguments_that_are_moved(after: str, why: str) -> None:
    before = block(BUCKET, 'role_arn = "r"')
    assert vote(terraform, "main.tf", before, after, LockWish.ASSUME) == why


INIT = "terraform init -backend-config=dynamodb_table=t%s -input=false\n"
COUNTED = "neither HCL nor JSON: spans and tokens were counted"
TOKENS = "other tokens have come or gone than those wished for"


@pytest.mark.parametrize(
    ("before", "after", "wish", "why"),
    [
        (INIT % "", INIT % " -backend-config=use_lockfile=true", LockWish.DUAL, COUNTED),
        (INIT % "", INIT % " -backend-config=use_lockfile=false", LockWish.DUAL, NOT_FOUND),
        (INIT % "", INIT % " -backend-config=use_lockfile=true" + "# use_lockfile\n", LockWish.DUAL, TOKENS),
        (
            INIT % "" + "# dynamodb_table\n",
            INIT % " -backend-config=use_lockfile=true",
            LockWish.DUAL,
            TOKENS,
        ),
        (INIT % "", "terraform init -input=false\n", LockWish.RETIRE, COUNTED),
        (INIT % "", "terraform init -input=false\n# use_lockfile\n", LockWish.RETIRE, TOKENS),
        (INIT % "" + "# dynamodb_table\n", "terraform init -input=false\n", LockWish.RETIRE, TOKENS),
    ],
)
def test_flags_are_counted(before: str, after: str, wish: LockWish, why: str) -> None:
    given = source("Makefile", before)
    said = prove(flags, given, after, flags.find(given).items, wish)
    assert said == Unproved(why, blocks=why != COUNTED)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = 1\n", "a = {{ x }\n"),
        ("a = {{ x }\n", "a = 1\n"),
        ("a = = 1\n", "a = = 2\n"),
        ("{% if x %}\na = 1\n{% endif %}\n", "{% if y %}\na = 2\n{% endif %}\n"),
    ],
)
def test_a_text_that_the_second_parser_does_not_read_is_no_vote(before: str, after: str) -> None:
    assert difference(source("a.tf", before), after) == Unproved("the second parser does not read this file")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a = 1\n", "a = 1 # one\n", Proof({}, {}, {})),
        ("", "a = 1\n", Proof({"a": "1"}, {}, {})),
        ("a = 1\nb = 2\n", "a = 3\nc = 2\n", Proof({"c": "2"}, {"b": "2"}, {"a": ("1", "3")})),
        (
            "{% if x %}\na = 1\n{% endif %}\n",
            "{% if x %}\na = 2\n{% endif %}\n",
            Proof({}, {}, {"a": ("1", "2")}),
        ),
    ],
)
def test_what_differs_is_told_by_its_path(before: str, after: str, expected: Proof) -> None:
    assert difference(source("a.tf", before), after) == expected


@pytest.mark.parametrize(
    ("less", "more", "grows"),
    [
        ('a = ["x"]', 'a = ["x", "y"]', True),
        ('a = ["x"]', 'a = ["y", "x"]', True),
        ('a = ["x", "x"]', 'a = ["x"]', False),
        ('a = ["x"]', 'a = ["y"]', False),
        ('a = "x"', 'a = "x y"', True),
        ('a = "x y"', 'a = "y x"', False),
        ('a = "x"', 'b = "x"', False),
        ('a = "x"', 'a = "x"\nb = "y"', True),
    ],
)
def test_what_only_grows_keeps_every_value(less: str, more: str, grows: bool) -> None:
    assert only_grows(source("a.tf", f"locals {{\n{less}\n}}\n"), f"locals {{\n{more}\n}}\n") is grows


def test_what_differs_is_told_in_the_order_of_the_text() -> None:
    names = [f"name{at}" for at in range(9, 0, -1)]
    before, after = ("".join(f'  {name} = "{text}"\n' for name in names) for text in ("a", "b"))
    proof = difference(source("a.tf", f"locals {{\n{before}}}\n"), f"locals {{\n{after}}}\n")
    assert isinstance(proof, Proof)
    assert [path.rpartition(".")[2] for path in proof.changed] == names
