"""What is open now, as proposals: each repository's *prepare* and *finish*, or one for each phase.

*Prepare* holds the floor, the readers and the dual lock, each edited on what the one before leaves; *finish*
holds retire. A dual lock that is not known to be safe is a draft of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from migrate.campaign.slices import CommitText, Edit, Slice
from migrate.campaign.stage import Asked, Held, Stage, gated, pins
from migrate.estate.floors import floor
from migrate.model import Engine, Estate, Fact, Lock, Outcome, RepoId, Run, Stack, StateId, Unknown
from migrate.offer import DigestRow, Moved, Offer, Part, Touched, title
from migrate.patch import diff
from migrate.proof import Proof
from migrate.report import EditedFile
from migrate.steps import Phase, Standing

OFFERED: Final[Sequence[Phase]] = ("pin", "readers", "dual-lock", "retire")
_OPEN: Final = frozenset({Standing.OPEN})
_UNKNOWN: Final = frozenset({Standing.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Style:
    """How the operator wants proposals to look: whom to ask, until when, titles by phase."""

    contact: str = ""
    deadline: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planned:
    """The proposals to make, and the stages they come from (what these refuse, what their gates say)."""

    slices: tuple[Slice, ...]
    stages: tuple[Stage, ...]


def plan(held: Held, asked: Asked, phases: Sequence[Phase], style: Style, *, split: bool) -> Planned:
    """Everything that is open now among `phases`. With `split` each phase is a proposal by itself."""
    pinned = held.after(pins(held, asked).outcome.files) if "pin" in phases else held
    prepared = list(_prepared(held, asked, phases, split=split))
    draft = [gated("dual-lock", held, pinned.estate, asked, _UNKNOWN)] if "dual-lock" in phases else []
    finish = [gated("retire", held, held.estate, asked, _OPEN)] if "retire" in phases else []
    page = _Pages(held.estate, asked, style)
    slices = [
        *(page.slices([[stage] for stage in prepared] if split else [prepared], "prepare", split=split)),
        *(page.slices([draft], "dual-lock", draft=True)),
        *(page.slices([finish], "finish", split=split)),
    ]
    return Planned(tuple(sorted(slices, key=lambda s: s.offer.repo)), (*prepared, *draft, *finish))


def _prepared(held: Held, asked: Asked, phases: Sequence[Phase], *, split: bool) -> Iterator[Stage]:
    """The stages of *prepare*, each on what the one before leaves; apart, each on what there is."""
    at = held
    if "pin" in phases:
        yield (stage := pins(held, asked))
        at = at.after(stage.outcome.files)
    for phase in _GATED:
        if phase in phases:
            yield (stage := gated(phase, held if split else at, at.estate, asked, _OPEN))
            at = at.after(stage.outcome.files)


_GATED: Final[Sequence[Literal["readers", "dual-lock"]]] = ("readers", "dual-lock")


@dataclass(frozen=True, slots=True)
class _Pages:
    """Stages → what their proposals hold and say."""

    estate: Estate
    asked: Asked
    style: Style

    def slices(
        self, groups: Iterable[Sequence[Stage]], name: str, *, split: bool = False, draft: bool = False
    ) -> Iterator[Slice]:
        for stages in groups:
            for repo in sorted({file.repo for stage in stages for file in stage.outcome.files}):
                here = [stage for stage in stages if stage.files(repo)]
                named = here[0].phase if split else name
                offer = self._offer(repo, here, draft=draft)
                yield Slice(named, tuple(_commit(stage, offer) for stage in here), offer, draft)

    def _offer(self, repo: RepoId, stages: Sequence[Stage], *, draft: bool) -> Offer:
        stacks = {str(stack.id): stack for stage in stages for stack in stage.stacks(repo)}
        engine = self._engine(repo, stages)
        return Offer(
            repo=repo,
            parts=tuple(_part(stage, repo) for stage in stages),
            states=tuple(_moved(stack, repo) for _, stack in sorted(stacks.items()) if stack.backends),
            rows=tuple(
                row for stage in stages if stage.phase == "retire" for row in _rows(stage.stacks(repo))
            ),
            commands=tuple(
                _shown(run) for run in self.estate.runs if run.repo == repo and run.command == "init"
            ),
            engine="OpenTofu" if engine == "opentofu" else "Terraform",
            floor=str(floor(self.estate, engine)).removesuffix(".0"),
            settle=tuple(_settles(stages, repo)) if draft else (),
            forced=self.asked.force if stages[0].phase == "retire" else None,
            contact=self.style.contact,
            deadline=self.style.deadline,
            titles=self.style.titles,
        )

    def _engine(self, repo: RepoId, stages: Sequence[Stage]) -> Engine:
        """OpenTofu where nothing else is run in the folders concerned."""
        folders = {file.path.parent for stage in stages for file in stage.files(repo)}
        backends = [b for stack in self.estate.stacks for b in stack.backends if b.repo == repo]
        engines = {backend.engine for backend in backends if backend.root in folders}
        return "opentofu" if engines == {"opentofu"} else "terraform"


def _commit(stage: Stage, offer: Offer) -> CommitText:
    edits = (Edit(f.path, f.before.encode(), f.after.encode()) for f in stage.files(offer.repo))
    subject = title(replace(offer, parts=(Part(stage.phase, ()),)))
    return CommitText(stage.phase, subject, tuple(edits), stage.bonds(offer.repo))


def _part(stage: Stage, repo: RepoId) -> Part:
    states = {str(stack.id) for stack in stage.stacks(repo)}
    return Part(
        phase=stage.phase,
        files=tuple(
            Touched(f.path, diff(f.before, f.after, str(f.path)), _proved(f)) for f in stage.files(repo)
        ),
        verdicts=tuple(v for state in sorted(states) for v in stage.verdicts.get(state, ())),
        refusals=tuple(r for r in stage.outcome.refusals if r.where.repo == repo),
        suggestions=tuple(s for s in stage.outcome.suggestions if s.where.repo == repo),
    )


def _proved(file: EditedFile) -> str:
    if not isinstance(file.proof, Proof):
        return file.proof.why
    said = {"adds": file.proof.added, "drops": file.proof.removed, "changes": file.proof.changed}
    return "; ".join(f"{verb} {', '.join(sorted(names))}" for verb, names in said.items() if names)


def _moved(stack: Stack, repo: RepoId) -> Moved:
    roots = {backend.root for backend in stack.backends if backend.repo == repo}
    locks = {backend.lock for backend in stack.backends}
    now: Fact[Lock] = locks.pop() if len(locks) == 1 else Unknown("its writers differ")
    return Moved(str(stack.id), tuple(sorted(roots)), now)


def _rows(stacks: Iterable[Stack]) -> Iterator[DigestRow]:
    for stack in stacks:
        tables = {(b.table.name, b.table.region): None for b in stack.backends if b.table}
        if isinstance(stack.id, StateId):
            for name, region in tables:
                unread = Unknown("no table was read", "tfrelock digests")
                yield DigestRow(str(stack.id), "", stack.id.bucket, stack.id.key, name, region, unread)


def _shown(run: Run) -> str:
    return " ".join((f"{run.place}:", run.engine or "", run.command, *run.arguments))


def _settles(stages: Iterable[Stage], repo: RepoId) -> Iterator[str]:
    """What would make each unknown of the states moved here known, once."""
    verdicts = (v for stage in stages for s in stage.stacks(repo) for v in stage.verdicts.get(str(s.id), ()))
    yield from dict.fromkeys(v.settle for v in verdicts if v.outcome is Outcome.UNKNOWN and v.settle)
