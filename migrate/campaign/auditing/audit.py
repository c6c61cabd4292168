"""The audit: what every repository holds, joined and judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from migrate.campaign.auditing.narrowed import narrowed, touches, without_excluded
from migrate.campaign.pinning.raises import raises
from migrate.campaign.reading.inventory import Inventory, excluded
from migrate.campaign.reading.narrowing import EVERYTHING, Narrowing, is_example
from migrate.campaign.reading.owning import owners
from migrate.dialects import BY_NAME
from migrate.estate import worlds
from migrate.estate.effective import names_table
from migrate.estate.roots import root_of
from migrate.model import Estate, LockWish, Outcome, Place, Refusal, Site, Suggestion
from migrate.report import Audit, Checkout, Finding, Unreadable, finding
from migrate.rules import ESTATE_RULES, RULES, binary_below_floor, floor_open, no_common_lock


def audit(
    inventories: Sequence[Inventory],
    estate: Estate,
    checkouts: Sequence[Checkout],
    now: str,
    narrowing: Narrowing = EVERYTHING,
) -> Audit:
    """Judge the joined estate; `now` is an ISO 8601 date. What `narrowing` leaves out is known and not
    reported.
    """
    sites = [site for site in all_sites(inventories) if narrowing.selects(site)]
    return Audit(
        checkouts=tuple(checkouts),
        estate=narrowed(estate, narrowing),
        sites=tuple(sites),
        findings=tuple(_refused(_once(_findings(estate, now, narrowing)), estate)),
        held={**_held(inventories, sites), **_excluded(inventories, narrowing)},
        unreadable=tuple(_unreadable(inventories)),
        left=tuple(_left(inventories)),
        examples=frozenset(site.id for site in sites if is_example(site.path)),
        owners=owners(inventories, estate),
    )


def all_sites(inventories: Iterable[Inventory]) -> Iterator[Site]:
    """Every site of every repository, in a stable order."""
    for inventory in inventories:
        yield from sorted(inventory.survey.sites, key=lambda site: (site.path.parts, site.span))


def _findings(estate: Estate, now: str, narrowing: Narrowing) -> Iterator[Finding]:
    """In the order of the rules: what has no common lock stands first, and that counts all clients."""
    whole = [world for world in worlds(estate, now) if touches(narrowing, world.stack)]
    shown = without_excluded(narrowing, whole)
    for rule in RULES:
        for world in whole if rule is no_common_lock else shown:
            for verdict in rule.check(world):
                if verdict.outcome is not Outcome.HOLDS:
                    about_state = verdict.subject == str(world.stack.id)
                    yield finding(rule, verdict, world.stack.id if about_state else None)
    for estate_rule in ESTATE_RULES:
        for verdict in estate_rule.check_estate(estate):
            if verdict.where is None or narrowing.takes(verdict.where.repo, verdict.where.path):
                yield finding(estate_rule, verdict, None)


def _once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """What is about a place is found again with every state it serves; the same of another line stays."""
    before: Counter[str] = Counter()
    for one in {(one.id, one.where): one for one in findings}.values():
        again = before[one.id]
        before[one.id] += 1
        yield replace(one, again=again) if again else one


def _refused(findings: Iterable[Finding], estate: Estate) -> Iterator[Finding]:
    """What the pin step cures has that remedy, but where the step refuses: there it has the refusal's."""
    found = list(findings)
    held = dict(_held_pins(estate)) if any(one.rule in _CURED_BY_PIN for one in found) else {}
    for one in found:
        why = held.get(one.where) if one.rule in _CURED_BY_PIN and one.where else None
        yield replace(one, remedy=f"{why.why}: {why.remedy}", fix="none") if why else one


_CURED_BY_PIN: Final = (floor_open.NAME, binary_below_floor.NAME)


def _held_pins(estate: Estate) -> Iterator[tuple[Place, Refusal]]:
    answers = raises(estate)
    for backend in estate.backends:
        answer = answers.get(root_of(backend))
        if isinstance(answer, Refusal):
            yield backend.place, answer
            yield from ((pin.place, answer) for pin in backend.pins)


def _held(inventories: Sequence[Inventory], sites: Iterable[Site]) -> Mapping[str, Refusal | Suggestion]:
    sources = {inventory.survey.repo: inventory.sources for inventory in inventories}
    held: dict[str, Refusal | Suggestion] = {}
    for site in sites:
        wish = LockWish.READ if site.role == "reader" else LockWish.DUAL
        asked = names_table(site) or site.why_not
        answer = BY_NAME[site.dialect].edit(sources[site.repo], site, wish) if asked else {}
        if isinstance(answer, Refusal | Suggestion):
            held[site.id] = answer
        elif site.why_not:
            held[site.id] = Refusal(site.place, site.why_not, "edit it by hand, in the same steps")
    return held


def _excluded(inventories: Iterable[Inventory], narrowing: Narrowing) -> Mapping[str, Refusal]:
    """What names a table and is left out by name: it holds its state back until somebody changes it."""
    out = (site for site in all_sites(inventories) if narrowing.excludes(site.repo, site.path))
    return {site.id: Refusal(site.place, "it is excluded", _INCLUDE) for site in out if names_table(site)}


_INCLUDE: Final = "take it out of exclude, or change it by hand in the same steps"


def _unreadable(inventories: Iterable[Inventory]) -> Iterator[Unreadable]:
    for inventory in inventories:
        for item in inventory.unreadable:
            yield Unreadable(inventory.survey.repo, item.path, item.why, item.line)


def _left(inventories: Iterable[Inventory]) -> Iterator[str]:
    for inventory in inventories:
        for left in inventory.left:
            yield f"{left.path}: {left.why}"
        yield from excluded(inventory.told)
