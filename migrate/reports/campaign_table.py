"""Where a campaign stands, for people: repositories with their states and proposals, then what is stuck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from migrate.progress import Entry, Offer, days
from migrate.report import CampaignReport
from migrate.reports.layout import Beside, Line, Rows
from migrate.reports.spelling import counted, printable


def lines(report: CampaignReport, /) -> Iterator[Line]:
    yield from _head(report)
    found = (row for entry in report.progress.active for row in _rows(entry, report.now))
    rows = [tuple(map(printable, row)) for row in found]
    if rows:
        yield Rows([("REPOSITORY", "WHAT", "STANDS", "REVIEWS", "CHECKS", "AGE", "OWNER", "WHERE"), *rows])
    stuck = list(report.stuck)
    if stuck:
        yield f"stuck: {len(stuck)}"
        for entry, offer, why in stuck:
            what = f" {offer.slice}" if offer else ""
            yield Beside(printable(f"  {entry.repo}{what}"), printable(why))


def _head(report: CampaignReport) -> Iterator[str]:
    progress = report.progress
    offers = [offer for entry in progress.active for offer in entry.offers.values()]
    standing = Counter(offer.standing for offer in offers)
    waves = f", wave {progress.wave}" if progress.wave else ""
    yield (
        f"campaign {printable(progress.campaign)}: "
        f"{counted(len(progress.active), 'repository')}{waves}; "
        f"proposals: {standing['open']} open, {standing['merged']} merged, {standing['closed']} closed"
    )
    left = Counter(entry.left for entry in progress.entries.values() if entry.left)
    if left:
        yield "left out: " + ", ".join(f"{count} {printable(why)}" for why, count in sorted(left.items()))
    if progress.halted:
        yield printable(f"paused: {progress.halted}")


def _rows(entry: Entry, now: str) -> Iterator[tuple[str, ...]]:
    """A line for each proposal and each state; a repository of which nothing is known has one, too."""
    for _, offer in sorted(entry.offers.items()):
        age = f"{days(offer.since, now)} d"
        yield (
            entry.repo,
            offer.slice,
            _stands(offer),
            offer.reviews,
            offer.checks,
            age,
            entry.owner,
            offer.url,
        )
    for name, state in sorted(entry.states.items()):
        step = f"{state.phase} {state.standing}" if state.phase else "done"
        yield (entry.repo, name, f"{state.now} → {step}", "", "", "", "", "")
    if not entry.offers and not entry.states:
        yield (entry.repo, "", "no state of S3" if entry.commit else "not read yet", "", "", "", "", "")


def _stands(offer: Offer) -> str:
    number = f" {offer.number}" if offer.number else ""
    draft = ", a draft" if offer.draft and offer.standing == "open" else ""
    return f"{offer.standing or 'not made'}{number}{draft}"
