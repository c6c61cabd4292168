"""`tfrelock edit`: the changes of one phase, printed; written only when told."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

import click

from migrate.campaign.step import Order, run
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import Gathered, gather, today
from migrate.cli.options import Scope, phase_named, scope, with_report, with_scope, write_report
from migrate.files import Replacement, cache, printable, write
from migrate.git import ignored
from migrate.model import Known, Refusal, RepoId, Suggestion
from migrate.proof import keep_grammar_in
from migrate.report import Edited
from migrate.reports import EDIT
from migrate.steps import Phase, Standing


@with_scope
@with_report(EDIT)
@click.command("edit")
@click.option(
    "--phase",
    callback=phase_named,
    required=True,
    metavar="PHASE",
    help="pin, iam, readers, dual-lock or retire.",
)
@click.option("--write", "writes", is_flag=True, help="Change the working tree; without it, print the diff.")
@click.option("--check", is_flag=True, help="Exit 2 if there is something to do.")
@click.option(
    "--include-unlocked",
    is_flag=True,
    help="dual-lock: also lock states that no client locks with a table today.",
)
@click.option(
    "--force",
    metavar="REASON",
    help="retire: go on although a gate is not open; REASON stands in the output. Never past a writer that "
    "locks in the table only.",
)
def command(*, phase: Phase, writes: bool, check: bool, include_unlocked: bool, force: str | None) -> int:
    """Print the diff of one phase, or write it.

    Only lines of the lock or the version change. Refusals and gates that are not open are said on stderr.
    """
    asked = scope()
    if folder := cache(os.environ):
        keep_grammar_in(folder)
    gathered = gather(asked)
    order = Order(phase, today(), asked.narrowing, include_unlocked=include_unlocked, force=force)
    edited = run(order, gathered.inventories, gathered.estate, _ignored(gathered))
    write_report(EDIT, edited)
    _say(edited)
    written = _write(gathered, edited) if writes else []
    pending = [Exit.FINDINGS] if check and edited.files else []
    return worst([*gathered.exits, *written, *pending, *_exits(edited, asked, gathered, writes=writes)])


def _exits(edited: Edited, asked: Scope, gathered: Gathered, *, writes: bool) -> list[Exit]:
    """A closed gate counts where the phase was asked for by name and has gates it obeys: retire."""
    codes = []
    if edited.phase == "retire" and edited.forced is None:
        by_standing = {Standing.CLOSED: Exit.CLOSED, Standing.UNKNOWN: Exit.UNKNOWN}
        codes += [code for standing, code in by_standing.items() if edited.standing is standing]
    if writes and edited.refusals:
        codes.append(Exit.PARTIAL)
    sites = (site for inventory in gathered.inventories for site in inventory.survey.sites)
    if asked.narrowing.only and not any(asked.narrowing.selects(site) for site in sites):
        codes.append(Exit.NOTHING)
    return codes


def _ignored(gathered: Gathered) -> dict[RepoId, frozenset[PurePosixPath]]:
    """Of the files with sites, those that git ignores."""
    return {
        repository.id: paths.value
        for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True)
        if repository.git
        and inventory.survey.sites
        and isinstance(paths := ignored(repository.root, {s.path for s in inventory.survey.sites}), Known)
    }


def _say(edited: Edited) -> None:
    for line in _gates(edited):
        click.echo(line, err=True)
    if edited.forced is not None:
        click.echo(f"forced: {printable(edited.forced)}", err=True)
    for refusal in edited.refusals:
        click.echo(f"refused {_where(refusal)}: {printable(refusal.why)} → {refusal.remedy}", err=True)
    for suggestion in edited.suggestions:
        click.echo(f"by hand {_where(suggestion)}: {printable(suggestion.why)}\n{suggestion.text}", err=True)
    if not edited.files:
        click.echo(f"nothing to change for {edited.phase}", err=True)


def _gates(edited: Edited) -> Iterator[str]:
    """One line for each thing a gate says, with the states it says it of."""
    states: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for verdict in edited.verdicts:
        said = (verdict.rule, verdict.outcome.value, verdict.because, verdict.settle)
        states[said].append(printable(verdict.subject))
    for (rule, outcome, because, settle), subjects in states.items():
        of = subjects[0] if len(set(subjects)) == 1 else f"{len(set(subjects))} states"
        remedy = f" → {printable(settle)}" if settle else ""
        yield f"gate {rule} {outcome} ({of}): {printable(because)}{remedy}"


def _where(answer: Refusal | Suggestion) -> str:
    return f"{printable(answer.where.repo)} {printable(str(answer.where))}"


def _write(gathered: Gathered, edited: Edited) -> list[Exit]:
    """Each repository's files together or not at all; one that fails leaves the others their change."""
    codes = []
    for repository in gathered.repositories:
        changes = [
            Replacement(file.path, file.before.encode(), file.after.encode())
            for file in edited.files
            if file.repo == repository.id
        ]
        problem = write(repository.root, changes) if changes else None
        if problem:
            where = printable(f"{repository.id} {problem.path}")
            click.echo(f"tfrelock: {where}: {printable(problem.why)}; nothing was written here", err=True)
            codes.append(Exit.PARTIAL)
        elif changes:
            click.echo(f"wrote {len(changes)} files in {printable(repository.id)}", err=True)
    return codes
