"""A step's wish for the sites it concerns → texts, refusals, and the check that exactly the wish came true.

Three votes before a text is given out: the operations compose without conflict, everything found anew and
joined anew is as it was but for the wish, and the second parser sees no other difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import PurePosixPath
from typing import TypeAlias

from msgspec import Struct

from migrate import wishes
from migrate.campaign.editing.after import after, joined
from migrate.campaign.editing.estate_votes import strayed
from migrate.campaign.editing.targets import Target, closure, groups_of
from migrate.campaign.editing.texts import Each, File, Sources, Texts, changed, composed, of_each, sources_of
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.dialects import BY_NAME
from migrate.grouping import grouped
from migrate.model import Estate, Fact, Known, Place, Refusal, RepoId, Source, Suggestion, Unknown
from migrate.plug import Edits
from migrate.proof import Proof, Unproved, prove
from migrate.report import EditedFile
from migrate.text import Op


class EditResult(Struct, frozen=True):
    """The texts that changed, and every edit that was not made."""

    files: tuple[EditedFile, ...]
    refusals: tuple[Refusal, ...]
    suggestions: tuple[Suggestion, ...]


def edit_result(files: tuple[EditedFile, ...], answers: Iterable[Refusal | Suggestion]) -> EditResult:
    """The files, and the answers parted, each kind by its place."""
    told = sorted(answers, key=lambda answer: answer.where)
    return EditResult(
        files=files,
        refusals=tuple(answer for answer in told if isinstance(answer, Refusal)),
        suggestions=tuple(answer for answer in told if isinstance(answer, Suggestion)),
    )


Ignored: TypeAlias = Mapping[RepoId, Fact[frozenset[PurePosixPath]]]
"""The files that git ignores, of those that are read; a folder without git is not in it."""


class Limits(Struct, frozen=True):
    """What an edit keeps its hands off: what `--only` leaves out, and files that git ignores.

    `each`: how the proofs of many files are made.
    """

    narrowing: Narrowing
    ignored: Ignored
    each: Each = map

    def local(self, where: Place) -> Refusal | None:
        """Why a file is not ours to edit: git ignores it, or does not say whether it does."""
        match self.ignored.get(where.repo):
            case Unknown(why=why, settle=settle):
                return Refusal(where, why, settle)
            case Known(value=paths) if where.path in paths:
                return Refusal(where, "git ignores this file: it is local", "edit it by hand")
            case _:
                return None


def edit(
    inventories: Sequence[Inventory],
    estate: Estate,
    targets: Iterable[Target],
    kept: Mapping[str, Refusal],
    limits: Limits,
) -> EditResult:
    """Edit all targets but the sites in `kept`, by id, which stay as they are because a gate is not open.

    A group with one member that is kept, refused or left out is not edited at all.
    """
    sources, all_targets = sources_of(inventories), list(targets)
    held, ops = _asked(all_targets, kept, sources, limits)
    while True:
        fallen = closure(held, groups_of(all_targets))
        chosen = {target.site.id: target for target in all_targets if target.site.id not in fallen}
        texts, conflicts = _composed(sources, chosen, ops)
        proofs = _proofs(sources, texts, chosen, limits.each)
        wrong = (
            conflicts
            or _unproved(proofs, chosen)
            or strayed(estate, joined(after(inventories, texts), estate), all_targets, fallen)
        )
        if not wrong:
            told = [held[site] for site in held if site not in kept]
            told = [answer for answer in told if answer.why != _LEFT_OUT]
            files = changed(sources, texts, proofs, _notes(sources, texts, list(chosen.values())))
            return edit_result(files, [*told, *_parted(all_targets, fallen, held)])
        held |= wrong


def _asked(
    targets: Iterable[Target], kept: Mapping[str, Refusal], sources: Sources, limits: Limits
) -> tuple[dict[str, Refusal | Suggestion], dict[str, Edits]]:
    """By id, the sites that are not edited and the operations of the others. Each is asked once, however many
    states it serves.
    """
    held: dict[str, Refusal | Suggestion] = dict(kept)
    ops: dict[str, Edits] = {}
    for target in targets:
        if target.site.id in held or target.site.id in ops:
            continue
        answer = _answer(target, sources[target.site.repo], limits)
        if isinstance(answer, Refusal | Suggestion):
            held[target.site.id] = answer
        else:
            ops[target.site.id] = answer
    return held, ops


def _answer(
    target: Target, sources: Mapping[PurePosixPath, Source], limits: Limits
) -> Edits | Refusal | Suggestion:
    site = target.site
    if local := limits.local(site.place):
        return local
    if not limits.narrowing.selects(site):
        return Refusal(site.place, _LEFT_OUT, "name it in --only")
    answer = BY_NAME[site.dialect].edit(sources, site, target.wish)
    if site.why_not and not isinstance(answer, Refusal):
        remedy = wishes.remedy(site) if site.generated else "edit its source by hand, in the same step"
        return Refusal(site.place, site.why_not, remedy)
    return answer


_LEFT_OUT = "left out by --only"


def _parted(
    targets: Sequence[Target], fallen: Set[str], held: Mapping[str, Refusal | Suggestion]
) -> Iterable[Refusal]:
    """A refusal for each selected site that stays as it is for the sake of one that is left out."""
    left = {
        target.group: target.site.place
        for target in targets
        if target.site.id in held and held[target.site.id].why == _LEFT_OUT
    }
    staying = (one for one in targets if one.site.id in fallen and one.site.id not in held)
    return dict.fromkeys(
        Refusal(one.site.place, _TOGETHER.format(left[one.group]), "name both in --only")
        for one in staying
        if one.group in left
    )


_TOGETHER = "it changes together with {}, which --only leaves out"


def _composed(
    sources: Sources, chosen: Mapping[str, Target], ops: Mapping[str, Edits]
) -> tuple[Texts, dict[str, Refusal]]:
    by_file: dict[File, list[Op]] = defaultdict(list)
    for site_id, target in chosen.items():
        for path, wanted in ops[site_id].items():
            by_file[target.site.repo, path] += wanted
    texts, conflicts = composed(sources, by_file)
    return texts, _refused(chosen, conflicts)


def _refused(chosen: Mapping[str, Target], why: Mapping[File, str]) -> dict[str, Refusal]:
    return {
        site_id: Refusal(target.site.place, why[target.site.repo, target.site.path], "edit this file by hand")
        for site_id, target in chosen.items()
        if (target.site.repo, target.site.path) in why
    }


def _proofs(
    sources: Sources, texts: Texts, chosen: Mapping[str, Target], each: Each
) -> dict[File, Proof | Unproved]:
    """What the second parser says of each changed file; of a site that nothing changed it is not asked."""
    by_file = grouped(chosen.values(), lambda target: (target.site.repo, target.site.path))

    def proved(file: File) -> Proof | Unproved:
        (repo, path), meant = file, by_file[file]
        plug, sites = BY_NAME[meant[0].site.dialect], [target.site for target in meant]
        return prove(plug, sources[repo][path], texts[file], sites, meant[0].wish)

    return of_each(proved, texts, each)


def _unproved(proofs: Mapping[File, Proof | Unproved], chosen: Mapping[str, Target]) -> dict[str, Refusal]:
    return _refused(
        chosen,
        {file: proof.why for file, proof in proofs.items() if isinstance(proof, Unproved) and proof.blocks},
    )


def _notes(sources: Sources, texts: Texts, chosen: Iterable[Target]) -> dict[File, list[str]]:
    notes: dict[File, list[str]] = defaultdict(list)
    for target in chosen:
        file = (target.site.repo, target.site.path)
        if file in texts:
            notes[file] += wishes.notes(sources[file[0]][file[1]], target.site, target.wish)
    return notes
