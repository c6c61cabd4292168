"""The phases of a command that changes source, as people name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import click

from migrate.cli.exits import Exit
from migrate.cli.voice import hint
from migrate.steps import BY_NUMBER, Phase, Standing

EDITABLE: Final[Sequence[Phase]] = ("assume-role", "pin", "iam", "readers", "dual-lock", "retire", "revoke")
_NEVER_OFFERED: Final = ("revoke",)
"""Its gate is seen to be open at the moment of writing, which that of a merge is not."""

HELD: Final[Mapping[Standing, Exit]] = {Standing.CLOSED: Exit.CLOSED, Standing.UNKNOWN: Exit.UNKNOWN}
"""How a phase ends that was asked for by name and is held by its gates."""
_AFTER: Final = {"dual-lock": ", merged after pin and iam", "retire": ", merged last"}


def reasoned(force: str | None, phases: Sequence[Phase]) -> str | None:
    """The reason of `--force`, which opens gates of retire and has to be asked for with it."""
    if force is not None and not force.strip():
        raise click.UsageError("--force needs a reason: it stands in the output and in the proposal")
    if force is not None and "retire" not in phases:
        raise click.UsageError("--force opens gates of retire: name it with --phase retire")
    return force


def phase_named(context: click.Context, parameter: click.Parameter, value: str) -> Phase:
    """A phase by its name; a number is taken too, and answered with the name."""
    named = BY_NUMBER.get(value)
    if named:
        hint(f"phase {value} is {named}{_AFTER.get(named, '')}")
        return named
    for phase in EDITABLE:
        if phase == value:
            return phase
    raise click.BadParameter(f"{value!r} is no phase: use {', '.join(EDITABLE)}", context, parameter)


def phase_offered(context: click.Context, parameter: click.Parameter, value: str) -> Phase:
    """A phase that is made a proposal of, by its name or number."""
    if value in _NEVER_OFFERED:
        raise click.BadParameter(f"{value} is never proposed: tfrelock edit prints it", context, parameter)
    return phase_named(context, parameter, value)
