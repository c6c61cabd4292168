"""One phase as a part of proposals: the states whose gates let it be offered, and their edits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from migrate.campaign.editing import policies
from migrate.campaign.editing.after import after, joined
from migrate.campaign.editing.by_hand import programs
from migrate.campaign.editing.edit import EditResult, Limits
from migrate.campaign.editing.targets import Target, targets
from migrate.campaign.phases.edits import edits
from migrate.campaign.phases.gates import Verdicts, Wanted, asked_of, kept, said
from migrate.campaign.pinning import pin
from migrate.campaign.reading.inventory import Inventory
from migrate.model import Estate, LockWish, Refusal, RepoId, Stack
from migrate.report import EditedFile
from migrate.steps import Phase

Bonds: TypeAlias = tuple[frozenset[PurePosixPath], ...]
Gated: TypeAlias = Literal["assume-role", "readers", "dual-lock", "retire"]
_WISHES: Final[Mapping[Gated, LockWish]] = {
    "assume-role": LockWish.ASSUME,
    "readers": LockWish.READ,
    "dual-lock": LockWish.DUAL,
    "retire": LockWish.RETIRE,
}


class Held(Struct, frozen=True):
    """All given repositories: as they are, or as they will be once earlier phases are merged."""

    inventories: tuple[Inventory, ...]
    estate: Estate

    def after(self, files: Iterable[EditedFile]) -> Held:
        texts = {(file.repo, file.path): file.after for file in files}
        inventories = after(self.inventories, texts)
        return Held(tuple(inventories), joined(inventories, self.estate))


class Asked(Struct, frozen=True):
    """What the operator asked for. `now` is an ISO 8601 date."""

    now: str
    limits: Limits
    force: str | None = None

    def forces(self, phase: Phase) -> bool:
        return phase == "retire" and self.force is not None


class Stage(Struct, frozen=True):
    """One phase: its edits, the states it moves, and all that its gates say of any selected state."""

    phase: Phase
    outcome: EditResult
    chosen: tuple[Target, ...] = ()
    """Every selected target, edited or not."""
    moved: tuple[Target, ...] = ()
    verdicts: Verdicts = field(default_factory=dict)
    programs: tuple[Refusal, ...] = ()
    """Programs that name a lock: whoever moves their states looks at them."""

    def files(self, repo: RepoId) -> tuple[EditedFile, ...]:
        return tuple(file for file in self.outcome.files if file.repo == repo)

    def stacks(self, repo: RepoId) -> tuple[Stack, ...]:
        """The states that it moves in a repository."""
        found = {str(target.stack.id): target.stack for target in self.moved if target.site.repo == repo}
        return tuple(found[name] for name in sorted(found))

    def bonds(self, repo: RepoId) -> Bonds:
        """Files that change together or not at all."""
        paths: dict[str, set[PurePosixPath]] = defaultdict(set)
        for target in self.moved:
            if target.site.repo == repo:
                paths[target.group].add(target.site.path)
        return tuple(frozenset(group) for group in paths.values() if len(group) > 1)


def pins(held: Held, asked: Asked) -> Stage:
    """Every floor that can be raised."""
    return Stage("pin", pin.edit(held.inventories, held.estate, asked.limits))


def grants(held: Held, asked: Asked) -> Stage:
    """The lock granted wherever a policy here grants its state."""
    return Stage("iam", policies.edit(held.inventories, policies.lock_grant(held.estate), asked.limits))


def gated(phase: Gated, held: Held, judged: Estate, asked: Asked, wanted: Wanted) -> Stage:
    """The edits of a phase for states whose gates, judged on `judged`, come to what is `wanted`.

    A site that serves several states waits for the worst of them.
    """
    wish, narrowing = _WISHES[phase], asked.limits.narrowing
    chosen = [target for target in targets(held.estate, wish) if narrowing.selects(target.site)]
    verdicts = said(phase, asked_of(phase, chosen, held.estate, narrowing), judged, asked.now)
    stay = kept(chosen, verdicts, wanted, "a gate is not open", forced=asked.forces(phase))
    outcome = edits(wish, held.inventories, held.estate, stay, asked.limits)
    paths = {(file.repo, file.path) for file in outcome.files}
    moved = [target for target in chosen if (target.site.repo, target.site.path) in paths]
    moved = [target for target in moved if target.site.id not in stay]
    looked_at = phase in ("dual-lock", "retire")
    told = tuple(programs(held.inventories, held.estate, narrowing)) if looked_at else ()
    return Stage(phase, outcome, tuple(chosen), tuple(moved), verdicts, told)
