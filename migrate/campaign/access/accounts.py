"""Accounts, read live or from a saved answer, as the holders and surroundings that verdicts are made of.

An entry of the operator's configuration says as whom a bucket is asked about; a bucket that no entry names is
not contacted. What could not be read is a layer that is not visible, and is told once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.campaign.access.questions import Asked
from migrate.campaign.access.verdicts import Around
from migrate.config import Access
from migrate.errors import RelockError
from migrate.grouping import grouped
from migrate.iam.gaad import Account
from migrate.iam.holder import Holder, Surroundings
from migrate.iam.kept import Inline, Kept, Managed
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Element, Named, Policy, Principals, Statement, Word
from migrate.iam.quota import Quotas
from migrate.model import Fact, Known, Unknown

_UNNAMED: Final = "no entry of aws: names this bucket, or none that lets us in: it was not contacted"
_NO_KEYS: Final = "a saved answer has no policies of keys"
LIVE: Final = (
    "Read live. Not looked at: session policies, and VPC endpoints of accounts that no entry of aws: names."
)
SAVED: Final = (
    "From a saved answer: what the account said then. Policies of buckets, endpoints, sessions and the "
    "organization are not in it, and are taken to add nothing and to deny nothing; those of keys to leave it "
    "to the account: --live reads all but those of sessions."
)


class Eyes(Protocol):
    """Signed in to one account, to read."""

    @property
    def number(self) -> str: ...
    def account(self, page_read: Callable[[], None], /) -> Fact[Account]: ...
    def limits(self, account: str, kind: Kind, /) -> tuple[Layer, ...]: ...
    def endpoints(self, region: str, /) -> tuple[Layer, ...]: ...
    def around(
        self, bucket: str, region: str, named: Iterable[str], locking: Iterable[str], /
    ) -> Surroundings: ...


SignIn = Callable[[Access, str], Eyes]
"""The eyes of an entry, in a region. Raises RelockError where AWS does not let us in as the entry says."""


class View(Struct, frozen=True):
    """What accounts hold. `documents` are by account, and by the names that layers give their policies;
    `quotas` are by account; `unread` says what could not be read.
    """

    holders: tuple[Holder, ...] = ()
    documents: Mapping[str, Mapping[str, Kept]] = field(default_factory=dict)
    buckets: Mapping[str, Surroundings] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    quotas: Mapping[str, Quotas] = field(default_factory=dict)

    def around(self, bucket: str) -> Surroundings:
        return self.buckets.get(bucket, Surroundings(layers=(Layer(Kind.BUCKET, unseen=_UNNAMED),)))

    def own(self, holder: Holder) -> Sequence[Kept]:
        """The documents of a holder that its account can change: its own before those it shares."""
        documents = self.documents.get(holder.caller.account, {})
        named = (policy.name for one in holder.layers if one.kind is Kind.IDENTITY for policy in one.policies)
        found = [documents[name] for name in named if name in documents]
        ours = [one for one in found if not (isinstance(one.keeper, Managed) and one.keeper.is_awss)]
        return sorted(ours, key=lambda one: not isinstance(one.keeper, Inline))


def live(
    asked: Sequence[Asked], entries: Sequence[Access], sign_in: SignIn, page_read: Callable[[], None]
) -> View:
    """What the entries that name the buckets of these locks can see; one that does not let us in is told."""
    by_bucket = grouped(asked, lambda one: one.state.bucket)
    eyes, closed = _eyes(entries, by_bucket, sign_in)
    read = [(seer, seer.account(page_read)) for seer in _one_each(eyes.values())]
    buckets = {bucket: _around(bucket, of, eyes) for bucket, of in by_bucket.items()}
    accounts = [(seer.number, found) for seer, found in read]
    limits = {number: _limits(number, Kind.SCP, eyes.values()) for number, _ in accounts}
    view = _view(accounts, limits, {name: near for name, near in buckets.items() if near})
    return replace(view, unread=(*closed, *view.unread))


def _eyes(
    entries: Sequence[Access], by_bucket: Mapping[str, Sequence[Asked]], sign_in: SignIn
) -> tuple[Mapping[Access, Eyes], Sequence[str]]:
    """The eyes of every entry that names one of the buckets, and why some have none."""
    eyes: dict[Access, Eyes] = {}
    closed: list[str] = []
    for entry in entries:
        region = _region(entry, by_bucket)
        if region is not None:
            try:
                eyes[entry] = sign_in(entry, region)
            except RelockError as error:
                closed.append(f"{error.where}: {error.what}; {error.try_this}")
    return eyes, closed


def saved(
    accounts: Sequence[Account], entries: Sequence[Access], around: Around, asked: Sequence[Asked]
) -> View:
    """What saved answers say. They have nothing of buckets: `around` is what source knows of these.

    A bucket is of the account that an entry says; where none does, and only one account is here, of that one.
    """
    only = accounts[0].number if len(accounts) == 1 else ""
    buckets = {}
    for bucket in dict.fromkeys(one.state.bucket for one in asked):
        said = next((entry.account for entry in entries if names(entry, bucket)), only)
        near = around(bucket)
        layers = (*(one for one in near.layers if one.kind is not Kind.KEY), _handing_over(said))
        buckets[bucket] = replace(near, owner=said or None, layers=layers)
    known: list[tuple[str, Fact[Account]]] = [(one.number, Known(one, "seen")) for one in accounts]
    view = _view(known, {}, buckets)
    assumed = (f"Buckets that no entry of aws: names are taken to be of account {only}.",) if only else ()
    return replace(view, notes=(SAVED, *assumed))


def _handing_over(account: str) -> Layer:
    """The policy of a key as AWS makes it: the account's own policies count. More may stand in it."""
    every, root = Element((Word(("*",)),)), Word((f"arn:aws:iam::{account}:root",))
    grant = Statement("Allow", every, every, Principals((Named("AWS", root),)))
    return Layer(Kind.KEY, (Policy((grant,) if account else ()),), _NO_KEYS)


