"""`tfrelock.campaign/1`: where a campaign stands, for programs."""

from __future__ import annotations

from collections import Counter

from migrate.progress import Entry, Offer, days, stuck
from migrate.report import CampaignReport
from migrate.reports.spelling import Json, dumps


def render(report: CampaignReport, /) -> str:
    progress = report.progress
    return dumps(
        {
            "schema": "tfrelock.campaign/1",
            "campaign": progress.campaign,
            "paused": progress.halted or None,
            "wave": progress.wave,
            "summary": _summary(report),
            "repositories": [_entry(entry, report.now) for _, entry in sorted(progress.entries.items())],
        }
    )


def _summary(report: CampaignReport) -> Json:
    progress = report.progress
    standing = Counter(offer.standing for entry in progress.active for offer in entry.offers.values())
    return {
        "repositories": len(progress.active),
        "left_out": len(progress.entries) - len(progress.active),
        "states": sum(len(entry.states) for entry in progress.active),
        "open": standing["open"],
        "merged": standing["merged"],
        "closed": standing["closed"],
        "stuck": len(list(report.stuck)),
    }


def _entry(entry: Entry, now: str) -> Json:
    return {
        "id": entry.repo,
        "url": entry.url or None,
        "branch_of": entry.of or None,
        "left_out": entry.left or None,
        "commit": entry.commit or None,
        "owner": entry.owner or None,
        "trouble": entry.trouble or None,
        "interrupted": bool(entry.busy),
        "states": [
            {
                "id": name,
                "now": state.now,
                "next": state.phase or None,
                "status": state.standing,
                "because": state.because or None,
            }
            for name, state in sorted(entry.states.items())
        ],
        "crossed_by": [
            {"url": one.url, "state": one.state or None, "why": one.why, "holds_retire": one.holds}
            for one in entry.crossings
        ],
        "proposals": [_offer(entry, offer, now) for _, offer in sorted(entry.offers.items())],
    }


def _offer(entry: Entry, offer: Offer, now: str) -> Json:
    return {
        "slice": offer.slice,
        "branch": offer.branch,
        "wave": entry.chosen.get(offer.slice),
        "standing": offer.standing or None,
        "draft": offer.draft,
        "title": offer.title or None,
        "number": offer.number or None,
        "url": offer.url or None,
        "head": offer.head or None,
        "reviews": offer.reviews or None,
        "checks": offer.checks or None,
        "since": offer.since or None,
        "seen": offer.at or None,
        "age_days": days(offer.since, now),
        "stuck": stuck(entry, offer, now) or None,
    }
