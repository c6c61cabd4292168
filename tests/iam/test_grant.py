"""The least statements to add, and that they add exactly the lock."""

import pytest
from msgspec.structs import replace

from migrate.iam.address import Address
from migrate.iam.glob import Hole
from migrate.iam.grant import Hold, least
from migrate.iam.policy import Element, Policy, Statement, Word
from migrate.iam.target import TRIO, Grant, Scope, Target
from tests.iam.policies import CI, LOCK, STATE, Json, allow, deny, document

STATE_OF_NET = Target(Address("acme-state", "net/terraform.tfstate"))
WISH = Grant((STATE_OF_NET,))
GET, PUT, DELETE = TRIO
ALL = "arn:aws:s3:::acme-state/*"
LOCKS = "arn:aws:s3:::acme-state/*.tflock"
WORKSPACES = "arn:aws:s3:::acme-state/env:/*/net/terraform.tfstate"


def added(policy: Policy, wish: Grant = WISH) -> list[tuple[list[str], list[str]]]:
    """Actions and resources of each statement to add."""
    found = least(policy, wish)
    assert not isinstance(found, Hold), found.why
    return [(_words(one.statement.actions.words), resources(one.statement)) for one in found]


def resources(statement: Statement) -> list[str]:
    assert statement.resources
    return _words(statement.resources.words)


def _words(words: tuple[Word, ...]) -> list[str]:
    return [str(word) for word in words]


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        # as wide as the state's own grant
        ([allow([GET, PUT], STATE)], [([GET, PUT, DELETE], [LOCK])]),
        ([allow([GET, PUT], ALL)], [([DELETE], [LOCKS])]),
        # in the workspaces that the policy itself tells of
        ([allow([GET, PUT], WORKSPACES)], [([GET, PUT, DELETE], [f"{WORKSPACES}.tflock"])]),
        (
            [allow([GET, PUT, DELETE], "arn:aws:s3:::acme-state/*.tfstate")],
            [([GET, PUT, DELETE], ["arn:aws:s3:::acme-state/*.tfstate.tflock"])],
        ),
        ([allow([GET, PUT], f"{STATE}*")], [([DELETE], [f"{STATE}*.tflock"])]),
        (
            [allow([GET, PUT], "arn:aws:s3:::acme-*/net/*")],
            [([DELETE], ["arn:aws:s3:::acme-*/net/*.tflock"])],
        ),
        (
            [allow([GET, PUT], "arn:aws:s3:::acme-state/${aws:PrincipalTag/team}/*")],
            [([DELETE], ["arn:aws:s3:::acme-state/${aws:PrincipalTag/team}/*.tflock"])],
        ),
        (
            [allow([GET, PUT], ["arn:aws:s3:::acme-state", STATE, "arn:aws:s3:::acme-state/app/*"])],
            [([GET, PUT, DELETE], [LOCK])],
        ),
        ([allow("s3:PutObject", STATE), allow("s3:GetObject", ALL)], [([PUT, DELETE], [LOCK])]),
        ([allow([GET, PUT], [STATE, ALL])], [([DELETE], [LOCKS])]),
        # a pattern without a bucket is bounded to the state's
        ([allow([GET, PUT], "*")], [([DELETE], [LOCKS])]),
        ([allow([GET, PUT], "arn:aws:s3:::*")], [([DELETE], [LOCKS])]),
        (
            [{"Effect": "Allow", "Action": [GET, PUT], "NotResource": "arn:aws:s3:::acme-audit/*"}],
            [([DELETE], [LOCK])],
        ),
        # nothing is missing
        ([allow("s3:*", "*")], []),
        ([allow([GET, PUT], STATE), allow([GET, PUT, DELETE], f"{STATE}.tflock")], []),
        ([allow([GET, PUT], STATE), allow([GET, PUT], ALL), allow("s3:Delete*", LOCKS)], []),
        ([allow([GET, PUT], STATE), {"Effect": "Allow", "NotAction": "iam:*", "NotResource": STATE}], []),
        # nobody here writes this state
        ([allow("s3:GetObject", STATE)], []),
        ([allow([GET, PUT], "arn:aws:s3:::acme-state/app/*")], []),
        ([allow([GET, PUT], "arn:aws:s3:::acme-other/*")], []),
        ([deny([GET, PUT], ALL)], []),
        # who locks in the table needs the lock object
        (
            [allow("s3:GetObject", STATE), allow(["dynamodb:PutItem", "dynamodb:DeleteItem"])],
            [([GET, PUT, DELETE], [LOCK])],
        ),
        ([allow("s3:GetObject", STATE), allow("dynamodb:GetItem")], []),
    ],
)
def test_the_least_statements_to_add(
    statements: list[Json], expected: list[tuple[list[str], list[str]]]
) -> None:
    assert added(document(*statements)) == expected


