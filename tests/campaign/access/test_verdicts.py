"""Every holder of policies against every state: which rows come out, and what is assumed of source."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from migrate.campaign.access.questions import Asked
from migrate.campaign.access.verdicts import check
from migrate.iam.address import Address, Workspaces
from migrate.iam.glob import glob
from migrate.iam.holder import Holder, Surroundings
from migrate.iam.layers import Kind, Layer
from migrate.iam.locks import Class
from migrate.iam.question import Client, Writing
from migrate.model import StateId
from tests.iam.holders import role
from tests.iam.policies import ACCOUNT, LOCK, STATE, allow, deny, layer

TRIO = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
GET_PUT = ["s3:GetObject", "s3:PutObject"]
TABLE = glob("arn:aws:dynamodb:eu-west-1:*:table/acme-locks")


def asked(key: str = "net/terraform.tfstate", *, uses_workspaces: bool = False) -> Asked:
    address = Address("acme-state", key, "eu-west-1")
    state = StateId("acme-state", key)
    return Asked(state, address, Client(), Writing(), TABLE, uses_workspaces=uses_workspaces)


def around(bucket: str) -> Surroundings:
    return Surroundings(ACCOUNT)


def classes(*holders: Holder, questions: tuple[Asked, ...] = (asked(),)) -> Mapping[str, list[Class]]:
    rows = check(holders, questions, around).rows
    return {str(h): [row.verdict.outcome for row in rows if row.holder == h] for h in holders}


def test_one_row_for_each_holder_and_lock_and_a_count_of_what_is_none_of_them() -> None:
    ci = role("ci", allow(TRIO, "arn:aws:s3:::acme-state/*"))
    plan = role("plan", allow(GET_PUT, STATE))
    app = role("app", allow("s3:GetObject", "arn:aws:s3:::acme-data/*"))
    found = check([plan, app, ci], [asked(), asked("app.tfstate")], around)
    assert [(str(row.holder), str(row.state), row.verdict.outcome) for row in found.rows] == [
        ("role/ci", "s3://acme-state/net/terraform.tfstate", Class.OK),
        ("role/ci", "s3://acme-state/app.tfstate", Class.OK),
        ("role/plan", "s3://acme-state/net/terraform.tfstate", Class.CANNOT_LOCK),
    ]
    assert [(str(holder), none) for holder, none in found.others] == [
        ("role/app", 2),
        ("role/ci", 0),
        ("role/plan", 1),
    ]


@pytest.mark.parametrize("by", ["source", "seen"])
def test_source_tells_no_account_and_is_taken_to_speak_of_the_buckets(by: str) -> None:
    known = by == "seen"
    ci = role("ci", allow(TRIO, "arn:aws:s3:::acme-state/*"), by="seen" if known else "source")
    rows = check([ci], [asked()], lambda _: Surroundings(ACCOUNT if known else None)).rows
    assert [row.verdict.outcome for row in rows] == [Class.OK]


def test_a_layer_nobody_could_read_leaves_it_unknown() -> None:
    hidden = Layer(Kind.IDENTITY, unseen="its policies could not be listed")
    assert classes(role("ci", layers=(hidden,))) == {"role/ci": [Class.UNKNOWN]}


def test_what_the_backend_gives_its_session_is_not_weighed_and_leaves_it_unknown() -> None:
    ci = role("ci", allow(TRIO, "arn:aws:s3:::acme-state/*"))
    none = role("none", allow("s3:PutObject", STATE))
    limited = replace(asked(), session="assume_role.policy of the backend at main.tf:2 is not weighed")
    assert classes(ci, none, questions=(limited,)) == {
        "role/ci": [Class.UNKNOWN],
        "role/none": [Class.CANNOT_LOCK],
    }
    assert classes(ci, questions=(asked(), limited)) == {"role/ci": [Class.OK, Class.UNKNOWN]}


def test_a_state_without_a_region_is_of_the_partition_of_its_account() -> None:
    table = glob("arn:aws:dynamodb:*:*:table/acme-locks")
    anywhere = replace(asked(), address=Address("acme-state", "net/terraform.tfstate"), table=table)
    gov = [
        role("ci", allow(TRIO, "arn:aws-us-gov:s3:::acme-state/*"), partition="aws-us-gov"),
        role(
            "plan",
            allow("s3:GetObject", "arn:aws-us-gov:s3:::acme-state/*"),
            allow("dynamodb:*", "arn:aws-us-gov:dynamodb:us-gov-west-1:*:table/acme-locks"),
            partition="aws-us-gov",
        ),
    ]
    assert classes(*gov, questions=(anywhere,)) == {
        "role/ci": [Class.OK],
        "role/plan": [Class.CANNOT_LOCK],
    }
    assert classes(*gov, questions=(asked(),)) == {"role/ci": [], "role/plan": []}


def test_the_bucket_has_a_say() -> None:
    ci = role("ci", allow(TRIO, "arn:aws:s3:::acme-state/*"))
    no_delete = layer(Kind.BUCKET, deny("s3:DeleteObject", "arn:aws:s3:::acme-state/*", Principal="*"))
    rows = check([ci], [asked()], lambda _: Surroundings(ACCOUNT, (no_delete,))).rows
    assert [row.verdict.outcome for row in rows] == [Class.STUCK_LOCK]


def test_named_workspaces_count_where_they_are_used_and_are_told_apart_where_not() -> None:
    exact = role("ci", allow(TRIO, [STATE, LOCK]), allow(GET_PUT, "arn:aws:s3:::acme-state/env:/*"))
    (row,) = check([exact], [asked()], around).rows
    assert row.verdict.outcome is Class.OK
    assert row.elsewhere
    assert row.elsewhere.workspaces[Workspaces.EVERY] is Class.STUCK_LOCK
    (row,) = check([exact], [asked(uses_workspaces=True)], around).rows
    assert (row.verdict.outcome, row.elsewhere) == (Class.PARTIAL_WORKSPACES, None)