def names(entry: Access, bucket: str) -> bool:
    """Whether an entry of `aws:` speaks of a bucket: one of its globs matches."""
    return any(fnmatchcase(bucket, glob) for glob in entry.buckets)


def _region(entry: Access, by_bucket: Mapping[str, Sequence[Asked]]) -> str | None:
    """The region of the first bucket that an entry names; None where it names none."""
    named = (of[0].address.region for bucket, of in by_bucket.items() if names(entry, bucket))
    return next(named, None)


def _one_each(eyes: Iterable[Eyes]) -> Iterable[Eyes]:
    return {seer.number: seer for seer in eyes}.values()


def _around(bucket: str, of: Sequence[Asked], eyes: Mapping[Access, Eyes]) -> Surroundings | None:
    """A bucket as the first account sees it that owns it; None where no entry names it."""
    keys = {one.writing.kms_key for one in of}
    named = sorted(key.value for key in keys if isinstance(key, Known) and key.value)
    locking = sorted({str(one.table) for one in of if one.table})
    seers = list(_one_each(seer for entry, seer in eyes.items() if names(entry, bucket)))
    region, near = of[0].address.region, None
    for seer in seers:
        near = seer.around(bucket, region, named, locking)
        if near.owner:
            break
    if near is None:
        return None
    limits = _limits(near.owner, Kind.RCP, eyes.values()) if near.owner else ()
    ways = (layer for seer in seers for layer in seer.endpoints(region))
    return replace(near, layers=(*near.layers, *limits, *ways))


def _limits(account: str, kind: Kind, eyes: Iterable[Eyes]) -> tuple[Layer, ...]:
    """What the organization sets over an account, as the first sees it whom the organization answers."""
    found: tuple[Layer, ...] = ()
    for seer in sorted(eyes, key=lambda one: one.number != account):
        found = seer.limits(account, kind)
        if not any(layer.unseen for layer in found):
            break
    return found


def _view(
    accounts: Sequence[tuple[str, Fact[Account]]],
    limits: Mapping[str, tuple[Layer, ...]],
    buckets: Mapping[str, Surroundings],
) -> View:
    known = [found.value for _, found in accounts if isinstance(found, Known)]
    unread = [_told(number, found) for number, found in accounts if isinstance(found, Unknown)]
    unread += [flaw for account in known for flaw in account.flaws]
    unread += [line for number, layers in limits.items() for line in _unseen(f"account {number}", layers)]
    unread += [line for bucket, near in buckets.items() for line in _unread(bucket, near)]
    return View(
        holders=tuple(_named(known, limits)),
        documents={account.number: account.documents for account in known},
        buckets=buckets,
        notes=(LIVE,),
        unread=tuple(dict.fromkeys(unread)),
        quotas={account.number: account.quotas for account in known},
    )


def _told(number: str, found: Unknown) -> str:
    return f"account {number}: {found.why}" + (f"; {found.settle}" if found.settle else "")


def _unread(bucket: str, near: Surroundings) -> Iterator[str]:
    yield from _unseen(f"bucket {bucket}", near.layers)
    if isinstance(near.default_key, Unknown):
        yield f"bucket {bucket}: encryption: {near.default_key.why}"
    yield from (f"bucket {bucket}: {why}" for why in near.unread)


def _unseen(of: str, layers: Iterable[Layer]) -> Iterator[str]:
    found = (one for one in layers if one.unseen not in ("", _NO_KEYS))
    return (f"{of}: {one.kind.value}: {one.unseen}" for one in found)


def _named(accounts: Sequence[Account], limits: Mapping[str, tuple[Layer, ...]]) -> Iterator[Holder]:
    """Every holder under the organization's limits; of several accounts each with its account's number."""
    for account in accounts:
        for one in account.holders:
            name = one.name if len(accounts) == 1 else f"{account.number}/{one.name}"
            yield replace(one, name=name, layers=(*one.layers, *limits.get(account.number, ())))
