"""What edits keep their hands off, and how what they changed is proved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from migrate.campaign.editing.edit import Limits
from migrate.campaign.editing.texts import File
from migrate.campaign.reading.narrowing import Narrowing
from migrate.cli.gather import Gathered
from migrate.cli.voice import followed
from migrate.files import cache
from migrate.files.fork import available, in_order
from migrate.git.checkout import ignored
from migrate.leaves import keep_grammar_in
from migrate.model import Fact, RepoId
from migrate.proof import Proof, Unproved

_MANY: Final = 100
"""So many files take seconds: the second parser is slow."""


def limits(gathered: Gathered, narrowing: Narrowing) -> Limits:
    """What an edit may change of what was gathered; `narrowing` is what is selected.

    The second parser's grammar is kept in the user's own cache: without one, every edit makes it anew.
    """
    if folder := cache(os.environ):
        keep_grammar_in(folder)
    return Limits(narrowing, _ignored(gathered), _proved)


def _ignored(gathered: Gathered) -> dict[RepoId, Fact[frozenset[PurePosixPath]]]:
    """Of the files that were read, those that git ignores; unknown where it does not say."""
    return {
        repository.id: ignored(repository.root, inventory.sources)
        for repository, inventory in followed("asking what git ignores:", gathered.pairs, len(gathered.pairs))
        if repository.git and not repository.bare
    }


def _proved(prove: Callable[[File], Proof | Unproved], files: Sequence[File]) -> Iterator[Proof | Unproved]:
    """Each file's proof, made side by side where there are many."""
    proofs = map(prove, files) if len(files) < _MANY or not available() else in_order(prove, files)
    return followed("proving edits:", proofs, len(files))
