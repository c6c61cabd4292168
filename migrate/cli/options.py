"""Options that several commands share, each group as one value: what to look at, and where the report goes.

Their values are kept in click's context, so that a command names only the options that are its own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.reading.narrowing import Narrowing
from migrate.files import Discovered, discover, save

if TYPE_CHECKING:
    from migrate.cli.trust import Operator
    from migrate.reports import Format

R = TypeVar("R")
C = TypeVar("C", bound=click.Command)


class Scope(Struct, frozen=True):
    """What a command looks at: what the PATHs lead to, how it is narrowed, and what the operator says."""

    discovered: Discovered
    narrowing: Narrowing
    operator: Operator
    branches: tuple[str, ...] = ()
    """Other branches that can write state."""

    @property
    def own(self) -> Narrowing:
        """The narrowing of what edits: other branches are known, and left as they are."""
        return replace(self.narrowing, known=tuple(f"@{name}" for name in self.branches))


class _Given(Struct):
    """The shared options of the running command, as they were given."""

    paths: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    config: Path | None = None
    facts: Path | None = None
    floor: str | None = None
    format_: str = ""
    output: Path | None = None
    found: Discovered | None = None
    base_branch: tuple[str, ...] = ()


def _given() -> _Given:
    return click.get_current_context().ensure_object(_Given)


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    setattr(context.ensure_object(_Given), str(parameter.name), value)


_FILE: Final = click.Path(dir_okay=False, path_type=Path)

_PATHS: Final = click.argument("paths", nargs=-1, metavar="[PATH]...", callback=_keep, expose_value=False)
_SAID: Final = (
    click.option(
        "--only",
        multiple=True,
        metavar="GLOB",
        callback=_keep,
        expose_value=False,
        help="Report and change only what matches: a path, folder or repository. The rest is still known.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="GLOB",
        callback=_keep,
        expose_value=False,
        help="Do not read what matches: a path, folder or repository.",
    ),
    click.option(
        "--config",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        envvar="TFRELOCK_CONFIG",
        metavar="FILE",
        callback=_keep,
        expose_value=False,
        help="The operator's configuration.",
    ),
    click.option(
        "--facts",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="DIR",
        callback=_keep,
        expose_value=False,
        help="Documents that say what was seen (tfrelock.fact/1), and saved answers of accounts.",
    ),
    click.option(
        "--floor",
        metavar="VERSION",
        callback=_keep,
        expose_value=False,
        help="The oldest release to admit (default: Terraform 1.11.0, OpenTofu 1.10.2).",
    ),
)


def with_scope(command: C) -> C:
    """Give a command `[PATH]...`, `--only`, `--exclude`, `--config`, `--facts` and `--floor`."""
    return _PATHS(with_operator(command))


def with_branches(command: C) -> C:
    """Give a command `--base-branch`."""
    return click.option(
        "--base-branch",
        multiple=True,
        metavar="NAME",
        callback=_keep,
        expose_value=False,
        help="A branch that is kept and can write state, too: a client of its own where it is.",
    )(command)


def with_operator(command: C) -> C:
    """Give a command `--only`, `--exclude`, `--config`, `--facts` and `--floor`, and no PATH."""
    for option in reversed(_SAID):
        option(command)
    return command


def found() -> Discovered:
    """What the PATHs of the running command lead to."""
    given = _given()
    if given.found is None:
        given.found = discover(given.paths or ["."])
    return given.found


def scope(at: Discovered | None = None) -> Scope:
    """What the running command looks at: its PATHs, or `at`. RelockError when a file or floor cannot be."""
    from migrate.cli.trust import read_operator  # noqa: PLC0415  the walk of files begins before

    given, discovered = _given(), at or found()
    operator = read_operator(given.config, given.facts, given.floor, dt.datetime.now(dt.UTC))
    for note in operator.notes:
        click.echo(f"tfrelock: {note}", err=True)
    within = {r.id: r.within for r in discovered.repositories if r.within}
    narrowing = Narrowing(given.only, given.exclude, within=within)
    return Scope(discovered, narrowing, operator, given.base_branch)


def with_report(formats: Mapping[str, Format[R]]) -> Callable[[C], C]:
    """Give a command `--format` and `--output`; the choices are the registry, the first is the default."""
    names = list(formats)
    options = (
        click.option(
            "--format",
            "format_",
            type=click.Choice(names),
            default=names[0],
            show_default=True,
            callback=_keep,
            expose_value=False,
            help="How to write the report.",
        ),
        click.option(
            "--output",
            type=_FILE,
            metavar="FILE",
            callback=_keep,
            expose_value=False,
            help="Write the report to FILE instead of standard output.",
        ),
    )

    def decorate(command: C) -> C:
        for option in reversed(options):
            option(command)
        return command

    return decorate


def write_report(formats: Mapping[str, Format[R]], report: R) -> None:
    """To standard output or to `--output`. Raises RelockError when the file cannot be written."""
    given = _given()
    text = formats[given.format_].render(report)
    if given.output is None:
        click.echo(text, nl=False)
    else:
        save(given.output, text.encode())
