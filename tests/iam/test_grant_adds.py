"""Random policies, with every element, condition and variable: a grant adds exactly the lock."""

from collections.abc import Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from migrate.iam.address import Address
from migrate.iam.glob import exact
from migrate.iam.grant import Hold, least
from migrate.iam.judge import Answer, Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.locks import Class, lock_verdict
from migrate.iam.question import Question
from migrate.iam.request import Absence, Caller, Request, Value
from migrate.iam.target import TRIO, Grant, Scope, Target
from tests.iam.policies import ACCOUNT, CI, Json, document
from tests.iam.test_grant import SSE, VPCE

GET, PUT, DELETE = TRIO
BUCKET_ARN = "arn:aws:s3:::b/"
actions = st.lists(st.sampled_from([*TRIO, "s3:*", "s3:Put*", "s3:ListBucket"]), min_size=1, max_size=3)
patterns = st.sampled_from(
    [
        "*",
        "b/*",
        "b/a",
        "b/a*",
        "b/?",
        "b/*.tflock",
        "b/a.tflock",
        "b/*/a",
        "c/*",
        "b/${aws:username}*",
        "b/${*}",
    ]
).map(lambda text: text if text == "*" else f"arn:aws:s3:::{text}")
conditions = st.sampled_from([{}, {}, {"Condition": VPCE}, {"Condition": SSE}])
statements = st.builds(
    lambda effect, action, on, resource, more: {"Effect": effect, "Action": action, on: resource, **more},
    st.sampled_from(["Allow", "Allow", "Allow", "Deny"]),
    actions,
    st.sampled_from(["Resource"] * 5 + ["NotResource"]),
    st.lists(patterns, min_size=1, max_size=2),
    conditions,
)
TARGET = Target(Address("b", "a"))
CONTEXTS: Sequence[Mapping[str, Value]] = [
    {},
    {"aws:sourcevpce": ("vpce-1",)},
    {"aws:securetransport": ("true",), "s3:x-amz-server-side-encryption": ("AES256",)},
    {
        "aws:sourcevpce": ("vpce-1",),
        "aws:securetransport": ("true",),
        "s3:x-amz-server-side-encryption": ("AES256",),
    },
]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(statements, min_size=1, max_size=4), st.sampled_from(["as-state", "exact", "prefix", "bucket"])
)
def test_what_is_added_lets_writers_lock_and_nobody_anything_else(
    statements_: list[Json], scope: Scope
) -> None:
    policy = document(*statements_)
    found = least(policy, Grant((TARGET,), scope))
    if isinstance(found, Hold):
        return
    more = replace(policy, statements=(*policy.statements, *(one.statement for one in found)))
    assert least(more, Grant((TARGET,), scope)) == ()
    names = [one.sid for one in more.statements if one.sid]
    assert len(names) == len({*names})
    before, after = (Judge(Caller(CI), [Layer(Kind.IDENTITY, (one,))]) for one in (policy, more))
    told = "${aws" not in str(statements_)  # what a variable comes to is not known before the request
    for context in CONTEXTS:
        check_kept(before, after, context)
        if told and may(before, PUT, "a", context) is Answer.ALLOWED:
            released = {key: value for key, value in context.items() if not key.startswith("s3:")}
            assert may(after, PUT, "a.tflock", context) is Answer.ALLOWED
            assert [may(after, one, "a.tflock", released) for one in (GET, DELETE)] == [Answer.ALLOWED] * 2
    asked = Question(Address("b", "a"), Caller(CI), ACCOUNT)
    outcome = lock_verdict(after, asked).outcome
    if (
        told
        and lock_verdict(before, asked).outcome is not Class.NOT_A_LOCKER
        and "Deny" not in str(statements_)
    ):
        assert outcome in (Class.OK, Class.OK_AS_STATE)


def may(judge: Judge, action: str, key: str, context: Mapping[str, Value]) -> Answer:
    given_ = {**context, "aws:username": ("bob",)}
    request = Request(action, exact(BUCKET_ARN + key), ACCOUNT, given_, others=Absence.MISSING)
    return judge.decide(request).answer


def check_kept(before: Judge, after: Judge, context: Mapping[str, Value]) -> None:
    """Nothing was lost, and nothing gained but the trio on locks."""
    for action in (*TRIO, "s3:ListBucket", "s3:PutObjectAcl", "dynamodb:PutItem"):
        for key in ("a", "a/a", "b", "a.tflock", "a.tflock/x", "z.tflock", "x.tfstate", "bob.tflock"):
            had, has = (may(judge, action, key, context) for judge in (before, after))
            gained = action in TRIO and key.endswith(".tflock") and has is Answer.ALLOWED
            assert has is had or gained
