"""`--forge`, `--forge-url` and `--out`, and what a run reaches repositories by with them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import click
from msgspec import Struct

from migrate.cli.reach import Reach
from migrate.config import Operator
from migrate.files import data, scratch
from migrate.forges import (
    HOSTS,
    Pace,
    Paced,
)
from migrate.git.commits import Author, user
from migrate.git.own import blank
from migrate.pages import Pages

C = TypeVar("C", bound=click.Command)

LOCAL: Final = "local"
_MODULES: Final = {module.NAME: module for module in HOSTS}
_KEY: Final = "migrate.forge"


class _Given(Struct):
    forge: str | None = None
    url: str | None = None
    out: Path | None = None


def _given() -> _Given:
    meta = click.get_current_context().meta
    found = meta.setdefault(_KEY, _Given())
    assert isinstance(found, _Given)  # noqa: S101  ours alone
    return found


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    setattr(context.meta.setdefault(_KEY, _Given()), str(parameter.name), value)


_OPTIONS: Final = (
    click.option(
        "--forge",
        type=click.Choice([LOCAL, *_MODULES]),
        callback=_keep,
        expose_value=False,
        help="Where proposals are made; local, the default: a branch here, pages and patches under --out.",
    ),
    click.option(
        "--forge-url",
        "url",
        metavar="URL",
        callback=_keep,
        expose_value=False,
        help="The URL of the forge, where it is not the public one.",
    ),
    click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        callback=_keep,
        expose_value=False,
        help="For --forge local: the folder for pages and patches.",
    ),
)


def with_forge(command: C) -> C:
    """Give a command `--forge`, `--forge-url` and `--out`."""
    for option in reversed(_OPTIONS):
        option(command)
    return command


@contextmanager
def reach(
    says: Operator,
    *,
    writes: bool,
    commits: bool = False,
    patience: float = 0.0,
    past: Sequence[float] = (),
) -> Iterator[Reach]:
    """What `--forge` and its like, else the configuration, say. Raises click.UsageError or RelockError.

    `commits`: it makes some, though it may write nothing elsewhere. `patience`: the seconds a forge may ask
    us to wait. `past`: when earlier runs wrote to it, as `time.time` gives it.
    """
    given = _given()
    forge, url = given.forge or says.forge or LOCAL, given.url or says.forge_url or None
    if forge == LOCAL and writes and given.out is None:
        raise click.UsageError("--forge local writes pages and patches: say where with --out DIR")
    host = None
    if forge != LOCAL:
        pace = Pace(time.time, time.sleep, past)
        host = Paced(_MODULES[forge].reach(url, os.environ, pace), pace, patience)
    try:
        when = f"{int(time.time())} +0000"
        author = _author() if writes or commits else Author("", "")
        yield Reach(host, given.out or Path(os.devnull), writes, author, when, Pages(data("templates")))
    finally:
        if host is not None:
            host.close()


def _author() -> Author:
    with scratch() as folder:
        return user(blank(folder))