VPCE: Json = {"StringEquals": {"aws:SourceVpce": "vpce-1"}}
SSE: Json = {
    "StringEquals": {"s3:x-amz-server-side-encryption": "AES256"},
    "Bool": {"aws:SecureTransport": "true"},
}


def test_conditions_and_callers_are_those_of_the_state() -> None:
    policy = document(allow([GET, PUT], STATE, Condition=VPCE, Principal={"AWS": CI}))
    found = least(policy, WISH)
    assert not isinstance(found, Hold)
    (one,) = found
    assert one.after == policy.statements[0]
    assert (one.statement.conditions, one.statement.principals) == (
        one.after.conditions,
        one.after.principals,
    )


def test_a_condition_that_only_a_put_can_meet_splits_the_grant() -> None:
    found = least(document(allow([GET, PUT], STATE, Condition=SSE)), WISH)
    assert not isinstance(found, Hold)
    put, release = (one.statement for one in found)
    assert (put.sid, _words(put.actions.words)) == ("TerraformStateLockFile", [PUT])
    assert [one.key for one in put.conditions] == ["s3:x-amz-server-side-encryption", "aws:SecureTransport"]
    assert (release.sid, _words(release.actions.words)) == ("TerraformStateLockFileRelease", [GET, DELETE])
    assert [one.key for one in release.conditions] == ["aws:SecureTransport"]


def test_a_grant_under_a_condition_does_not_stand_in_for_one_without() -> None:
    conditioned = [allow([GET, PUT], STATE), allow([*TRIO], LOCK, Condition=VPCE)]
    assert added(document(*conditioned)) == [([GET, PUT, DELETE], [LOCK])]
    unmet = [allow([GET, PUT], STATE, Condition=SSE), allow([*TRIO], LOCK, Condition=SSE)]
    assert added(document(*unmet)) == [([GET, DELETE], [LOCK])]


def test_a_name_is_never_taken_twice() -> None:
    taken = allow([GET, PUT], STATE, Sid="TerraformStateLockFile")
    found = least(document(taken), WISH)
    assert not isinstance(found, Hold)
    assert [len(one.statement.sid) for one in found] == [len("TerraformStateLockFile") + 6]


def test_nor_by_two_statements_on_the_same_locks() -> None:
    policy = document(
        allow("ec2:*", Sid="TerraformStateLockFile"),
        allow([GET, PUT], STATE),
        allow([GET, PUT], STATE, Condition=VPCE),
        allow([GET, PUT], STATE, Condition={"Bool": {"aws:MultiFactorAuthPresent": "true"}}),
    )
    found = least(policy, WISH)
    assert not isinstance(found, Hold)
    names = [one.statement.sid for one in found]
    assert len(names) == len({*names, "TerraformStateLockFile"}) - 1 == 3


@pytest.mark.parametrize("elsewhere", ["${aws:username}/*", "${aws:PrincipalTag/team}/*"])
def test_what_a_variable_may_come_to_grants_no_lock(elsewhere: str) -> None:
    """The policy of everybody's own folder says nothing of the lock."""
    own = allow(DELETE, f"arn:aws:s3:::acme-state/{elsewhere}")
    assert added(document(allow([GET, PUT], STATE), own)) == [([GET, PUT, DELETE], [LOCK])]


def test_all_but_some_of_a_bucket_grants_a_state_that_is_none_of_these() -> None:
    but = {"Effect": "Allow", "Action": PUT, "NotResource": [WORKSPACES, "arn:aws:s3:::*/*.tflock"]}
    assert added(document(but)) == [([GET, PUT, DELETE], [LOCK])]
    of_it = {**but, "NotResource": [STATE]}
    assert added(document(of_it)) == []


@pytest.mark.parametrize(
    ("scope", "workspaces", "expected"),
    [
        ("exact", False, [LOCK]),
        ("exact", True, [LOCK, "arn:aws:s3:::acme-state/env:/*/net/terraform.tfstate.tflock"]),
        ("prefix", False, ["arn:aws:s3:::acme-state/net/*.tflock"]),
        (
            "prefix",
            True,
            ["arn:aws:s3:::acme-state/net/*.tflock", "arn:aws:s3:::acme-state/env:/*/net/*.tflock"],
        ),
        ("bucket", True, [LOCKS]),
    ],
)
def test_a_scope_of_its_own(scope: Scope, workspaces: bool, expected: list[str]) -> None:
    wish = Grant((replace(STATE_OF_NET, workspaces=workspaces),), scope)
    assert added(document(allow([GET, PUT], STATE)), wish) == [([GET, PUT, DELETE], expected)]


