"""Expressions of source taken for a state's bucket or table: where something says so, and nowhere else."""

import pytest

from migrate.iam.address import Address
from migrate.iam.bound import bound
from migrate.iam.glob import Hole, glob
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Element, Part, Policy, Statement, Word
from migrate.iam.target import Target

TARGET = Target(Address("acme-state", "net/terraform.tfstate", "eu-west-1"))
TABLE = glob("arn:aws:dynamodb:eu-west-1:*:table/acme-locks")
STATE, ACCOUNT = Hole("${aws_s3_bucket.state.arn}"), Hole("${data.aws_caller_identity.me.account_id}")
DATA, PARTITION, NAME = Hole("${var.data_bucket}"), Hole("${local.partition}"), Hole("${var.state_bucket}")


def policy(*resources: tuple[Part, ...]) -> Policy:
    put = Element((Word(("s3:PutObject",)), Word(("dynamodb:PutItem",))))
    return Policy((Statement("Allow", put, Element(tuple(Word(parts) for parts in resources))),))


@pytest.mark.parametrize(
    ("written", "meant", "assumed"),
    [
        ((STATE, "/*"), "arn:aws:s3:::acme-state/*", [STATE.symbol]),
        ((STATE, "/net/terraform.tfstate"), "arn:aws:s3:::acme-state/net/terraform.tfstate", [STATE.symbol]),
        (("arn:aws:s3:::", NAME, "/*"), "arn:aws:s3:::acme-state/*", [NAME.symbol]),
        # nobody need be told what the partition is
        (("arn:", PARTITION, ":s3:::acme-state/*"), "arn:aws:s3:::acme-state/*", []),
        (("arn:aws:s3:::acme-", ACCOUNT, "-state/*"), None, []),
        ((DATA, "/*"), None, []),
        # the bucket alone is no object
        ((STATE,), None, []),
        # what follows may be anything, and stays so
        ((STATE, "/", DATA, "/*"), f"arn:aws:s3:::acme-state/{DATA.symbol}/*", [STATE.symbol]),
        (
            ("arn:aws:dynamodb:eu-west-1:", ACCOUNT, ":table/acme-locks"),
            "arn:aws:dynamodb:eu-west-1:*:table/acme-locks",
            [],
        ),
        (("arn:aws:dynamodb:eu-west-1:", ACCOUNT, ":table/other"), None, []),
        (("arn:aws:dynamodb:eu-west-1:*:table/", Hole("${var.rows}")), str(TABLE), []),
        ((Hole("${aws_dynamodb_table.lock.arn}"),), str(TABLE), []),
        ((Hole("${aws_dynamodb_table.users.arn}"),), None, []),
    ],
)
def test_what_an_expression_is_taken_for(
    written: tuple[Part, ...], meant: str | None, assumed: list[str]
) -> None:
    given = Layer(Kind.IDENTITY, (policy(written),))
    found = bound([given], TARGET, TABLE)
    (statement,) = found.fill.layers([given])[0].policies[0].statements
    assert statement.resources
    (word,) = statement.resources.words
    assert str(word) == (meant or str(Word(written)))
    assert list(found.assumed) == assumed


ROWS = "arn:aws:dynamodb:eu-west-1:111122223333:table/"


@pytest.mark.parametrize(
    ("locks_in", "speaks"),
    [
        ((f"{ROWS}acme-rows",), True),
        ((ACCOUNT, ":table/acme-rows"), True),
        ((f"{ROWS}*",), True),
        ((f"{ROWS}acme-users",), False),
        ((ROWS, Hole("${var.rows}")), False),
    ],
)
def test_a_bucket_that_may_be_any_is_the_states_beside_its_lock_table(
    locks_in: tuple[Part, ...], *, speaks: bool
) -> None:
    locking = Element((Word(("dynamodb:*",)),))
    lock = Statement("Allow", locking, Element((Word(locks_in),)))
    put = policy((DATA, "/*")).statements
    layer = Layer(Kind.IDENTITY, (Policy((lock, *put)),))
    assert bound([layer], TARGET, glob(f"{ROWS}acme-rows")).speaks is speaks


def test_what_only_limits_speaks_of_no_state() -> None:
    assert not bound([Layer(Kind.BOUNDARY, (policy(("*",)),))], TARGET, TABLE).speaks


def test_a_statement_without_resource_stays_as_it_is() -> None:
    statement = Statement("Allow", Element((Word(("sts:*",)),)))
    layer = Layer(Kind.IDENTITY, (Policy((statement,)),))
    assert bound([layer], TARGET, TABLE).fill.layers([layer]) == (layer,)


def test_a_policy_speaks_of_a_state_it_grants() -> None:
    def speaks(*parts: Part) -> bool:
        return bound([Layer(Kind.IDENTITY, (policy(parts),))], TARGET, TABLE).speaks

    assert speaks("arn:aws:s3:::acme-state/*")
    assert speaks("*")
    assert speaks(STATE, "/*")
    assert not speaks("arn:aws:s3:::acme-data/*")
    assert not speaks(DATA, "/*")
