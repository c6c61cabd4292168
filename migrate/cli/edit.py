"""`tfrelock edit`: the changes of one phase, printed; written only when told."""

from __future__ import annotations

from typing import Final

import click

from migrate.campaign.phases.step import Order, run
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import Gathered, gather, gather_with_callers, today
from migrate.cli.limits import limits
from migrate.cli.options import scope, with_branches, with_judging, with_report, with_scope, write_report
from migrate.cli.phases import HELD, phase_named, reasoned
from migrate.cli.voice import Progress, hint, with_voice, wrong
from migrate.cli.words import say_answers, say_gates
from migrate.files import printable
from migrate.files.write import Replacement, write
from migrate.policies import POLICIES
from migrate.report import Edited
from migrate.reports import EDIT
from migrate.reports.spelling import counted
from migrate.steps import Phase, Standing

_OBEYING: Final[tuple[Phase, ...]] = ("retire", "revoke")


@with_voice
@with_scope
@with_judging
@with_branches
@with_report(EDIT)
@click.command("edit")
@click.option(
    "--phase",
    callback=phase_named,
    required=True,
    metavar="PHASE",
    help="assume-role, pin, iam, readers, dual-lock, retire or revoke.",
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
    asked, why = scope(), reasoned(force, [phase])
    gathered = gather_with_callers(asked) if phase == "dual-lock" else gather(asked, tuple(POLICIES))
    within = limits(gathered, gathered.own)
    order = Order(phase, today(), within, include_unlocked=include_unlocked, force=why)
    with Progress("making edits:"):
        edited = run(order, gathered.inventories, gathered.estate)
    write_report(EDIT, edited)
    _say(edited, writes=writes)
    if writes:
        _refuse_bare(gathered)
    held = edited.phase == "revoke" and edited.standing is not Standing.OPEN
    if writes and held:
        wrong("nothing was written: a gate of revoke is not open")
    written = _write(gathered, edited) if writes and not held else []
    pending = [Exit.FINDINGS] if check and edited.files else []
    return worst([*gathered.exits, *written, *pending, *_exits(edited, writes=writes)])


def _exits(edited: Edited, *, writes: bool) -> list[Exit]:
    """A closed gate counts where the phase was asked for by name and has gates it obeys."""
    codes = []
    if edited.phase in _OBEYING and edited.standing in HELD:
        codes.append(HELD[edited.standing])
    if writes and edited.refusals:
        codes.append(Exit.PARTIAL)
    return codes


def _say(edited: Edited, *, writes: bool) -> None:
    say_gates(edited.verdicts)
    if edited.forced is not None:
        wrong(f"forced: {printable(edited.forced)}")
    say_answers(edited.refusals, edited.suggestions)
    for note in dict.fromkeys(note for file in edited.files for note in file.notes):
        hint(f"note {printable(note)}")
    if edited.held:
        places = counted(len(edited.held), "place stays", "places stay")
        wrong(f"{places} as before: a gate of {edited.phase} is not open")
    elif not edited.files:
        hint(f"nothing to change for {edited.phase}")
    if edited.files and not writes and edited.phase != "revoke":
        hint(f"{counted(len(edited.files), 'file')} would change: --write changes them")


def _refuse_bare(gathered: Gathered) -> None:
    for repository in gathered.repositories:
        if repository.bare and not repository.branch:
            raise click.UsageError(f"{repository.id} is bare, it has no files to write: tfrelock propose")


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
            wrong(f"tfrelock: {where}: {printable(problem.why)}; nothing was written here")
            codes.append(Exit.PARTIAL)
        elif changes:
            hint(f"wrote {counted(len(changes), 'file')} in {printable(repository.id)}")
    return codes