def test_signs_of_a_key_that_a_policy_takes_for_more_are_escaped() -> None:
    wish = Grant((Target(Address("acme-state", "net/*/a?")),), "exact")
    assert added(document(allow([GET, PUT], ALL)), wish) == [
        ([DELETE], ["arn:aws:s3:::acme-state/net/${*}/a${?}.tflock"])
    ]


def test_several_states_share_a_statement() -> None:
    app = Target(Address("acme-state", "app/terraform.tfstate"))
    policy = document(allow([GET, PUT], [STATE, STATE.replace("net", "app")]))
    assert added(policy, Grant((STATE_OF_NET, app))) == [
        ([GET, PUT, DELETE], [LOCK, LOCK.replace("net", "app")])
    ]


def test_one_pattern_for_states_that_need_more_and_less_has_one_statement() -> None:
    plain, with_acl = STATE_OF_NET, replace(STATE_OF_NET, actions=(*TRIO, "s3:PutObjectAcl"))
    for wish in (Grant((plain, with_acl)), Grant((with_acl, plain))):
        assert added(document(allow([GET, PUT], ALL)), wish) == [([DELETE, "s3:PutObjectAcl"], [LOCKS])]


def test_what_the_backend_sends_beside_is_granted_too() -> None:
    wish = Grant((replace(STATE_OF_NET, actions=(GET, PUT, DELETE, "s3:PutObjectAcl")),))
    assert added(document(allow([GET, PUT], ALL)), wish) == [([DELETE, "s3:PutObjectAcl"], [LOCKS])]


def with_hole(statement: Json, *parts: str | Hole) -> Policy:
    policy = document(statement)
    (one,) = policy.statements
    assert one.resources
    words = (*one.resources.words[1:], Word(parts))
    return replace(policy, statements=(replace(one, resources=replace(one.resources, words=words)),))


BUCKET = Hole("${aws_s3_bucket.state.arn}")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((BUCKET, "/net/terraform.tfstate"), ["${aws_s3_bucket.state.arn}/net/terraform.tfstate.tflock"]),
        (
            ("arn:", Hole("${local.partition}"), ":s3:::acme-state/*"),
            ["arn:${local.partition}:s3:::acme-state/*.tflock"],
        ),
        (
            ("arn:aws:s3:::acme-state/", Hole("${var.team}"), "/*"),
            ["arn:aws:s3:::acme-state/${var.team}/*.tflock"],
        ),
        ((BUCKET, "/*"), ["${aws_s3_bucket.state.arn}/*.tflock"]),
        ((BUCKET, "/app/terraform.tfstate"), []),
        ((Hole("${var.bucket}"), "/net/terraform.tfstate"), ["${var.bucket}/net/terraform.tfstate.tflock"]),
        ((Hole("${var.bucket}"), "/*"), []),
        (("arn:aws:s3:::", Hole("${var.bucket}"), "/*"), []),
        (("arn:aws:s3:::", Hole("${var.bucket}")), []),
        ((BUCKET,), []),
    ],
)
def test_an_expression_of_the_source_stays_as_it_is(
    parts: tuple[str | Hole, ...], expected: list[str]
) -> None:
    policy = with_hole(allow([GET, PUT], ["", "arn:aws:s3:::x"]), *parts)
    assert [resource for _, resources in added(policy) for resource in resources] == expected


TABLE = "arn:aws:dynamodb:eu-west-1:111122223333:table/acme-locks"


def test_beside_the_table_an_expression_is_taken_for_the_bucket_and_it_is_told() -> None:
    policy = with_hole(allow([GET, PUT, "dynamodb:*"], ["", TABLE]), Hole("${var.bucket}"), "/*")
    found = least(policy, WISH)
    assert not isinstance(found, Hold)
    assert [(resources(one.statement), one.assumed) for one in found] == [
        (["${var.bucket}/*.tflock"], ("${var.bucket}",))
    ]


@pytest.mark.parametrize(
    ("tables", "dynamodb", "expected"),
    [
        ((), TABLE, [LOCKS]),
        ((), TABLE.replace("acme-locks", "acme-orders"), []),
        ((), TABLE.replace("acme-locks", "acme-blocked"), []),
        (("acme-orders",), TABLE.replace("acme-locks", "acme-orders"), [LOCKS]),
        (("acme-orders",), TABLE.replace("acme-locks", "*"), [LOCKS]),
        ((), "*", []),
    ],
)
def test_a_policy_that_names_a_lock_table_tells_of_its_states_itself(
    tables: tuple[str, ...], dynamodb: str, expected: list[str]
) -> None:
    policy = document(
        allow([GET, PUT], ["arn:aws:s3:::acme-state", ALL]),
        allow(["dynamodb:PutItem", "dynamodb:DeleteItem"], dynamodb),
    )
    wish = Grant((Target(None),), tables=tables)
    assert [resource for _, found in added(policy, wish) for resource in found] == expected


