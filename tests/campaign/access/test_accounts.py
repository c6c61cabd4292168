"""Accounts seen through several pairs of eyes: who is asked about which bucket, and what nobody could see."""

from collections.abc import Callable, Iterable, Mapping

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from migrate.campaign.access.accounts import Eyes, View, live, saved
from migrate.campaign.access.questions import Asked
from migrate.campaign.access.verdicts import check
from migrate.config import Access
from migrate.errors import RelockError
from migrate.iam.address import Address
from migrate.iam.gaad import Account, read_account
from migrate.iam.holder import Surroundings
from migrate.iam.layers import Kind, Layer
from migrate.iam.locks import Class
from migrate.iam.question import Client, Writing
from migrate.model import Fact, Known, StateId, Unknown
from tests.iam.holders import role
from tests.iam.policies import ACCOUNT, OTHER, Json, allow

UNSEEN = Layer(Kind.SCP, unseen="organizations:DescribeOrganization was answered AccessDenied")
FULL = Layer(Kind.SCP)


class Fake(Struct):
    """The eyes of one account: its roles, the buckets that are its own, what it is told of organizations."""

    number: str
    roles: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    sees: Mapping[str, Layer] = field(default_factory=dict)
    looked: list[str] = field(default_factory=list)
    ways: tuple[Layer, ...] = ()

    def account(self, page_read: Callable[[], None], /) -> Fact[Account]:
        page_read()
        self.looked.append("account")
        roles = [{"RoleName": one, "Arn": f"arn:aws:iam::{self.number}:role/{one}"} for one in self.roles]
        read = read_account([{"RoleDetailList": roles}], "here")
        return Known(read, "seen") if isinstance(read, Account) and roles else Unknown("it was denied")

    def limits(self, account: str, kind: Kind, /) -> tuple[Layer, ...]:
        return (replace(self.sees.get(account, UNSEEN), kind=kind),)

    def endpoints(self, region: str, /) -> tuple[Layer, ...]:
        return self.ways

    def around(
        self, bucket: str, region: str, named: Iterable[str], locking: Iterable[str], /
    ) -> Surroundings:
        self.looked.append(f"{bucket} in {region} with {[*named, *locking]}")
        return Surroundings(self.number if bucket in self.own else None)


def entry(account: str, *buckets: str) -> Access:
    return Access(buckets, "", "", account)


def asked(bucket: str, *, key: str | None = None) -> Asked:
    address = Address(bucket, "net.tfstate", "eu-west-1")
    return Asked(StateId(bucket, "net.tfstate"), address, Client(), Writing(kms_key=Known(key)), None)


def seen(of: Iterable[Asked], eyes: Mapping[Access, Fake]) -> View:
    def sign_in(access: Access, region: str) -> Eyes:
        return eyes[access]

    return live(list(of), list(eyes), sign_in, lambda: None)


def test_a_bucket_that_no_entry_names_is_not_contacted() -> None:
    fake = Fake(ACCOUNT, ("ci",), ("acme-state",), {ACCOUNT: FULL})
    view = seen(
        [asked("acme-state", key="alias/acme"), asked("other")],
        {entry(ACCOUNT, "acme-*"): fake, entry(OTHER, "else-*"): Fake(OTHER, ("x",))},
    )
    assert fake.looked == ["account", "acme-state in eu-west-1 with ['alias/acme']"]
    assert view.around("acme-state").owner == ACCOUNT
    (unseen,) = view.around("other").layers
    assert unseen.kind is Kind.BUCKET
    assert unseen.unseen.endswith("it was not contacted")
    assert ([str(one) for one in view.holders], view.unread) == (["role/ci"], ())


def test_each_account_that_names_a_bucket_has_a_say_and_the_owner_answers_for_it() -> None:
    caller, owner = (
        Fake(OTHER, ("ci",)),
        Fake(ACCOUNT, ("ci",), ("acme-state",), {ACCOUNT: FULL, OTHER: FULL}),
    )
    view = seen([asked("acme-state")], {entry(OTHER, "acme-*"): caller, entry(ACCOUNT, "acme-*"): owner})
    assert view.around("acme-state").owner == ACCOUNT
    assert [str(one) for one in view.holders] == [f"role/{OTHER}/ci", f"role/{ACCOUNT}/ci"]
    assert [[layer.unseen for layer in one.layers] for one in view.holders] == [["", ""], ["", ""]]


def test_what_nobody_could_see_is_told_once() -> None:
    view = seen([asked("acme-state")], {entry(ACCOUNT, "*"): Fake(ACCOUNT, ("a", "b"), ("acme-state",))})
    assert view.unread == (
        f"account {ACCOUNT}: service control policies: {UNSEEN.unseen}",
        f"bucket acme-state: resource control policies: {UNSEEN.unseen}",
    )
    denied = seen([asked("acme-state")], {entry(ACCOUNT, "*"): Fake(ACCOUNT, (), ("acme-state",))})
    assert denied.unread[0] == f"account {ACCOUNT}: it was denied"
    assert denied.holders == ()


def test_an_entry_that_does_not_let_us_in_leaves_the_others_their_say() -> None:
    ours, theirs = entry(ACCOUNT, "acme-*"), entry(OTHER, "other")
    fake = Fake(ACCOUNT, ("ci",), ("acme-state",), {ACCOUNT: FULL})

    def sign_in(access: Access, region: str) -> Eyes:
        if access == theirs:
            raise RelockError(
                "AWS does not sign us in: ExpiredToken", f"aws: account {OTHER}", "sign in again"
            )
        return fake

    view = live([asked("acme-state"), asked("other")], [theirs, ours], sign_in, lambda: None)
    assert view.unread == (f"aws: account {OTHER}: AWS does not sign us in: ExpiredToken; sign in again",)
    assert [str(one) for one in view.holders] == ["role/ci"]
    assert view.around("other").owner is None


def account(number: str) -> Account:
    found = Fake(number, ("ci",)).account(lambda: None)
    assert isinstance(found, Known)
    return found.value


def test_a_saved_answer_has_nothing_of_buckets_and_their_account_is_said_or_assumed() -> None:
    of = [asked("acme-state"), asked("other")]
    view = saved([account(ACCOUNT)], [entry(OTHER, "other")], lambda _: Surroundings(), of)
    assert {name: near.owner for name, near in view.buckets.items()} == {
        "acme-state": ACCOUNT,
        "other": OTHER,
    }
    assert view.notes[1:] == (f"Buckets that no entry of aws: names are taken to be of account {ACCOUNT}.",)
    several = saved([account(ACCOUNT), account(OTHER)], [], lambda _: Surroundings(), of)
    assert several.around("acme-state").owner is None
    assert len(several.notes) == 1


KEY = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1"


@pytest.mark.parametrize(
    ("rights", "outcome"),
    [
        ([allow("kms:*", KEY)], Class.OK),
        ([], Class.UNKNOWN),  # the key's policy may name the role
        ([allow("kms:GenerateDataKey", KEY)], Class.UNKNOWN),
    ],
)
def test_keys_whose_policies_were_not_saved_leave_it_to_the_account(
    rights: list[Json], outcome: Class
) -> None:
    state = replace(asked("acme-state"), writing=Writing(encrypt=Known(value=True), kms_key=Known(KEY)))
    view = saved([account(ACCOUNT)], [], lambda _: Surroundings(), [state])
    (row,) = check([role("ci", allow("s3:*"), *rights)], [state], view.around).rows
    assert (row.verdict.outcome, view.unread) == (outcome, ())
