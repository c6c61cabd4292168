"""The reading of one account: who is in it with which policies, and what stands around its buckets.

Every request is a read. What is denied is told as not known, by the name of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal

from migrate.aws.bucket import Encryption, encryption, policy
from migrate.aws.keys import keys
from migrate.aws.looking import ANY_REGION, PATIENCE, looked, region_named
from migrate.aws.network import endpoints
from migrate.aws.organization import limits
from migrate.aws.session import signed_in
from migrate.aws.table import tables
from migrate.iam.gaad import Account, read_account
from migrate.iam.holder import Surroundings
from migrate.iam.kept import Kept
from migrate.iam.layers import Kind, Layer
from migrate.model import Fact, Known, Unknown

_WHAT: Final = "iam:GetAccountAuthorizationDetails"
_LISTS: Final[list[Literal["Role", "User", "Group", "LocalManagedPolicy", "AWSManagedPolicy"]]] = [
    *("Role", "User", "Group", "LocalManagedPolicy", "AWSManagedPolicy")
]


class Reader:
    """Signed in to one account, which was checked before this exists."""

    def __init__(self, account: str, *, profile: str, role: str, region: str) -> None:
        """Raises RelockError where AWS does not sign us in, or into another account."""
        self.number = account
        self._session = signed_in(profile, role, account, region)
        self._endpoints: dict[str, tuple[Layer, ...]] = {}

    def account(self, page_read: Callable[[], None], /) -> Fact[Account]:
        """Its roles and users with all their policies; `page_read` is told of every page."""
        iam = self._session.client("iam", region_name=self._region(""), config=PATIENCE)

        def pages() -> Iterator[object]:
            for page in iam.get_paginator("get_account_authorization_details").paginate(Filter=_LISTS):
                page_read()
                yield {**page, "IsTruncated": False}  # the next page is read as well

        found = looked(_WHAT, lambda: read_account([*pages(), *self._summary()], _WHAT))
        if isinstance(found, Unknown):
            return found
        if isinstance(found.value, Account):
            return Known(found.value, "seen")
        return Unknown(f"{_WHAT} was answered with no account")

    def _summary(self) -> Iterator[object]:
        """The account's quotas; of one that does not tell them AWS's defaults hold, the least there is."""
        iam = self._session.client("iam", region_name=self._region(""), config=PATIENCE)
        found = looked("iam:GetAccountSummary", iam.get_account_summary)
        if isinstance(found, Known):
            yield found.value

    def limits(self, account: str, kind: Kind, /) -> tuple[Layer, ...]:
        """What the organization sets over an account: its service or resource control policies."""
        return limits(self._session, account, kind)

    def endpoints(self, region: str, /) -> tuple[Layer, ...]:
        """The ways to S3 of its networks in a region."""
        where = self._region(region)
        if where not in self._endpoints:
            self._endpoints[where] = endpoints(self._session, where)
        return self._endpoints[where]

    def around(
        self, bucket: str, region: str, named: Iterable[str], locking: Iterable[str], /
    ) -> Surroundings:
        """One bucket; `named` are the keys that backends name, `locking` the ARNs of their lock tables.

        Who answers for its policy, owns it.
        """
        where = self._region(region)
        told = policy(self._session, bucket, self.number, where)
        crypt = encryption(self._session, bucket, self.number, where)
        default = _default(crypt)
        wanted = {*named, *([default.value] if isinstance(default, Known) and default.value else [])}
        found = keys(self._session, sorted(wanted), where)
        document = told.value if isinstance(told, Known) else None
        locks, unread = tables(self._session, locking, self.number, where)
        return Surroundings(
            owner=self.number if isinstance(told, Known) else None,
            layers=(*_bucket_layer(told), *([found.layer] if found.layer else []), *locks),
            bucket_key=crypt.value.bucket_key if isinstance(crypt, Known) and crypt.value else None,
            default_key=default,
            keys=found.arns,
            document=document,
            unread=tuple(f"table policy: {why}" for why in unread),
        )

    def _region(self, region: str) -> str:
        return region_named(region) or self._session.region_name or ANY_REGION


def _default(found: Fact[Encryption | None]) -> Fact[str | None]:
    if isinstance(found, Unknown):
        return found
    return Known(found.value.key if found.value else None, "seen")


def _bucket_layer(found: Fact[Kept | None]) -> Iterator[Layer]:
    """No layer where the bucket certainly has no policy."""
    if isinstance(found, Unknown):
        yield Layer(Kind.BUCKET, unseen=found.why)
    elif found.value:
        yield Layer(Kind.BUCKET, (found.value.policy,))
