"""Verdicts as people read them: what is not known, what it is taken for, and what is said once of many."""

from __future__ import annotations

from migrate.campaign.access.questions import Asked
from migrate.campaign.access.verdicts import check
from migrate.iam.address import Address
from migrate.iam.holder import Holder, Surroundings
from migrate.iam.layers import Kind, Layer
from migrate.iam.question import Client, Writing
from migrate.model import StateId
from migrate.reports import IAM
from tests.iam.holders import role
from tests.iam.policies import ACCOUNT, allow, deny

TRIO = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
ALL = "arn:aws:s3:::acme-state/*"


def said(*holders: Holder, states: int = 1) -> list[str]:
    asked = [
        Asked(
            StateId("acme-state", f"{n}.tfstate"),
            Address("acme-state", f"{n}.tfstate"),
            Client(),
            Writing(),
            None,
        )
        for n in range(states)
    ]
    return IAM["table"].render(check(holders, asked, lambda _: Surroundings(ACCOUNT))).splitlines()


def test_what_is_not_known_is_named_with_its_place() -> None:
    hidden = Layer(Kind.IDENTITY, unseen="AccessDenied to iam:ListRolePolicies")
    assert said(role("ci", layers=(hidden,))) == [
        "UNKNOWN             role/ci",
        "                    s3://acme-state/0.tfstate",
        "                    s3:PutObject, s3:GetObject, s3:DeleteObject: not known: the whole of the",
        "                      identity policies (AccessDenied to iam:ListRolePolicies)",
        "                    → tfrelock iam check --self, run as that role",
        "1 holder of policies, 1 state: 1 unknown",
    ]


def test_one_condition_for_state_and_lock_is_told_by_its_name() -> None:
    policy = [allow("s3:*", ALL), deny("s3:*", ALL, Condition={"StringNotEquals": {"aws:SourceVpce": "v"}})]
    assert said(role("ci", *policy))[:3] == [
        "ok-as-state         role/ci",
        "                    s3://acme-state/0.tfstate",
        "                    whenever the state may be written, whatever comes of aws:SourceVpce",
    ]


def test_states_of_which_the_same_is_said_are_counted() -> None:
    lines = said(role("ci", allow(TRIO[:2], ALL)), states=5)
    assert lines[:5] == [
        "STUCK-LOCK          role/ci",
        "                    s3://acme-state/0.tfstate",
        "                    s3://acme-state/1.tfstate",
        "                    s3://acme-state/2.tfstate",
        "                    and 2 more states: --format json has them",
    ]
    assert lines[-1] == "1 holder of policies, 5 states: 5 stuck-lock"


NOBODY = [
    "UNKNOWN             nobody who is known",
    "                    s3://acme-state/0.tfstate",
    "                    no policy that was read lets anybody write it: who takes its lock is not known",
    "                    → add what makes its roles, or ask the account: --live or --gaad; or tfrelock",
    "                      iam check --self, run as that role",
]


def test_without_any_policy_nobody_is_known_to_lock() -> None:
    assert said() == [*NOBODY, "0 holders of policies, 1 state: 1 that nobody who is known locks"]


def test_beside_readers_nobody_is_known_to_lock() -> None:
    reader = role("app", allow("s3:GetObject", ALL))
    assert said(reader) == [*NOBODY, "1 holder of policies, 1 state: 1 that nobody who is known locks"]


def test_without_a_state_there_is_nothing_to_lock() -> None:
    assert said(states=0) == ["0 holders of policies, 0 states: nothing was weighed"]
