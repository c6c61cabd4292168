"""The inits that a changed backend would break, mended beside the edit that changes it.

`-reconfigure` makes `init` take the new lock. It writes nothing while bucket, key and region stay as they
are, and in an empty directory it does nothing at all, so it may be merged before the backend or after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from migrate.campaign.editing.after import after, joined
from migrate.campaign.editing.edit import EditResult, Limits
from migrate.campaign.editing.texts import File, Sources, composed, sources_of
from migrate.campaign.reading.inventory import Inventory
from migrate.estate.runs import opaque, stale
from migrate.model import Estate, LockWish, Refusal, Run, Source, Suggestion
from migrate.pipelines import PIPELINES, distinct
from migrate.plug import items
from migrate.proof import Unproved
from migrate.report import EditedFile
from migrate.spelling.runs import reconfigured
from migrate.text import Op

_FLAG: Final = "-reconfigure"
_COUNTED: Final = Unproved("no HCL: the runs in it were read again, and tokens counted", blocks=False)
_ODD: Final = "found again after the edit, this file does not run what it ran with -reconfigure added"
_GIVEN: Final = "what else this init is given is known when it runs: it may be told -migrate-state"


def with_inits(
    outcome: EditResult, wish: LockWish, inventories: Sequence[Inventory], estate: Estate, limits: Limits
) -> EditResult:
    """The same edit of writers, with `-reconfigure` in each repository that it changes."""
    repos = {file.repo for file in outcome.files}
    if wish in (LockWish.READ, LockWish.ASSUME) or not repos:
        return outcome
    changed = after(inventories, {(file.repo, file.path): file.after for file in outcome.files})
    found_anew = stale(joined(changed, estate))
    runs = [found.run for found in found_anew if found.run.repo in repos and _may_edit(found.run, limits)]
    sources = sources_of(changed)
    ops, told = _asked(runs, sources)
    texts, _ = composed(sources, ops)
    wrong = {file for file, text in texts.items() if not _as_wished(sources[file[0]][file[1]], text)}
    told += [Suggestion(run.place, f"add {_FLAG} by hand", _ODD) for run in runs if _file(run) in wrong]
    made = {file: text for file, text in texts.items() if file not in wrong}
    return replace(
        outcome,
        files=tuple(_merged(outcome.files, made, sources)),
        suggestions=tuple(sorted({*outcome.suggestions, *told}, key=lambda told: (told.where, told.text))),
    )


def _may_edit(run: Run, limits: Limits) -> bool:
    return not limits.local(run.place) and limits.narrowing.takes(run.repo, run.path)


def _file(run: Run) -> File:
    return run.repo, run.path


def _asked(runs: Iterable[Run], sources: Sources) -> tuple[dict[File, list[Op]], list[Suggestion]]:
    """Operations by file, and what to write where a run is not edited: that holds nothing else back."""
    ops: dict[File, list[Op]] = defaultdict(list)
    told = []
    for run in runs:
        if opaque(run):
            told.append(Suggestion(run.place, f"see that it runs init with {_FLAG}", _GIVEN))
            continue
        answer = reconfigured(sources[run.repo][run.path].text, run)
        if isinstance(answer, Refusal):
            told.append(Suggestion(run.place, answer.remedy, answer.why))
        else:
            ops[_file(run)] += answer
    return ops, told


def _as_wished(source: Source, text: str) -> bool:
    """Whether the same runs stand there, some of them with the flag before their arguments, and no more.

    One line may be several runs: a script that every job of a file begins with.
    """
    old, new = _runs(source), _runs(replace(source, text=text))
    if len(old) != len(new):
        return False
    told = [(one, other) for one, other in zip(old, new, strict=True) if _said(one) != _said(other)]
    counted = text.count(_FLAG) - source.text.count(_FLAG)
    return counted == len({one.span for one, _ in told}) and all(
        one.command == "init" and _said(other) == _said(replace(one, arguments=(_FLAG, *one.arguments)))
        for one, other in told
    )


def _runs(source: Source) -> list[Run]:
    return list(distinct(items(PIPELINES, source)))


def _said(run: Run) -> tuple[object, ...]:
    """Command and arguments of a run, and what else is known of it but its place."""
    return run.command, run.arguments, run.plug, run.engine, run.directory, run.job


def _merged(files: Sequence[EditedFile], texts: Mapping[File, str], sources: Sources) -> Iterator[EditedFile]:
    """The files of both edits; one that both change keeps the proof of its backend."""
    edited = {(file.repo, file.path): file for file in files}
    for file, text in texts.items():
        repo, path = file
        before = sources[repo][path].text
        own = edited.get(file) or EditedFile(repo, path, before, text, _COUNTED)
        edited[file] = replace(own, after=text)
    for _, each in sorted(edited.items()):
        yield each
