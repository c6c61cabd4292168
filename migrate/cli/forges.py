"""`--forge`, `--forge-url` and `--out`, and what a run reaches repositories by with them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import click

from migrate.cli.given import dressed, given, kept
from migrate.cli.reach import Reach
from migrate.cli.voice import hint
from migrate.config import Operator
from migrate.files import data, scratch
from migrate.forges import BY_NAME, Pace, Paced
from migrate.git.commits import Author, user
from migrate.git.own import blank
from migrate.pages import Pages

C = TypeVar("C", bound=click.Command)

LOCAL: Final = "local"
_OPTIONS: Final = (
    kept(
        "--forge",
        type=click.Choice([LOCAL, *BY_NAME]),
        help="Where proposals are made; local, the default: branches here, pages in --out.",
    ),
    kept(
        "--forge-url",
        metavar="URL",
        help="Its URL, where it is not the public one.",
    ),
    kept(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="For --forge local: the folder for pages and patches.",
    ),
)


def with_forge(command: C) -> C:
    """Give a command `--forge`, `--forge-url` and `--out`."""
    return dressed(command, *_OPTIONS)


def say_dry(reached: Reach) -> None:
    """What makes what was only told."""
    also = " --out DIR" if reached.host is None and given().out is None else ""
    hint(f"nothing was made: --yes{also} makes them")


@contextmanager
def reach(
    says: Operator,
    *,
    writes: bool,
    sees: bool = False,
    commits: bool = False,
    patience: float = 0.0,
    past: Sequence[float] = (),
) -> Iterator[Reach]:
    """What `--forge` and its like, else the configuration, say. Raises click.UsageError or RelockError.

    `sees`: it looks at proposals. `commits`: it makes some, though it may write nothing elsewhere.
    `patience`: the seconds a forge may ask us to wait. `past`: when earlier runs wrote to it, as `time.time`
    gives it.
    """
    options = given()
    forge, url = options.forge or says.forge or LOCAL, options.forge_url or says.forge_url or None
    if forge == LOCAL and (writes or sees) and options.out is None:
        raise click.UsageError("--forge local keeps pages and patches in a folder: say which with --out DIR")
    host = None
    if forge != LOCAL:
        pace = Pace(time.time, time.sleep, past)
        host = Paced(BY_NAME[forge].reach(url, os.environ, pace), pace, patience)
    try:
        when = f"{int(time.time())} +0000"
        author = _author() if writes or commits else Author("", "")
        yield Reach(host, options.out or Path(os.devnull), writes, author, when, Pages(data("templates")))
    finally:
        if host is not None:
            host.close()


def _author() -> Author:
    with scratch() as folder:
        return user(blank(folder))
