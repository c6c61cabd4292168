"""The steps on policies in source: the grant of locks to whoever writes a state, and the end of tables'."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from migrate import policies
from migrate.campaign.access.questions import questions, target
from migrate.campaign.access.roles import limited
from migrate.campaign.access.unread import unread_policies
from migrate.campaign.editing.edit import EditResult, Limits, edit_result
from migrate.campaign.editing.policy_room import crowded
from migrate.campaign.editing.policy_votes import Whose, strayed, told_only, understood
from migrate.campaign.editing.texts import File, changed, composed, differences, sources_of
from migrate.campaign.editing.unused import unused, with_attachments
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.iam.revoke import Revoke
from migrate.iam.target import Grant, Target
from migrate.model import Estate, Known, Place, Refusal, Suggestion
from migrate.spelling.written import PolicyWish, Written, notes
from migrate.text import Op

_BY_HAND: Final[Mapping[type[PolicyWish], str]] = {
    Grant: "grant s3:GetObject, s3:PutObject, s3:DeleteObject by hand",
    Revoke: "take the lock table out by hand",
}


def lock_grant(estate: Estate) -> Grant:
    """The lock of every known state, and of those that a policy tells of itself beside a lock table."""
    tables = (backend.table for backend in estate.backends if backend.table)
    names = {table.name.value for table in tables if isinstance(table.name, Known)}
    targets = dict.fromkeys(map(target, questions(estate, Narrowing())))
    return Grant((*targets, Target(None)), tables=tuple(sorted(names)))


def table_revoke(estate: Estate) -> Revoke:
    """Nobody's rights to lock tables any more, but to those that a client still names, or may."""
    made = {one.table.value for one in estate.definitions if isinstance(one.table, Known)}
    return Revoke(tuple(sorted(made)), tuple(sorted(set(_named_tables(estate)))))


def _named_tables(estate: Estate) -> Iterator[str]:
    """The tables that backends and readers name; `*` for one that an expression or an unread file names."""
    tables = [backend.table.name for backend in estate.backends if backend.table]
    yield from (name.value if isinstance(name, Known) else "*" for name in tables)
    for stack in estate.stacks:
        settings = (site.setting("dynamodb_table") for site in stack.readers)
        yield from (str(one.value.value) if isinstance(one.value, Known) else "*" for one in settings if one)
    yield from ("*" for mention in estate.mentions if not mention.accounted)


def edit(inventories: Sequence[Inventory], wish: PolicyWish, limits: Limits) -> EditResult:
    """Make the wish true of every selected policy that it concerns and that can be edited."""
    sources = sources_of(inventories)
    ops: dict[File, list[Op]] = defaultdict(list)
    held: list[Refusal | Suggestion] = []
    said: dict[File, list[str]] = defaultdict(list)
    whose, by_hand = limited(inventories), _BY_HAND[type(wish)]
    for written in _selected(inventories, wish, limits.narrowing, whose):
        answer = policies.BY_NAME[written.plug].edit(sources[written.repo], written, wish)
        if isinstance(answer, Mapping):
            answer = limits.local(written.place) or answer
        if isinstance(answer, Refusal | Suggestion):
            of_repo = sources[written.repo]
            held.append(with_attachments(answer, written, of_repo) if isinstance(answer, Refusal) else answer)
            continue
        for path, wanted in answer.items():
            ops[written.repo, path] += wanted
            said[written.repo, path] += notes(written, wish)
    texts, conflicts = composed(sources, ops)
    held += [Refusal(Place(*file, 1), why, "edit this file by hand") for file, why in conflicts.items()]
    held += [Refusal(Place(*file, 1), why, by_hand) for file, why in strayed(texts, inventories, wish, whose)]
    held += list(crowded(texts, inventories)) if isinstance(wish, Grant) else []
    held += [replace(one, remedy=by_hand) for one in unread_policies(inventories, limits.narrowing)]
    for file, note in unused(sources, texts) if isinstance(wish, Revoke) else ():
        said[file].append(note)
    return edit_result(changed(sources, texts, differences(sources, texts, limits.each), said), held)


def _selected(
    inventories: Sequence[Inventory], wish: PolicyWish, narrowing: Narrowing, whose: Whose
) -> Iterator[Written]:
    for inventory in inventories:
        for written in understood(inventory, wish):
            if narrowing.takes(written.repo, written.path):
                yield told_only(written, whose)
