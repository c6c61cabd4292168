"""Findings that somebody silenced: in a configuration, or in a comment at the place itself.

A waiver silences a finding and opens no gate: what a gate says is never taken away here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import TypeAlias

from msgspec import Struct

from migrate.campaign.reading.inventory import Inventory
from migrate.config import Waiver
from migrate.model import Place, RepoId
from migrate.report import Finding
from migrate.rules import ALL, GATES
from migrate.waivers import Flaw, InlineWaiver, waivers

File: TypeAlias = tuple[RepoId, PurePosixPath]


class Waived(Struct, frozen=True):
    """All waivers of some repositories, and the comments that mean to be waivers and are none."""

    configured: Mapping[RepoId, Sequence[Waiver]]
    inline: Mapping[File, Sequence[InlineWaiver]]
    flaws: Sequence[tuple[Place, str]]

    def silences(self, finding: Finding, now: str) -> bool:
        """Whether a finding need not be reported; `now` is an ISO 8601 date."""
        where = finding.where
        if where is None or finding.rule in GATES:
            return False
        configured = self.configured.get(where.repo, ())
        inline = self.inline.get((where.repo, where.path), ())
        return any(_covers(waiver, finding.rule, where.path, now) for waiver in configured) or any(
            waiver.covers(finding.rule, where.line, now) for waiver in inline
        )

    def also_in(self, base: Waived) -> Waived:
        """Only what stands word for word in `base` too: a change cannot excuse itself."""
        known = {(file, _words(waiver)) for file, read in base.inline.items() for waiver in read}
        inline = {
            file: [waiver for waiver in read if (file, _words(waiver)) in known]
            for file, read in self.inline.items()
        }
        return Waived(base.configured, inline, self.flaws)


def waived(inventories: Iterable[Inventory], now: str) -> Waived:
    """Read the waivers of what was surveyed; `now` is an ISO 8601 date."""
    configured = {}
    inline: dict[File, list[InlineWaiver]] = defaultdict(list)
    flaws = []
    for inventory in inventories:
        repo, told = inventory.survey.repo, inventory.told
        configured[repo] = told.ignore
        flaws += [(Place(repo, PurePosixPath(one.file), one.line), one.what) for one in told.ended]
        for path, found in _comments(inventory):
            match found:
                case InlineWaiver(written=line):
                    inline[repo, path].append(found)
                    flaws += [(Place(repo, path, line), why) for why in _idle(found, now)]
                case Flaw(line, why):
                    flaws.append((Place(repo, path, line), why))
    return Waived(configured, inline, flaws)


def _idle(waiver: InlineWaiver, now: str) -> Iterator[str]:
    """Why it silences less than it seems to."""
    for rule in waiver.rules:
        if rule in GATES:
            yield f"{rule} is a gate, and a waiver opens none: tfrelock explain {rule}"
        elif rule not in ALL:
            yield f"there is no rule {rule}: write the one that the finding names"
    if waiver.until and waiver.until < now:
        yield f"ended on {waiver.until} and counts no more"


def _comments(inventory: Inventory) -> Iterator[tuple[PurePosixPath, InlineWaiver | Flaw]]:
    for path, source in inventory.sources.items():
        for found in waivers(source.text):
            yield path, found


def _covers(waiver: Waiver, rule: str, path: PurePosixPath, now: str) -> bool:
    here = not waiver.paths or any(fnmatchcase(str(path), glob) for glob in waiver.paths)
    return waiver.rule == rule and here and (not waiver.until or now <= waiver.until)


def _words(waiver: InlineWaiver) -> tuple[tuple[str, ...], str, str]:
    return waiver.rules, waiver.because, waiver.until
