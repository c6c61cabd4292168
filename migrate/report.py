"""What a command found out, as values: the input of every format in `reports/`.

Nothing here is sorted or cut for one format. `contract.md` of the documentation names the fields; the JSON of
a report is these values spelled out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct, field

from migrate.model import (
    By,
    Estate,
    Fix,
    Outcome,
    Place,
    Refusal,
    RepoId,
    Severity,
    Site,
    Stack,
    StateId,
    Suggestion,
    Unresolved,
    Verdict,
)
from migrate.progress import Entry, Offer, Progress, stuck
from migrate.steps import Phase, Standing

if TYPE_CHECKING:  # most reports hold none of these, and need not import what makes them
    from migrate.proof import Proof, Unproved
    from migrate.rules.rule import Facts


class Checkout(Struct, frozen=True):
    """A repository as it was read. `dirty` is None where git could not say."""

    id: RepoId
    branch: str | None = None
    commit: str | None = None
    dirty: bool | None = None


class Unreadable(Struct, frozen=True):
    """A file that may hold what we look for and could not be read; `line` is 0 where no line is at fault."""

    repo: RepoId
    path: PurePosixPath
    why: str
    line: int = 0

    @property
    def place(self) -> str:
        return f"{self.repo} {self.path}{f':{self.line}' if self.line else ''}"


class Finding(Struct, frozen=True, dict=True):
    """A rule's verdict as people see it: about `state`, or about a place that belongs to none."""

    rule: str
    severity: Severity
    outcome: Outcome
    by: By
    blocks: tuple[str, ...]
    fix: Fix
    state: str | None
    where: Place | None
    message: str
    remedy: str
    again: int = 0
    """So many of the same stand before it in its file."""

    @cached_property
    def id(self) -> str:
        """Stable while lines move: the same rule about the same thing in the same file."""
        place = f"{self.where.repo}:{self.where.path}" if self.where else ""
        again = (str(self.again),) if self.again else ()
        text = "\n".join((self.rule, self.state or "", place, self.message, *again))
        return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:12]


def finding(rule: Facts, verdict: Verdict, state: StateId | Unresolved | None) -> Finding:
    """A rule's verdict with what the rule says of itself."""
    return Finding(
        rule=rule.NAME,
        severity=rule.SEVERITY,
        outcome=verdict.outcome,
        by=verdict.by,
        blocks=rule.BLOCKS,
        fix=rule.FIX,
        state=str(state) if state else None,
        where=verdict.where,
        message=verdict.because,
        remedy=verdict.settle or rule.REMEDY,
    )


class Audit(Struct, frozen=True):
    """What `audit` found. `held` says of each site that an edit would refuse why; a site not in it is
    editable.
    """

    checkouts: tuple[Checkout, ...]
    estate: Estate
    sites: tuple[Site, ...]
    findings: tuple[Finding, ...]
    held: Mapping[str, Refusal | Suggestion]
    unreadable: tuple[Unreadable, ...] = ()
    left: tuple[str, ...] = ()
    """What was left out on purpose, in words: submodules, vendored copies, examples."""
    examples: frozenset[str] = frozenset()
    """Ids of sites in paths that look like examples or fixtures."""
    owners: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """CODEOWNERS of each state, by its id."""
    touched: frozenset[str] | None = None
    """Of a change: ids of the states that it does something to; people need to see no others."""

    @property
    def listed(self) -> list[Stack]:
        """The states that something here writes and that people are shown."""
        written = (stack for stack in self.estate.stacks if stack.backends)
        return [stack for stack in written if self.touched is None or str(stack.id) in self.touched]


class Planned(Struct, frozen=True):
    """One step of one state in one repository. `because` holds what its gates say."""

    id: str
    phase: Phase
    repo: RepoId
    standing: Standing
    because: tuple[Verdict, ...] = ()
    after: tuple[str, ...] = ()


class StackPlan(Struct, frozen=True):
    """Where one state stands and its steps, in merge order."""

    stack: Stack
    now: str
    steps: tuple[Planned, ...]


class Plan(Struct, frozen=True):
    """Every state's steps, and one order over all repositories in which each stands after those it needs."""

    stacks: tuple[StackPlan, ...]
    order: tuple[str, ...]


class EditedFile(Struct, frozen=True):
    """One file with its text before and after, and what the second parser sees differ."""

    repo: RepoId
    path: PurePosixPath
    before: str
    after: str
    proof: Proof | Unproved
    notes: tuple[str, ...] = ()
    """What the owner should know of it besides the diff."""


class Edited(Struct, frozen=True):
    """What `edit` did or would do, and all it would not.

    `standing` is the worst that the gates of the states concerned say; `verdicts` what those say that do not
    hold, or hold because somebody said so. `forced` is the reason that was given for going on all the same:
    then only gates that nothing opens count in `standing`.
    """

    phase: Phase
    files: tuple[EditedFile, ...]
    refusals: tuple[Refusal, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    standing: Standing = Standing.OPEN
    verdicts: tuple[Verdict, ...] = ()
    forced: str | None = None
    repositories: tuple[RepoId, ...] = ()
    """Those that were given, edited or not."""
    held: tuple[Refusal, ...] = ()
    """The sites that stay as they are because a gate of theirs is not open."""


class CampaignReport(Struct, frozen=True):
    """Where a campaign stands at `now`, ISO 8601."""

    progress: Progress
    now: str

    @property
    def stuck(self) -> Iterator[tuple[Entry, Offer | None, str]]:
        """What somebody has to look at: a repository, or one of its proposals, and why."""
        for entry in self.progress.active:
            offers: list[Offer | None] = [offer for _, offer in sorted(entry.offers.items())]
            for offer in offers or [None]:
                if why := stuck(entry, offer, self.now):
                    yield entry, offer, why
            refused = (one for one in entry.states.values() if one.standing == "refused")
            for why in dict.fromkeys(f"{one.phase} is refused: {one.because}" for one in refused):
                yield entry, None, why
            for one in entry.crossings:
                yield entry, None, f"{one.url} is open: {one.why}"
