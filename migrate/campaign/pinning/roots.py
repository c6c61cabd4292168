"""Which root a backend is one of: the pins of a root go together."""

from __future__ import annotations

from typing import TypeAlias

from migrate.model import Backend, RepoId

RootId: TypeAlias = tuple[RepoId, str, str]
"""Repository, directory or file, engine."""


def root_of(backend: Backend) -> RootId:
    """Files that are copied to one name are configurations of one directory that never meet."""
    block = backend.inputs[0]
    where = block.path if block.dialect == "renamed" else backend.root
    return (backend.repo, str(where), backend.engine)
