"""Whether AWS would still take all that a role keeps once its policies have grown."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeAlias

from msgspec.structs import replace

from migrate import policies
from migrate.campaign.access.roles import from_source
from migrate.campaign.editing.texts import Texts
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.iam.adding import added
from migrate.iam.holder import Holder
from migrate.iam.layers import Kind
from migrate.iam.policy import Statement
from migrate.iam.quota import DEFAULT, inline_excess
from migrate.model import Refusal, RepoId, Source
from migrate.roles.module import CODE
from migrate.spelling.written import Written

_Name: TypeAlias = tuple[RepoId, str]
"""Repository, and file and line: the name that a holder's layer gives a policy of source."""
_Come: TypeAlias = Mapping[_Name, tuple[Statement, ...]]


def crowded(texts: Texts, inventories: Sequence[Inventory]) -> Iterator[Refusal]:
    """Each holder whose inline policies would be too long together; its edited files leave `texts`."""
    come = dict(_coming(texts, inventories))
    for holder in from_source(_around(texts, inventories), Narrowing()).holders if come else ():
        if holder.where:
            repo = holder.where.repo
            grown = [name for name in holder.inline if (repo, name) in come]
            why = _excess(holder, repo, come) if grown else ""
            if why:
                for name in grown:
                    texts.pop((repo, PurePosixPath(name.rpartition(":")[0])), None)
                yield Refusal(holder.where, f"{holder}: {why}", DEFAULT.beside(holder.kind, holder.attached))


def _around(texts: Texts, inventories: Sequence[Inventory]) -> Sequence[Inventory]:
    """What holders are made of: a policy in code is kept by a role of its own folder."""
    if any(path.suffix not in CODE for _, path in texts):
        return inventories
    folders = {(repo, path.parent) for repo, path in texts}
    return [_part(inventory, folders) for inventory in inventories]


def _part(inventory: Inventory, folders: Container[tuple[RepoId, PurePosixPath]]) -> Inventory:
    repo = inventory.survey.repo
    sources = {path: one for path, one in inventory.sources.items() if (repo, path.parent) in folders}
    policies_ = tuple(one for one in inventory.policies if one.path in sources)
    return replace(inventory, sources=sources, policies=policies_)


def _coming(texts: Texts, inventories: Sequence[Inventory]) -> Iterator[tuple[_Name, tuple[Statement, ...]]]:
    """The statements that each edited policy gains."""
    for inventory in inventories:
        for old in inventory.policies:
            after = texts.get((old.repo, old.path))
            if after is not None:
                yield (old.repo, f"{old.path}:{old.line}"), _gained(old, Source(old.repo, old.path, after))


def _gained(old: Written, after: Source) -> tuple[Statement, ...]:
    found = (one.policy for one in policies.BY_NAME[old.plug].find(after).items if one.name == old.name)
    return next((added(old.policy, new) for new in found), ())


def _excess(holder: Holder, repo: RepoId, come: _Come) -> str:
    own = [policy for one in holder.layers if one.kind is Kind.IDENTITY for policy in one.policies]
    kept = [
        replace(policy, statements=(*policy.statements, *come.get((repo, policy.name), ())))
        for policy in own
        if policy.name in holder.inline
    ]
    return "" if holder.kind == "policy" else inline_excess(holder.kind, kept)
