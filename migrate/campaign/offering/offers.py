"""What is open now, as proposals: each repository's *prepare* and *finish*, or one for each phase.

*Prepare* holds the floor, the readers and the dual lock, each edited on what the one before leaves; *finish*
holds retire. Grants are a proposal of their own: they must be applied, not merged, before the dual lock is. A
dual lock that is not known to be safe is a draft of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.campaign.access.callers import concerned
from migrate.campaign.offering.digests import rows
from migrate.campaign.offering.slices import CommitText, Edit, Slice
from migrate.campaign.phases.gates import said
from migrate.campaign.phases.stage import Asked, Held, Stage, gated, grants, pins
from migrate.estate.floors import floor
from migrate.model import Engine, Estate, Fact, Lock, Outcome, RepoId, Run, Stack, Unknown
from migrate.offer import Moved, Offer, Part, Touched, title
from migrate.patch import diff
from migrate.proof import Proof
from migrate.report import EditedFile
from migrate.steps import Phase, Standing

OFFERED: Final[Sequence[Phase]] = ("iam", "assume-role", "pin", "readers", "dual-lock", "retire")
_NONE: Final = frozenset[Standing]()
_OPEN: Final = frozenset({Standing.OPEN})
_UNKNOWN: Final = frozenset({Standing.UNKNOWN})


class Style(Struct, frozen=True):
    """How the operator wants proposals to look: whom to ask, until when, titles by phase."""

    contact: str = ""
    deadline: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)


class How(Struct, frozen=True):
    """`split`: each phase is a proposal by itself. `alone`: where the dual lock has one and keeps it."""

    split: bool = False
    alone: frozenset[RepoId] = frozenset()


class Planned(Struct, frozen=True):
    """The proposals to make, and the stages they come from (what these refuse, what their gates say)."""

    slices: tuple[Slice, ...]
    stages: tuple[Stage, ...]
    waits: Mapping[RepoId, str] = field(default_factory=dict)
    """Why the retire of a repository waits although its gates are open."""

    def of(self, repo: RepoId) -> tuple[Slice, ...]:
        return tuple(slice_ for slice_ in self.slices if slice_.offer.repo == repo)

    def concerns(self, repo: RepoId) -> bool:
        """Whether there is anything left to do in a repository, open or not."""
        return any(target.site.repo == repo for stage in self.stages for target in stage.chosen)

    def why_not(self, phase: Phase, repo: RepoId) -> str:
        """Why a phase is not open in a repository: what the first gate says that does not hold."""
        if phase == "retire" and repo in self.waits:
            return self.waits[repo]
        for stage in (stage for stage in self.stages if stage.phase == phase):
            for target in (target for target in stage.chosen if target.site.repo == repo):
                for verdict in stage.verdicts.get(str(target.stack.id), ()):
                    if verdict.outcome is not Outcome.HOLDS:
                        return f"A gate has closed since this was offered: {verdict.because}."
        return "Nothing that this changes is left to change."


def plan(held: Held, asked: Asked, phases: Sequence[Phase], style: Style, how: How) -> Planned:
    """Everything that is open now among `phases`."""
    granted = [grants(held, asked)] if "iam" in phases else []
    prepared = list(_prepared(held, asked, phases, how))
    ready, draft = _own(held, asked, phases, how) if "dual-lock" in phases else ([], [])
    finish = [gated("retire", held, held.estate, asked, lambda _: _OPEN)] if "retire" in phases else []
    page = _Pages(held.estate, asked, style)
    slices = [
        *page.slices([granted], "iam", how),
        *page.slices([[stage] for stage in prepared] if how.split else [prepared], "prepare", how),
        *page.slices([ready], "dual-lock", how),
        *page.drafts(draft),
        *page.slices([finish], "finish", how),
    ]
    stages = (*granted, *prepared, *ready, *draft, *finish)
    return Planned(tuple(sorted(slices, key=lambda slice_: slice_.offer.repo)), stages)


def _prepared(held: Held, asked: Asked, phases: Sequence[Phase], how: How) -> Iterator[Stage]:
    """The stages of *prepare*, each on what the one before leaves; apart, each on what there is."""
    at = held
    if "assume-role" in phases:
        yield (stage := gated("assume-role", at, at.estate, asked, lambda _: _OPEN))
        at = at.after(stage.outcome.files)
    if "pin" in phases:
        yield (stage := pins(at, asked))
        at = held if how.split else at.after(stage.outcome.files)
    if "readers" in phases:
        yield (stage := gated("readers", at, at.estate, asked, lambda _: _OPEN))
        at = at.after(stage.outcome.files)
    if "dual-lock" in phases and not how.split:
        yield gated("dual-lock", at, at.estate, asked, lambda repo: _NONE if repo in how.alone else _OPEN)


def _own(held: Held, asked: Asked, phases: Sequence[Phase], how: How) -> tuple[list[Stage], list[Stage]]:
    """The dual lock in a proposal of its own: ready where it may be merged before any other, else a draft.

    A draft is what nobody knows to be safe once the floors are raised, and what was offered so before.
    What is open goes first: a repository has one of the two.
    """
    ready = gated(
        "dual-lock",
        held,
        held.estate,
        asked,
        lambda repo: _OPEN if how.split or repo in how.alone else _NONE,
    )
    open_ = set(_repos([ready]))

    def wanted(repo: RepoId) -> AbstractSet[Standing]:
        if repo in open_:
            return _NONE
        return _OPEN | _UNKNOWN if repo in how.alone else _UNKNOWN

    pinned = held
    if "assume-role" in phases:
        pinned = pinned.after(gated("assume-role", held, held.estate, asked, lambda _: _OPEN).outcome.files)
    if "pin" in phases:
        pinned = pinned.after(pins(pinned, asked).outcome.files)
    return [ready], [gated("dual-lock", held, pinned.estate, asked, wanted)]


class _Pages(Struct, frozen=True):
    """Stages → what their proposals hold and say."""

    estate: Estate
    asked: Asked
    style: Style

    def slices(self, groups: Iterable[Sequence[Stage]], name: str, how: How) -> Iterator[Slice]:
        for stages in groups:
            for repo in _repos(stages):
                here = [stage for stage in stages if stage.files(repo)]
                offer = self._offer(repo, here)
                commits = tuple(_commit(stage, offer) for stage in here)
                yield Slice(here[0].phase if how.split else name, commits, offer)

    def drafts(self, stages: Sequence[Stage]) -> Iterator[Slice]:
        """What waits, with what its gates say as things are: before any other proposal is merged."""
        for repo in _repos(stages):
            here = [self._today(stage, repo) for stage in stages]
            verdicts = (v for stage in here for judged in stage.verdicts.values() for v in judged)
            settle = dict.fromkeys(v.settle for v in verdicts if v.outcome is not Outcome.HOLDS and v.settle)
            offer = replace(self._offer(repo, here), settle=tuple(settle))
            yield Slice("dual-lock", tuple(_commit(stage, offer) for stage in here), offer, draft=True)

    def _today(self, stage: Stage, repo: RepoId) -> Stage:
        states = {str(stack.id) for stack in stage.stacks(repo)}
        return replace(stage, verdicts=said(stage.phase, states, self.estate, self.asked.now))

    def _offer(self, repo: RepoId, stages: Sequence[Stage]) -> Offer:
        stacks = {str(stack.id): stack for stage in stages for stack in stage.stacks(repo)}
        engine = self._engine(repo, stages)
        return Offer(
            repo=repo,
            parts=tuple(_part(stage, repo) for stage in stages),
            states=tuple(_moved(stack, repo) for _, stack in sorted(stacks.items()) if stack.backends),
            rows=tuple(
                row
                for stage in stages
                if stage.phase == "retire"
                for row in rows(stage.stacks(repo), self.estate.runs)
            ),
            commands=tuple(
                _shown(run) for run in self.estate.runs if run.repo == repo and run.command == "init"
            ),
            callers=concerned(self.estate, repo, stacks, self.asked.now, granting=stages[0].phase == "iam"),
            engine="OpenTofu" if engine == "opentofu" else "Terraform",
            floor=str(floor(self.estate, engine)).removesuffix(".0"),
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


def _repos(stages: Iterable[Stage]) -> list[RepoId]:
    return sorted({file.repo for stage in stages for file in stage.outcome.files})


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
        programs=tuple(program for program in stage.programs if program.where.repo == repo),
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


def _shown(run: Run) -> str:
    return " ".join((f"{run.place}:", run.engine or "", run.command, *run.arguments))
