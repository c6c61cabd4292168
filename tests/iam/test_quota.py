"""What an account lets policies hold: its own quotas where they are told, else AWS's defaults."""

from __future__ import annotations

import json

import pytest

from migrate.iam.gaad import Account, read_account
from migrate.iam.kept import Inline, Managed, OfBucket, kept
from migrate.iam.quota import DEFAULT, quotas
from tests.iam.policies import CI, allow

SUMMARY = {
    "PolicySizeQuota": 12_288,
    "VersionsPerPolicyQuota": 7,
    "RolePolicySizeQuota": 20_480,
    "AttachedPoliciesPerRoleQuota": 20,
    "UserPolicySizeQuota": "as ever",
}


def test_an_account_tells_its_own_and_what_it_does_not_tell_is_the_default() -> None:
    own = quotas(SUMMARY)
    assert (own.managed, own.versions) == (12_288, 7)
    assert own.inline == {"role": 20_480, "user": 2_048, "group": 5_120}
    assert own.attached == {"role": 20, "user": 10, "group": 10}
    assert quotas({}) == DEFAULT


@pytest.mark.parametrize("order", [1, -1])
def test_the_summary_may_stand_among_the_pages_of_a_saved_answer(order: int) -> None:
    pages = [{"RoleDetailList": [{"RoleName": "ci", "Arn": CI}]}, {"SummaryMap": SUMMARY}]
    found = read_account(pages[::order], "saved.json")
    assert isinstance(found, Account)
    assert (found.quotas, found.flaws) == (quotas(SUMMARY), ())


def test_a_summary_alone_is_no_account() -> None:
    assert isinstance(read_account([{"SummaryMap": SUMMARY}], "saved.json"), str)


LONG = json.dumps({"Statement": [allow("s3:*", "a" * 8_000)]})


@pytest.mark.parametrize(
    ("keeper", "by_default", "here"),
    [
        (Managed("arn:aws:iam::111122223333:policy/p"), "6,144", ""),
        (Inline("role", "ci", "p"), "10,240", ""),
        (Inline("user", "ada", "p"), "2,048", "2,048"),
        (OfBucket("acme-state"), "", ""),
    ],
)
def test_what_does_not_fit(keeper: Inline | Managed | OfBucket, by_default: str, here: str) -> None:
    one = kept(keeper, LONG)
    said = [each.excess(one, [one, one]).rpartition(" of ")[2] for each in (DEFAULT, quotas(SUMMARY))]
    assert said == [by_default, here]


def test_what_to_do_where_nothing_fits() -> None:
    assert DEFAULT.beside("role", 9) == "grant the lock in a managed policy, attached to the same role"
    full = "10 managed policies are attached, of 10: join two of them, or ask AWS for more"
    assert DEFAULT.beside("user", 10) == full
    assert quotas(SUMMARY).beside("role", 10) == DEFAULT.beside("role", 9)
