"""Whether the edit of a policy did what was wished alone: it is found anew, and read by a second parser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeAlias

from msgspec.structs import replace

from migrate import policies
from migrate.campaign.access.roles import acting
from migrate.campaign.editing.texts import File, Texts
from migrate.campaign.reading.inventory import Inventory
from migrate.iam.adding import adds_locks_only
from migrate.iam.target import Grant
from migrate.model import Refusal, RepoId, Source, Suggestion
from migrate.proof import only_grows
from migrate.spelling.written import PolicyWish, Written

Whose: TypeAlias = Mapping[tuple[RepoId, PurePosixPath, str], str]
"""By repository, file and name, why no edit is made of a policy."""


def understood(inventory: Inventory, wish: PolicyWish) -> Sequence[Written]:
    """The policies as a wish is held against them: a removal wants them as they are written."""
    return tuple(acting(inventory)) if isinstance(wish, Grant) else inventory.policies


def told_only(written: Written, whose: Whose) -> Written:
    """The policy, with the reason why it is not edited where `whose` has one for it."""
    why = whose.get((written.repo, written.path, written.name))
    return replace(written, why_not=why) if why else written


def strayed(
    texts: Texts, inventories: Sequence[Inventory], wish: PolicyWish, whose: Whose
) -> Iterator[tuple[File, str]]:
    """Each file whose edit is not given out, and why; it is taken out of `texts`."""
    for inventory in inventories:
        for path, source in inventory.sources.items():
            after = texts.get((source.repo, path))
            if after is not None:
                why = _why(inventory, source, replace(source, text=after), wish, whose)
                if why:
                    del texts[source.repo, path]
                    yield (source.repo, path), why


def _why(inventory: Inventory, before: Source, after: Source, wish: PolicyWish, whose: Whose) -> str:
    had = tuple(written for written in inventory.policies if written.path == before.path)
    plugs = [policies.BY_NAME[name] for name in sorted({written.plug for written in had})]
    has = tuple(written for plug in plugs for written in plug.find(after).items)
    old, new = (understood(replace(inventory, policies=found), wish) for found in (had, has))
    if any(_wants(after, told_only(written, whose), wish) for written in new):
        return "it would not be complete after the edit"
    less, more = (before, after) if isinstance(wish, Grant) else (after, before)
    if isinstance(wish, Grant) and not _only_locks(old, new):
        return "after the edit its policies would not be as they were with locks added"
    return (
        ""
        if only_grows(less, more.text)
        else "the second parser sees another difference than the one wished for"
    )


def _wants(source: Source, written: Written, wish: PolicyWish) -> bool:
    answer = policies.BY_NAME[written.plug].edit({source.path: source}, written, wish)
    return bool(answer) and not isinstance(answer, Refusal | Suggestion)


def _only_locks(old: Sequence[Written], new: Sequence[Written]) -> bool:
    had = {(written.plug, written.name): written.policy for written in old}
    has = {(written.plug, written.name): written.policy for written in new}
    return had.keys() == has.keys() and all(adds_locks_only(had[name], has[name]) for name in had)
