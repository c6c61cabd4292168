"""What a phase may change, shown on single edits: the good one, and each way of going too far."""

import pytest

from tests import hashicorp
from tests.corpus.program import Audit, Site
from tests.corpus.sites import site
from tests.corpus.wishes import WISHES, as_joined, unmet

TABLE = 'bucket         = "acme"\ndynamodb_table = "locks"\n'
GRANT = '{\n  "Effect": "Allow",\n  "Resource": "a.tfstate"\n}'
BOTH = 'bucket         = "acme"\ndynamodb_table = "locks"\nuse_lockfile   = true\n'
LOCKFILE = 'bucket       = "acme"\nuse_lockfile = true\n'

ALLOWED = [
    ("iam", f"[\n{GRANT}\n]", f'[\n{GRANT},\n{{\n  "Resource": "a.tfstate.tflock"\n}}\n]', 3),
    ("iam", "statement {\n}\n", "statement {\n}\n\nstatement {\n}\n", 3),
    ("dual-lock", TABLE, BOTH, 1),
    ("dual-lock", "use_lockfile = false\n", "use_lockfile = true\n", 1),
    ("dual-lock", '{ dynamodb_table = "t" }', '{ dynamodb_table = "t", use_lockfile = true }', 1),
    ("dual-lock", "{ dynamodb_table = t }", "{\n  dynamodb_table = t\n  use_lockfile   = true\n}", 1),
    ("dual-lock", 'lock_table = "t"\n', 'lock_table   = "t"\nuse_lockfile = true\n', 1),
    ("adopt", 'bucket = "acme"\n', LOCKFILE, 1),
    ("dual-lock", "- run: terraform init -upgrade\n", "- run: terraform init -reconfigure -upgrade\n", 1),
    ("readers", TABLE, 'bucket = "acme"\n', 1),
    ("retire", BOTH, LOCKFILE, 1),
    ("pin", '  required_version = ">= 1.5"\n', '  required_version = ">= 1.11"\n', 1),
    ("pin", "terraform 1.5.7\n", "terraform 1.11.4\n", 1),
    ("pin", "terraform {\n  backend", 'terraform {\n  required_version = ">= 1.11.0"\n\n  backend', 2),
]

BEYOND = [
    ("iam", GRANT, GRANT.replace("a.tfstate", "*")),
    ("iam", "a = 1\nb = 2\n", "a = 1\n"),
    ("dual-lock", TABLE, BOTH.replace("bucket         =", "bucket =")),
    ("dual-lock", TABLE, BOTH.replace("acme", "acme-2")),
    ("dual-lock", TABLE, TABLE + "\nuse_lockfile = true\n"),
    ("readers", "terraform init\n", "terraform init -reconfigure\n"),
    ("retire", "terraform init\n", "terraform init -reconfigure -upgrade\n"),
    ("readers", TABLE, 'bucket = "acme"\nuse_lockfile = true\n'),
    ("retire", BOTH, 'bucket = "acme"\n'),
    ("pin", '  required_version = ">= 1.5"\n  x = 1\n', '  required_version = ">= 1.11"\n  x = 2\n'),
]


@pytest.mark.parametrize(("phase", "before", "after", "count"), ALLOWED)
def test_an_edit_of_the_phase_is_allowed(phase: str, before: str, after: str, count: int) -> None:
    changes = WISHES[phase].changes(before, after)
    assert [change for change in changes if not WISHES[phase].allows(change)] == []
    assert len(changes) == count


@pytest.mark.parametrize(("phase", "before", "after"), BEYOND)
def test_anything_more_is_not(phase: str, before: str, after: str) -> None:
    changes = WISHES[phase].changes(before, after)
    assert any(not WISHES[phase].allows(change) for change in changes)


def test_a_tree_may_differ_by_the_wish_alone() -> None:
    before: hashicorp.Attributes = {"bucket": "acme", "dynamodb_table": "locks"}
    assert list(WISHES["dual-lock"].beyond({"s3": [before]}, {"s3": [before | {"use_lockfile": True}]})) == []
    assert list(WISHES["dual-lock"].beyond({"s3": [before]}, {"s3": [{"bucket": "acme"}]})) == [
        "s3.0.dynamodb_table"
    ]


