"""The holders of policies that source has, over all repositories, and what it says of buckets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate import roles
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing, is_example
from migrate.estate.modules import calls
from migrate.evaluation.opentofu import READ
from migrate.grouping import grouped
from migrate.iam.holder import Holder, Surroundings
from migrate.iam.key_rights import told_apart
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Element, Named, Policy, Principals, Statement, Word
from migrate.model import RepoId
from migrate.policies import cloudformation
from migrate.spelling.written import Written


def _of(types: str) -> str:
    """A file with resources of these types that have a policy."""
    return rf'"aws_(?:{types})"(?s:.*)\n\s*(?:policy|content)\s*='


_OF_OTHERS: Final = _of("organizations_policy|vpc_endpoint(?:_policy)?")
_SPEAKING: Final = re.compile(f"aws_iam_|{_of('s3_bucket(?:_policy)?')}|{_OF_OTHERS}")
"""What says something of IAM, or of who may use a bucket."""
_LIMITING: Final = re.compile(f"\\bpermissions_boundary\\b|{_OF_OTHERS}")
_NOTHING: Final = re.compile(r"(?!)")
_STAR: Final = Word(("*",))
_ANY_KEY: Final = Layer(
    Kind.KEY,
    (Policy((Statement("Allow", Element((_STAR,)), Element((_STAR,)), Principals((Named("*", _STAR),))),)),),
)
"""Rights to a key are decided by its policy as much, which source seldom has: only a Deny is told of them."""

_NOT_LOOKED_AT: Final = (
    "service control and resource control policies, policies of endpoints and of sessions, rights to KMS "
    "keys, and what other repositories attach"
)
NOTES: Final = (
    f"From source: what is merged here, not what is live. Not looked at: {_NOT_LOOKED_AT}.",
    "Role and bucket are taken to be of one account.",
)

_NOT_WEIGHED: Final = "Not weighed: the policy of a bucket"
_UNTOLD: Final = "whose name is an expression that does not speak of state"


class FromSource(Struct, frozen=True):
    """Who holds what, as source says, and the policies of buckets."""

    holders: tuple[Holder, ...]
    guards: tuple[roles.Guard, ...] = ()
    policies: tuple[Policy, ...] = ()
    """All that were read, whosever they are."""

    def around(self, bucket: str) -> Surroundings:
        """A bucket has one policy: of several that may be its, nobody knows which is."""
        ours = [one for one in self.guards if one.bucket.literal == bucket]
        may_be = ours or [one for one in self.guards if one.policies and one.may_be_of(bucket)]
        found = _policy(may_be) if len(ours) == 1 else _perhaps(bucket, may_be)
        apart = told_apart(self.policies, f"arn:aws:s3:::{bucket}")
        key = Layer(Kind.KEY, unseen=apart) if apart else _ANY_KEY
        return Surroundings(layers=(*([found] if may_be else []), key))

    def unplaced(self, buckets: Iterable[str]) -> tuple[str, ...]:
        """The policies that are not weighed, may be these buckets' and may refuse a lock, in words."""
        names = set(buckets)
        unnamed = (one for one in self.guards if one.may_refuse and not one.names_bucket)
        open_ = [one for one in unnamed if any(map(one.bucket.matches, names))]
        hidden = (one for one in open_ if one.unseen and any(map(one.may_be_of, names)))
        left = [one for one in open_ if not any(map(one.may_be_of, names))]
        more = f" and {len(left) - 1} more" if left[1:] else ""
        return (
            *(f"{_NOT_WEIGHED} at {one.place}, which may be a state's: {one.unseen}." for one in hidden),
            *(f"{_NOT_WEIGHED} at {one.place}{more}, {_UNTOLD}." for one in left[:1]),
        )


def _policy(ours: Sequence[roles.Guard]) -> Layer:
    return Layer(
        Kind.BUCKET,
        tuple(policy for one in ours for policy in one.policies),
        "; ".join(one.unseen for one in ours if one.unseen),
    )


def _perhaps(bucket: str, may_be: Sequence[roles.Guard]) -> Layer:
    whole = _policy(may_be)
    hanging = (replace(one, hangs_on=f"{one.name} being the policy of {bucket}") for one in whole.policies)
    return replace(whole, policies=tuple(hanging))