@pytest.mark.parametrize("begins", ["", "arn:aws:dynamodb:eu-west-1:111122223333:table/"])
def test_an_expression_for_a_table_is_no_lock_table_because_one_is_known(begins: str) -> None:
    bucket, table = Hole("${local.bucket_arn}"), Hole("${local.dynamodb_table}")
    policy = document(allow([GET, PUT], "state"), allow(["dynamodb:PutItem", "dynamodb:DeleteItem"], "table"))
    words = (Word((bucket, "/*")), Word((begins, table) if begins else (table,)))
    told = zip(policy.statements, words, strict=True)
    of_source = Policy(tuple(replace(one, resources=Element((word,))) for one, word in told))
    assert added(of_source, Grant((STATE_OF_NET,), tables=("acme-locks",))) == []


def test_the_lock_of_a_list_that_an_expression_makes_is_no_state_itself() -> None:
    keys = Hole("${[for key in local.keys : key]}", several=True)
    policy = with_hole(allow([GET, PUT, "dynamodb:*"], ["", TABLE]), keys)
    found = least(policy, Grant((Target(None),)))
    assert not isinstance(found, Hold)
    assert [resources(one.statement) for one in found] == [[f"{keys.symbol}.tflock"]]
    more = replace(policy, statements=(*policy.statements, *(one.statement for one in found)))
    assert least(more, Grant((Target(None),))) == ()


def test_no_thing_but_an_object_gets_a_lock() -> None:
    others = [TABLE, "arn:aws:kms:eu-west-1:1:key/1", "arn:aws:s3:::acme-state", "*"]
    policy = with_hole(
        allow([GET, PUT, "dynamodb:*"], ["", *others]), Hole("${aws_dynamodb_table.locks.arn}")
    )
    assert added(policy, Grant((Target(None),))) == []


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        (
            document(allow([GET, PUT], ALL), deny(DELETE, ALL)),
            f"it denies the lock {LOCKS}, and a further Allow cannot help",
        ),
        (
            document(allow([GET, PUT], ALL), deny("s3:Delete*", ALL, Condition=VPCE)),
            f"it denies the lock {LOCKS}, and a further Allow cannot help",
        ),
        (
            document(
                allow([GET, PUT], STATE), {"Effect": "Deny", "Action": "s3:Get*", "NotResource": [STATE, "x"]}
            ),
            f"it denies the lock {LOCK}, and a further Allow cannot help",
        ),
        (
            document(
                allow([GET, PUT], "*"),
                {"Effect": "Deny", "Action": PUT, "NotResource": "*/*.tfstate", "Condition": VPCE},
            ),
            f"it denies the lock {LOCKS}, and a further Allow cannot help",
        ),
        (
            document(allow([GET, PUT], STATE, Condition={"StringEquals": {"s3:ExistingObjectTag/a": "b"}})),
            "its condition on s3:ExistingObjectTag/a cannot be met: no request for a lock has it",
        ),
        (
            document(allow([GET, PUT], STATE, Condition={"StringLike": {"s3:prefix": "net/*"}})),
            "its condition on s3:prefix cannot be met: no request for a lock has it",
        ),
        (
            document(allow([GET, PUT], "arn:aws:s3:::acme-state/*t" + "?" * 14 + "*")),
            "its patterns are too tangled to compare",
        ),
    ],
)
def test_where_a_statement_would_not_help_the_reason_is_told(policy: Policy, why: str) -> None:
    found = least(policy, WISH)
    assert isinstance(found, Hold)
    assert found.why == why


@pytest.mark.parametrize(
    "statements",
    [
        [allow([GET, PUT], ALL), deny("s3:*", "*", Condition={"Bool": {"aws:SecureTransport": "false"}})],
        [allow([GET, PUT], ALL), deny("s3:*", "arn:aws:s3:::acme-audit/*")],
        [allow([GET, PUT], ALL), deny("ec2:*")],
    ],
)
def test_a_deny_that_meets_the_state_alike_or_not_at_all_is_none_of_ours(statements: list[Json]) -> None:
    assert added(document(*statements)) == [([DELETE], [LOCKS])]
