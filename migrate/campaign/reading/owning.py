"""Whose the files are in which a state is written, as CODEOWNERS says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from migrate.campaign.reading.inventory import Inventory
from migrate.model import Estate, RepoId
from migrate.owners import PLACES, Owners, read

CODEOWNERS: Final = tuple(map(PurePosixPath, PLACES))


def users(held: Mapping[PurePosixPath, bytes], paths: Iterable[PurePosixPath]) -> tuple[str, ...]:
    """The users, not the teams or addresses, whose any of `paths` is; `held` has what CODEOWNERS there is."""
    text = next((held[place].decode("utf-8", "replace") for place in CODEOWNERS if place in held), "")
    named = (owner for path in sorted(paths) for owner in read(text).of(path))
    return tuple(dict.fromkeys(name[1:] for name in named if name.startswith("@") and "/" not in name))


def owners(inventories: Iterable[Inventory], estate: Estate) -> Mapping[str, tuple[str, ...]]:
    """By the id of the state; of one with several writers all of theirs, each once."""
    files = {inventory.survey.repo: _read(inventory) for inventory in inventories}

    @cache  # one file may write thousands of states
    def of(repo: RepoId, path: PurePosixPath) -> tuple[str, ...]:
        return files[repo].of(path)

    return {
        str(stack.id): tuple(
            dict.fromkeys(owner for b in stack.backends for owner in of(b.repo, b.inputs[0].path))
        )
        for stack in estate.stacks
    }


def _read(inventory: Inventory) -> Owners:
    texts = (inventory.tree.text(PurePosixPath(place)) for place in PLACES)
    return next((read(text) for text in texts if text is not None), Owners())