@pytest.mark.parametrize("name", ["atlantis_terraform_version", "tofu_version"])
def test_an_argument_that_chooses_a_release_may_be_set_and_no_other(name: str) -> None:
    before: hashicorp.Attributes = {name: "0.12.9001", "name": "0.12"}
    raised, strayed = before | {name: "1.11.4"}, before | {"name": "1.11"}
    assert list(WISHES["pin"].beyond({"locals": [before]}, {"locals": [raised]})) == []
    assert list(WISHES["pin"].beyond({"locals": [before]}, {"locals": [strayed]})) == ["locals.0.name"]


def test_a_text_may_differ_by_the_wish_alone() -> None:
    before = '${merge({ dynamodb_table = "locks" }, local.more)}'
    after = '${merge({ dynamodb_table = "locks", use_lockfile = true }, local.more)}'
    assert list(WISHES["dual-lock"].beyond({"config": before}, {"config": after})) == []
    assert list(WISHES["dual-lock"].beyond({"config": before}, {"config": "${local.more}"})) == ["config"]


def test_a_policy_may_grow_wherever_it_grows_and_lose_nothing() -> None:
    one: hashicorp.Tree = {"actions": ["s3:PutObject"]}
    two: hashicorp.Tree = {"actions": ["s3:GetObject"]}
    grown: hashicorp.Attributes = {"statement": [two, one, {"actions": ["s3:DeleteObject"]}]}
    assert list(WISHES["iam"].beyond({"statement": [one, two]}, grown)) == []
    assert list(WISHES["iam"].beyond({"statement": [one, two]}, {"statement": [one]})) == [
        "statement.actions"
    ]
    assert list(WISHES["iam"].beyond({"policy": "{\n  a\n}"}, {"policy": "{\n  a,\n  b\n}"})) == []
    assert list(WISHES["iam"].beyond({"policy": "{\n  a\n}"}, {"policy": "{\n  b\n}"})) == ["policy"]


@pytest.mark.parametrize(
    ("phase", "role", "lock", "table", "expected"),
    [
        ("dual-lock", "writer", "table", "locks", True),
        ("dual-lock", "writer", "both", "locks", False),
        ("dual-lock", "writer", "none", None, False),
        ("adopt", "writer", "none", None, False),
        ("retire", "partial", "table", "locks", True),
        ("retire", "reader", "table", "locks", False),
        ("readers", "reader", "table", "locks", True),
    ],
)
def test_what_a_phase_is_to_change(
    phase: str, role: str, lock: str, table: str | None, expected: bool
) -> None:
    assert unmet(phase, site(role, lock=lock, table=table)) is expected


def test_who_takes_no_lock_adopts_one_where_the_bucket_is_named() -> None:
    assert unmet("adopt", site("partial", lock="none", bucket="acme-state"))
    assert not unmet("adopt", site("partial", lock="table", bucket="acme-state"))
    of_no_state: Site = {**site("flag", lock="none", bucket="acme-state"), "states": []}
    assert not unmet("adopt", of_no_state)


@pytest.mark.parametrize(
    ("phase", "role", "lock", "led", "concerned"),
    [
        ("adopt", "flag", "none", "none", True),
        ("adopt", "flag", "none", "lockfile", False),
        ("adopt", "partial", "none", "none", True),
        ("adopt", "partial", "none", "lockfile", False),
        ("dual-lock", "flag", "table", "both", True),
        ("dual-lock", "partial", "table", "table", True),
        ("dual-lock", "partial", "table", "both", False),
        ("dual-lock", "partial", "table", "unknown", True),
    ],
)
def test_what_stands_beside_a_block_has_the_lock_of_both(
    phase: str, role: str, lock: str, led: str, concerned: bool
) -> None:
    one = site(role, lock=lock, bucket="acme-state", table="locks" if lock == "table" else None)
    audit: Audit = {
        "summary": {},
        "states": [{"id": one["states"][0], "lock": led}],
        "sites": [one],
        "mentions": [],
        "refusals": [],
        "unreadable": [],
    }
    assert [unmet(phase, each) for each in as_joined(audit)] == [concerned]
