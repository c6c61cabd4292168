"""Operations by file → new texts, or why they do not go together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from migrate.campaign.reading.inventory import Inventory
from migrate.compose import compose
from migrate.model import RepoId, Source
from migrate.proof import Proof, Unproved, difference
from migrate.report import EditedFile
from migrate.text import Conflict, Op

File: TypeAlias = tuple[RepoId, PurePosixPath]
Texts: TypeAlias = dict[File, str]
Prove: TypeAlias = Callable[[File], Proof | Unproved]
Each: TypeAlias = Callable[[Prove, Sequence[File]], Iterable[Proof | Unproved]]
"""`map`, or what does the same side by side."""
Sources: TypeAlias = Mapping[RepoId, Mapping[PurePosixPath, Source]]


def sources_of(inventories: Iterable[Inventory]) -> Sources:
    """The texts of every repository that were read."""
    return {inventory.survey.repo: inventory.sources for inventory in inventories}


def composed(sources: Sources, ops: Mapping[File, Sequence[Op]]) -> tuple[Texts, dict[File, str]]:
    """The texts that change, and for each file whose operations want different things of one place, which."""
    texts: Texts = {}
    conflicts: dict[File, str] = {}
    for (repo, path), wanted in ops.items():
        before = sources[repo][path].text
        text = compose(before, dict.fromkeys(wanted))
        if isinstance(text, Conflict):
            conflicts[repo, path] = "two changes want different things of one place in this file"
        elif text != before:
            texts[repo, path] = text
    return texts, conflicts


_NO_NOTES: Final[Mapping[File, Sequence[str]]] = {}


def changed(
    sources: Sources,
    texts: Texts,
    proofs: Mapping[File, Proof | Unproved],
    notes: Mapping[File, Sequence[str]] = _NO_NOTES,
) -> tuple[EditedFile, ...]:
    """Each changed file, with what is proved and noted of it."""
    return tuple(
        EditedFile(repo, path, sources[repo][path].text, text, proofs[repo, path], tuple(notes.get(file, ())))
        for file, text in sorted(texts.items())
        for repo, path in [file]
    )


def differences(sources: Sources, texts: Texts, each: Each) -> dict[File, Proof | Unproved]:
    """What the second parser sees differ in each."""

    def seen(file: File) -> Proof | Unproved:
        repo, path = file
        return difference(sources[repo][path], texts[file])

    return of_each(seen, texts, each)


def of_each(prove: Prove, texts: Texts, each: Each) -> dict[File, Proof | Unproved]:
    """The proof of each changed file."""
    files = list(texts)
    return dict(zip(files, each(prove, files), strict=True))
