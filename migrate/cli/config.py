"""`tfrelock config show`: what configuration holds, and which line of which file says so."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click

from migrate import config
from migrate.cli.exits import Exit, worst
from migrate.cli.gather import today
from migrate.cli.given import given
from migrate.cli.group import Group
from migrate.cli.options import found, with_paths
from migrate.cli.trust import read_config
from migrate.cli.unnamed import missing
from migrate.cli.voice import hint, with_voice, wrong
from migrate.files import Discovered, Interest, Names, Read, Repository, Unreadable, decode, printable, walk

_TOKENS: Final = (
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "GITLAB_TOKEN",
    "GITEA_TOKEN",
    "GITHUB_APP_PRIVATE_KEY",
)
_NAMED: Final = Interest((), Names(frozenset({config.NAME})))


@click.group("config", cls=Group)
def command() -> None:
    """Say what configuration holds, and from where."""


@with_voice
@with_paths
@command.command("show")
@click.option(
    "--schema",
    type=click.Choice(list(config.SCHEMAS)),
    help="Print the JSON Schema of one of the two files instead.",
)
def show(schema: str | None) -> int:
    """Print every value that holds, and the line that says so.

    Reads the operator's configuration and the `.tfrelock.yaml` of each repository at the PATHs.
    """
    if schema:
        click.echo(json.dumps(config.SCHEMAS[schema], indent=2))
        return Exit.OK
    _, file, leaves = read_config(given().config)
    if not file:
        hint("no operator's configuration is given: --config FILE, or its default, names one")
    _section("operator", file, leaves)
    exits = list(_repositories(found()))
    tokens = (config.Leaf(name, "set", 0) for name in _TOKENS if os.environ.get(name))
    _section("environment", "", tokens)
    return worst(exits)


def _repositories(discovered: Discovered) -> Iterator[Exit]:
    yield from missing(discovered.missing)
    for repository, item in sorted(_files(discovered.repositories), key=lambda found: found[0].id):
        yield _repository(repository, item)


def _files(repositories: Sequence[Repository]) -> Iterator[tuple[Repository, Read | Unreadable]]:
    with walk(repositories, _NAMED, lambda _, read: read) as walked:
        for repository, item in walked:
            if isinstance(item, Read | Unreadable) and str(item.path) == config.NAME:
                yield repository, item


def _repository(repository: Repository, item: Read | Unreadable) -> Exit:
    source = decode(repository.id, item) if isinstance(item, Read) else item
    if isinstance(source, Unreadable):
        wrong(f"tfrelock: {printable(repository.id)}: {config.NAME}: {source.why}")
        return Exit.PARTIAL
    _, loaded = config.read_local(source.text)
    for mistake in loaded.mistakes:
        wrong(f"tfrelock: {printable(repository.id)}: {printable(str(mistake))}")
    if loaded.mistakes:
        return Exit.PARTIAL
    _section(repository.id, config.NAME, loaded.leaves)
    return Exit.OK


def _section(title: str, file: str, leaves: Iterable[config.Leaf]) -> None:
    """A title and its values in columns, and which are past their day; nothing where nothing is said."""
    leaves = tuple(leaves)
    said = [(leaf.key, leaf.value, f"{file}:{leaf.line}" if file else "") for leaf in leaves]
    if said:
        click.echo(printable(title))
        wide = [max(len(printable(row[column])) for row in said) for column in (0, 1)]
        for key, value, where in said:
            line = f"  {printable(key):{wide[0]}}  {printable(value):{wide[1]}}  {where}"
            click.echo(line.rstrip())
    for note in config.ended(leaves, file, today()):
        wrong(f"tfrelock: {printable(str(note))}")
