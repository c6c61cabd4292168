"""Stages made into slices: what each proposal holds, and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.campaign.access.callers import concerned
from migrate.campaign.offering.digests import rows
from migrate.campaign.offering.slices import CommitText, Edit, Slice
from migrate.campaign.phases.gates import said
from migrate.campaign.phases.stage import Asked, Stage
from migrate.estate.floors import floor
from migrate.model import Engine, Estate, Fact, Lock, Outcome, RepoId, Stack, Unknown
from migrate.offer import Moved, Offer, Part, Touched, title
from migrate.patch import diff
from migrate.proof import Proof
from migrate.report import EditedFile


class Style(Struct, frozen=True):
    """How the operator wants proposals to look: whom to ask, until when, titles by phase."""

    contact: str = ""
    deadline: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)


class How(Struct, frozen=True):
    """Which phases share a proposal. `split`: none do. `alone`: where the dual lock has its own already."""

    split: bool = False
    alone: frozenset[RepoId] = frozenset()


class Slicing(Struct, frozen=True):
    """Stages → what their proposals hold and say."""

    estate: Estate
    asked: Asked
    style: Style

    def slices(self, groups: Iterable[Sequence[Stage]], name: str, how: How) -> Iterator[Slice]:
        for stages in groups:
            for repo in repos(stages):
                here = [stage for stage in stages if stage.files(repo)]
                offer = self._offer(repo, here)
                commits = tuple(_commit(stage, offer) for stage in here)
                yield Slice(here[0].phase if how.split else name, commits, offer)

    def drafts(self, stages: Sequence[Stage]) -> Iterator[Slice]:
        """What waits, with what its gates say as things are: before any other proposal is merged."""
        for repo in repos(stages):
            here = [self._today(stage, repo) for stage in stages]
            offer = self._offer(repo, here)
            waits = (v for part in offer.parts for v in part.said if v.outcome is not Outcome.HOLDS)
            offer = replace(offer, waits=tuple(waits))
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
                " ".join((f"{run.place}:", run.engine or "", run.command, *run.arguments))
                for run in self.estate.runs
                if run.repo == repo and run.command == "init"
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
        engines = {b.engine for b in self.estate.backends if b.repo == repo and b.root in folders}
        return "opentofu" if engines == {"opentofu"} else "terraform"


def repos(stages: Iterable[Stage]) -> list[RepoId]:
    """Where stages change files."""
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
