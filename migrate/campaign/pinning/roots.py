"""Which root a backend is one of: the pins of a root go together."""

from __future__ import annotations

from typing import TypeAlias

from migrate.model import Backend, RepoId

RootId: TypeAlias = tuple[RepoId, str, str, tuple[tuple[str, int], ...]]
"""Repository, directory or file, engine, where its constraints stand."""


def root_of(backend: Backend) -> RootId:
    """Files that are copied to one name are configurations of one directory that never meet; nor do its
    constraints as they are committed, and as a file that git ignores makes them.
    """
    block = backend.inputs[0]
    where = block.path if block.dialect == "renamed" else backend.root
    constraints = tuple((str(pin.path), pin.span.start) for pin in backend.pins if pin.kind == "constraint")
    return (backend.repo, str(where), backend.engine, constraints)