def from_source(inventories: Sequence[Inventory], narrowing: Narrowing) -> FromSource:
    """Follow every selected policy to those who hold it."""
    holders: list[Holder] = []
    guards: list[roles.Guard] = []
    for inventory in inventories:
        written, used = grouped(inventory.policies, lambda one: one.path), set[tuple[PurePosixPath, str]]()
        for module in _modules(inventory, _SPEAKING, written):
            used |= {policy for policy, _ in roles.limits(module, written)}
            documents = roles.Documents(module, written, used)
            guards += roles.guards(module, documents)
            holders += roles.holders(module, documents)
            guards += roles.unplaced(documents.unused())
        for path, found in sorted(written.items()):
            template = roles.cloudformation.read(inventory.sources[path], found)
            holders += template.holders
            guards += template.guards
        beside = tuple(_beside(inventory.policies, used))
        holders += (who.holder() for who in roles.loose(beside))
        guards += roles.unplaced(beside)
    holders = [one for one in holders if one.where and narrowing.takes(one.where.repo, one.where.path)]
    theirs = (one for one in guards if one.names_bucket or not is_example(one.place.path))
    policies = tuple(one.policy for inventory in inventories for one in inventory.policies)
    return FromSource(tuple(_told_apart([*_joined(holders)])), tuple(theirs), policies)


def limited(inventories: Iterable[Inventory]) -> Mapping[tuple[RepoId, PurePosixPath, str], str]:
    """By repository, file and name, the policies that limit everybody behind them, and whose they are."""
    found = {}
    for inventory in inventories:
        written = grouped(inventory.policies, lambda one: one.path)
        for module in _modules(inventory, _LIMITING) if written else ():
            for (path, name), why in roles.limits(module, written):
                found[inventory.survey.repo, path, name] = why
    return found


def acting(inventory: Inventory) -> Iterator[Written]:
    """The policies of a repository, with the actions that names of its modules come to."""
    named = {one.path for one in inventory.policies if _names_actions(one.policy)}
    modules = _modules(inventory, _NOTHING, named) if named else ()
    scopes = {one.folder: one.scope for one in modules}
    for one in inventory.policies:
        scope = scopes.get(one.path.parent)
        yield replace(one, policy=roles.acting(one.policy, scope.value)) if scope else one


def _names_actions(policy: Policy) -> bool:
    words = (word for one in policy.statements for word in one.actions.words)
    return any(word.literal is None for word in words)


def _modules(
    inventory: Inventory, words: re.Pattern[str], also: Container[PurePosixPath] = ()
) -> Iterator[roles.Module]:
    """The directories of Terraform that hold one of the words, or a file of `also`."""
    code = (source for path, source in inventory.sources.items() if path.suffix in (".tf", ".tofu"))
    folders = {one.path.parent for one in code if one.path in also or words.search(one.text)}
    tree, called = inventory.tree, frozenset[PurePosixPath]().union(*calls(inventory.survey).values())
    for folder in sorted(folders):
        texts = {name: tree.text(folder / name) or "" for name in tree.names(folder) if name.endswith(READ)}
        yield roles.module(inventory.survey.repo, folder, texts, called=folder in called)


def _beside(policies: Iterable[Written], used: Container[tuple[PurePosixPath, str]]) -> Iterator[Written]:
    """The policies in files of their own, in scripts and in programs that no argument led to."""
    for one in policies:
        apart = one.plug != cloudformation.NAME and one.path.suffix not in (".tf", ".tofu")
        if apart and (one.path, one.name) not in used:
            yield one


def _joined(holders: Sequence[Holder]) -> Iterator[Holder]:
    """Each with what is attached elsewhere to one of its name, which it may be."""
    beside = grouped((one for one in holders if not one.made), str)
    return (_with(one, beside[str(one)]) if one.made and str(one) in beside else one for one in holders)


def _with(one: Holder, beside: Iterable[Holder]) -> Holder:
    own, *limits = one.layers
    policies, hidden = [*own.policies], [own.unseen]
    for other in beside:
        theirs, meaning = other.layers[0], f"{other.where} meaning this {one.kind}"
        policies += (replace(each, hangs_on=roles.both(each.hangs_on, meaning)) for each in theirs.policies)
        hidden += [theirs.unseen] if theirs.unseen != roles.ELSEWHERE else []
    unseen = "; ".join(filter(None, hidden))
    return replace(one, layers=(replace(own, policies=tuple(policies), unseen=unseen), *limits))


def _told_apart(holders: Sequence[Holder]) -> Iterator[Holder]:
    """Of holders that share a name each is told by its place as well."""
    names = Counter(map(str, holders))
    for one in holders:
        yield replace(one, name=f"{one.name} ({one.where})") if names[str(one)] > 1 else one
