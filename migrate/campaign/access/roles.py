"""The holders of policies that source has, over all repositories, and what it says of buckets."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from migrate import roles
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.estate.paths import within
from migrate.evaluation.opentofu import READ
from migrate.iam.holder import Holder, Surroundings
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Element, Named, Policy, Principals, Statement, Word
from migrate.model import RepoId
from migrate.policies import cloudformation
from migrate.spelling.written import Written

_OF_OTHERS: Final = (
    r'"aws_(?:organizations_policy|vpc_endpoint(?:_policy)?)"(?s:.*)\n\s*(?:policy|content)\s*='
)
_LIMITING: Final = re.compile(f"\\bpermissions_boundary\\b|{_OF_OTHERS}")
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


class FromSource(Struct, frozen=True):
    """Who holds what, as source says, and the policies of buckets by their names."""

    holders: tuple[Holder, ...]
    buckets: dict[str, list[Layer]] = field(default_factory=dict)

    def around(self, bucket: str) -> Surroundings:
        return Surroundings(layers=(*self.buckets.get(bucket, ()), _ANY_KEY))


def from_source(inventories: Sequence[Inventory], narrowing: Narrowing) -> FromSource:
    """Follow every selected policy to those who hold it."""
    holders: list[Holder] = []
    buckets: dict[str, list[Layer]] = defaultdict(list)
    for inventory in inventories:
        written, used = _by_file(inventory.policies), set[tuple[PurePosixPath, str]]()
        for folder in _folders(inventory):
            module = _module(inventory, folder)
            used |= {policy for policy, _ in roles.limits(module, written)}
            documents = roles.Documents(module, written, used)
            for bucket, layer in roles.guards(module, documents):
                buckets[bucket].append(layer)
            holders += roles.holders(module, documents)
        for path, found in sorted(written.items()):
            holders += roles.cloudformation.holders(inventory.sources[path], found)
        holders += (who.holder() for who in roles.loose(_beside(inventory.policies, used)))
    holders = [one for one in holders if one.where and narrowing.takes(one.where.repo, one.where.path)]
    return FromSource(tuple(_told_apart(holders)), buckets)


def _folders(inventory: Inventory) -> list[PurePosixPath]:
    """The directories of Terraform that say something of IAM."""
    return _holding(inventory, re.compile(f"aws_iam_|{_OF_OTHERS}"))


def limited(inventories: Iterable[Inventory]) -> Mapping[tuple[RepoId, PurePosixPath, str], str]:
    """By repository, file and name, the policies that limit everybody behind them, and whose they are."""
    found = {}
    for inventory in inventories:
        written = _by_file(inventory.policies)
        for folder in _holding(inventory, _LIMITING) if written else ():
            for (path, name), why in roles.limits(_module(inventory, folder), written):
                found[inventory.survey.repo, path, name] = why
    return found


def _holding(inventory: Inventory, words: re.Pattern[str]) -> list[PurePosixPath]:
    code = (source for path, source in inventory.sources.items() if path.suffix in (".tf", ".tofu"))
    return sorted({source.path.parent for source in code if words.search(source.text)})


def _beside(policies: Iterable[Written], used: Container[tuple[PurePosixPath, str]]) -> Iterator[Written]:
    """The policies in files of their own, in scripts and in programs that no argument led to."""
    for one in policies:
        apart = one.plug != cloudformation.NAME and one.path.suffix not in (".tf", ".tofu")
        if apart and (one.path, one.name) not in used:
            yield one


def _by_file(policies: Iterable[Written]) -> dict[PurePosixPath, list[Written]]:
    found: dict[PurePosixPath, list[Written]] = defaultdict(list)
    for one in policies:
        found[one.path].append(one)
    return found


def _module(inventory: Inventory, folder: PurePosixPath) -> roles.Module:
    tree = inventory.tree
    texts = {name: tree.text(folder / name) or "" for name in tree.names(folder) if name.endswith(READ)}
    links = (link for link in inventory.survey.links if link.kind == "module")
    called = any(within(link.origin.path.parent, link.target) == folder for link in links)
    return roles.module(inventory.survey.repo, folder, texts, called=called)


def _told_apart(holders: Sequence[Holder]) -> Iterator[Holder]:
    """Of holders that share a name each is told by its place as well."""
    names = Counter(map(str, holders))
    for one in holders:
        yield replace(one, name=f"{one.name} ({one.where})") if names[str(one)] > 1 else one
