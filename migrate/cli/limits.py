"""What edits keep their hands off, and how what they changed is proved."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Final

import click

from migrate.campaign.editing.edit import Limits
from migrate.campaign.editing.texts import File
from migrate.campaign.reading.narrowing import Narrowing
from migrate.cli.gather import Gathered
from migrate.cli.voice import quiet
from migrate.files.fork import available, in_order
from migrate.git.checkout import ignored
from migrate.model import Fact, RepoId
from migrate.proof import Proof, Unproved

_MANY: Final = 100
"""So many files take seconds: the second parser is slow."""


def limits(gathered: Gathered, narrowing: Narrowing) -> Limits:
    return Limits(narrowing, _ignored(gathered), partial(_proved, hidden=quiet()))


def _ignored(gathered: Gathered) -> dict[RepoId, Fact[frozenset[PurePosixPath]]]:
    """Of the files that were read, those that git ignores; unknown where it does not say."""
    return {
        repository.id: ignored(repository.root, inventory.sources)
        for repository, inventory in zip(gathered.repositories, gathered.inventories, strict=True)
        if repository.git and not repository.bare
    }


def _proved(
    prove: Callable[[File], Proof | Unproved], files: Sequence[File], *, hidden: bool
) -> Iterator[Proof | Unproved]:
    """Each file's proof, made side by side where there are many, and then with a bar on a terminal."""
    if len(files) < _MANY or not available():
        yield from map(prove, files)
        return
    hidden = hidden or not sys.stderr.isatty()
    proofs = in_order(prove, files)
    with click.progressbar(proofs, len(files), "proving", file=sys.stderr, hidden=hidden) as shown:
        yield from shown
