"""What a change does to each lock, and whether it may: the line of a pull-request check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from migrate.campaign.auditing.narrowed import touches
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import EVERYTHING, Narrowing
from migrate.estate.changes import key, retires
from migrate.estate.pairing import transitions
from migrate.model import Estate, Outcome, Setting, Stack, Transition, Verdict, World
from migrate.report import Finding, finding
from migrate.rules import GATES, TRANSITION_RULES
from migrate.steps import BY_PHASE, judge


def doubted(after: Inventory, before: Estate) -> Inventory:
    """What a change leaves of a repository, where only what was a module, or overridden, before it is taken
    for that after it: what is new must not hide what the change does to the lock of its directory.
    """
    repo = after.survey.repo
    written = {backend.root for backend in before.backends if backend.repo == repo}
    modules = {idle.site.root for idle in before.idle if idle.site.repo == repo} - written
    roots = {site.root for site in after.survey.sites if site.role == "writer"} - modules
    kept = replace(after.survey, roots=frozenset(roots), configured={})  # the base's: a root may be gone
    return replace(after, survey=kept)


def guard(before: Estate, after: Estate, now: str, narrowing: Narrowing = EVERYTHING) -> Iterator[Finding]:
    """Every rule about the transitions that `narrowing` takes; where a writer comes to lock without the
    table, the gates of retire.
    """
    changes = _changes(before, after, now, narrowing)
    for rule in TRANSITION_RULES:
        for change in changes:
            for verdict in rule.check_transition(change):
                world = change.after or change.before
                yield finding(rule, verdict, world.stack.id if world else None)
    for verdict, stack in sorted(_retiring(changes), key=lambda said: said[0].rule):
        if verdict.outcome is not Outcome.HOLDS:
            where = verdict.where or stack.backends[0].place
            yield finding(GATES[verdict.rule], replace(verdict, where=where), stack.id)


def stated(before: Estate, after: Estate, now: str, narrowing: Narrowing = EVERYTHING) -> Iterator[Verdict]:
    """The gates of retire that a change passes because somebody said so."""
    changes = _changes(before, after, now, narrowing)
    yield from (verdict for verdict, _ in _retiring(changes) if verdict.by == "stated")


def touched(before: Estate, after: Estate, now: str, narrowing: Narrowing = EVERYTHING) -> frozenset[str]:
    """The states that are not after a change as they were before it: in their writers, readers or lock."""
    return frozenset(
        str(change.after.stack.id)
        for change in _changes(before, after, now, narrowing)
        if change.after and _said(change.before) != _said(change.after)
    )


def _said(world: World | None) -> object:
    """All that counts of a state's writers and readers, wherever in their files it stands."""
    if world is None:
        return None
    writers = Counter(
        (*key(b), str(b.lock), str(b.table), _values(b.settings.values())) for b in world.stack.backends
    )
    readers = Counter((r.repo, str(r.path), r.name, _values(r.settings)) for r in world.stack.readers)
    return writers, readers


def _values(settings: Iterable[Setting]) -> frozenset[str]:
    return frozenset(f"{setting.name} {setting.value}" for setting in settings)


def _changes(before: Estate, after: Estate, now: str, narrowing: Narrowing) -> list[Transition]:
    """What becomes of each state that something selected writes or reads, before or after."""
    return [change for change in transitions(before, after, now) if _touches(narrowing, change)]


def _touches(narrowing: Narrowing, change: Transition) -> bool:
    return any(world and touches(narrowing, world.stack) for world in (change.before, change.after))


def _retiring(changes: Iterable[Transition]) -> Iterator[tuple[Verdict, Stack]]:
    """What the gates of retire say of each state that a writer comes to lock without the table."""
    for change in changes:
        if change.after and retires(change):
            said = _said_before(change)
            for verdict in judge(BY_PHASE["retire"], change.after):
                unknown = verdict.outcome is Outcome.UNKNOWN
                yield said.get(verdict.rule, verdict) if unknown else verdict, change.after.stack


def _said_before(change: Transition) -> Mapping[str, Verdict]:
    """The gates that are stated to be open of the writers before a change that adds none: what is said of a
    table speaks of those that name it, and after the change nobody does.
    """
    roots = [{(b.repo, b.root) for b in w.stack.backends} for w in (change.before, change.after) if w]
    if change.before is None or not roots[-1] <= roots[0]:
        return {}
    said = judge(BY_PHASE["retire"], change.before)
    shut = {verdict.rule for verdict in said if verdict.outcome is not Outcome.HOLDS}
    return {v.rule: v for v in said if v.by == "stated" and v.rule not in shut}
