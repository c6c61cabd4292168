"""What goes of a policy when lock tables go, and what is left to people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from migrate.iam.glob import Hole, exact
from migrate.iam.grant import Hold
from migrate.iam.judge import Answer, Judge
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Element, Policy, Statement, Word
from migrate.iam.request import Caller, Request
from migrate.iam.revoke import Removal, Revoke, removals
from tests.iam.policies import ACCOUNT, CI, Json, allow, deny, document

TABLE = "arn:aws:dynamodb:eu-west-1:111122223333:table/acme-locks"
OTHER = "arn:aws:dynamodb:eu-west-1:111122223333:table/acme-orders"
BUCKET = "arn:aws:s3:::acme-state/*"
LOCKING = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:DeleteItem"]
STATE = allow(["s3:GetObject", "s3:PutObject"], BUCKET)
WISH = Revoke()


def gone(policy: Policy, wish: Revoke = WISH) -> list[list[str]]:
    """The words that go of each statement; none: all of it."""
    found = removals(policy, wish)
    assert not isinstance(found, Hold), found.why
    return [[str(word) for word in one.words] for one in found]


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        # all of it is about the table
        ([STATE, allow(LOCKING, TABLE)], [[]]),
        ([STATE, allow("dynamodb:*", [TABLE, f"{TABLE}/*"])], [[]]),
        ([STATE, allow(LOCKING, TABLE, Condition={"StringLike": {"dynamodb:LeadingKeys": "acme*"}})], [[]]),
        # a statement that grants more keeps the rest
        (
            [allow(["s3:GetObject", *LOCKING], [BUCKET, TABLE])],
            [[*LOCKING, TABLE]],
        ),
        ([STATE, allow(LOCKING, [OTHER, TABLE])], [[TABLE]]),
        # nothing to do with it
        ([STATE], []),
        ([STATE, allow(LOCKING, OTHER)], []),
        ([allow("*")], []),
        ([STATE, allow("dynamodb:*", "arn:aws:dynamodb:*:*:table/*")], []),
        ([STATE, deny(LOCKING, TABLE)], []),
        ([STATE, allow(LOCKING, OTHER.replace("orders", "block-list"))], []),
        ([STATE, allow(LOCKING, OTHER.replace("orders", "clocks"))], []),
        ([STATE, allow("dynamodb:GetItem", OTHER.replace("acme", "terraform"))], []),
        ([STATE, allow(LOCKING, OTHER.replace("orders", "terraform-state"))], [[]]),
    ],
)
def test_the_least_that_goes(statements: list[Json], words: list[list[str]]) -> None:
    assert gone(document(*statements)) == words


def test_a_table_that_is_known_goes_whatever_its_name() -> None:
    policy = document(STATE, allow(LOCKING, OTHER))
    assert gone(policy, Revoke(("acme-orders",))) == [[]]
    assert gone(policy, Revoke((OTHER,))) == [[]]


@pytest.mark.parametrize(
    ("statements", "wish", "why"),
    [
        ([allow(LOCKING, TABLE)], WISH, "nothing would be left of this policy"),
        (
            [STATE, allow(LOCKING, "arn:aws:dynamodb:*:*:table/acme-lock*")],
            WISH,
            "arn:aws:dynamodb:*:*:table/acme-lock* may mean other tables too",
        ),
        (
            [STATE, allow([*LOCKING, "dynamodb:CreateTable"], TABLE)],
            WISH,
            "it allows dynamodb:CreateTable as well: more than a lock needs",
        ),
        ([allow(["s3:*", "*"], [BUCKET, TABLE])], WISH, "its action * is of more than one service"),
        ([allow(LOCKING, [TABLE, "*"])], WISH, "whether * is the lock table too is not known"),
        ([allow(LOCKING, [TABLE, BUCKET])], WISH, "its other resources have no action of their own"),
        (
            [STATE, allow(LOCKING, TABLE)],
            Revoke(used=("acme-locks",)),
            f"{TABLE} may be a table that a client still names",
        ),
        (
            [STATE, allow(LOCKING, TABLE)],
            Revoke(used=("*",)),
            f"{TABLE} may be a table that a client still names",
        ),
    ],
)
def test_what_is_left_to_people(statements: list[Json], wish: Revoke, why: str) -> None:
    found = removals(document(*statements), wish)
    assert isinstance(found, Hold)
    assert found.why == why


def test_an_expression_is_taken_for_the_table_by_its_name_and_that_is_told() -> None:
    word = Word((Hole("${aws_dynamodb_table.locks.arn}"),))
    grant = Statement("Allow", Element((Word(("dynamodb:PutItem",)),)), Element((word,)))
    policy = Policy((*document(STATE).statements, grant))
    found = removals(policy, WISH)
    assert not isinstance(found, Hold)
    assert [(one.whole, one.assumed) for one in found] == [(True, ("${aws_dynamodb_table.locks.arn}",))]
    held = removals(policy, Revoke(used=("acme-locks",)))
    assert isinstance(held, Hold)


def grant(symbol: str, *actions: str) -> Policy:
    """A policy that allows actions on what an expression names, beside the state."""
    on = Element((Word((Hole(symbol),)),))
    own = Statement("Allow", Element(tuple(Word((action,)) for action in actions)), on)
    return Policy((*document(STATE).statements, own))


def test_an_expression_whose_name_tells_of_no_lock_is_not_taken_for_a_known_table() -> None:
    known = Revoke(("acme-locks",))
    assert removals(grant("${aws_dynamodb_table.users.arn}", "dynamodb:GetItem"), known) == ()
    assert removals(grant("${aws_dynamodb_table.users.arn}", *LOCKING, "dynamodb:Query"), known) == ()
    assert removals(grant("${aws_dynamodb_table.this.arn}", *LOCKING), WISH) == ()
    held = removals(grant("${aws_dynamodb_table.this.arn}", *LOCKING), known)
    assert isinstance(held, Hold)
    assert held.why == "whether ${aws_dynamodb_table.this.arn} is the lock table is not known"


def test_a_table_known_by_its_name_alone_is_told() -> None:
    policy = document(STATE, allow(LOCKING, TABLE))
    by_name, known = removals(policy, WISH), removals(policy, Revoke(("acme-locks",)))
    assert not isinstance(by_name, Hold)
    assert not isinstance(known, Hold)
    assert [one.assumed for one in (*by_name, *known)] == [(TABLE,), ()]


STATEMENTS = st.builds(
    lambda effect, actions, resources: effect(actions, resources),
    st.sampled_from([allow, allow, allow, deny]),
    st.lists(
        st.sampled_from(["s3:GetObject", "s3:*", *LOCKING, "dynamodb:*", "dynamodb:Scan"]),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    st.lists(st.sampled_from([TABLE, f"{TABLE}/*", OTHER, BUCKET]), min_size=1, max_size=3, unique=True),
)
ASKED = [
    *((action, TABLE) for action in LOCKING),
    *((action, OTHER) for action in (*LOCKING, "dynamodb:Scan")),
    ("s3:GetObject", BUCKET.replace("*", "net.tfstate")),
    ("s3:DeleteObject", BUCKET.replace("*", "net.tfstate")),
]


def without(statement: Statement, removal: Removal) -> Statement | None:
    """The statement as it is left."""
    if removal.whole:
        return None
    assert statement.resources
    actions, resources = (
        Element(tuple(word for word in one.words if word.span not in {gone.span for gone in removal.words}))
        for one in (statement.actions, statement.resources)
    )
    assert actions.words
    assert resources.words
    return replace(statement, actions=actions, resources=resources)


def answers(policy: Policy) -> list[Answer]:
    judge = Judge(Caller(CI), [Layer(Kind.IDENTITY, (policy,))])
    return [judge.decide(Request(action, exact(on), ACCOUNT)).answer for action, on in ASKED]


@given(st.lists(STATEMENTS, min_size=1, max_size=4))
def test_the_locks_table_is_all_that_is_lost(statements: list[Json]) -> None:
    policy = document(*statements)
    found = removals(policy, WISH)
    if isinstance(found, Hold):
        return
    gone = {removal.statement.span: removal for removal in found}
    left = [without(one, gone[one.span]) if one.span in gone else one for one in policy.statements]
    after = replace(policy, statements=tuple(one for one in left if one))
    assert after.statements
    count = len(LOCKING)
    assert answers(after)[:count] == [Answer.DENIED] * count
    assert answers(after)[count:] == answers(policy)[count:]
    assert removals(after, WISH) == ()
