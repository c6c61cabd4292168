"""Where the name of a lock table comes from in Terraform code, and where it goes on to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from migrate.campaign.reading.chains.folders import READ, Folders
from migrate.campaign.reading.chains.named import sources, table
from migrate.campaign.reading.chains.onward import onward
from migrate.campaign.reading.tree import Tree
from migrate.model import Definition, Link, RepoId


def chained(
    repo: RepoId, definitions: Sequence[Definition], links: Iterable[Link], files: Tree
) -> tuple[Definition, ...]:
    """Each definition with the table's name, where code settles it, and with all that carries it."""
    folders = Folders(repo, links, files) if definitions else None
    return tuple(_chained(one, folders) for one in definitions) if folders else ()


def _chained(definition: Definition, folders: Folders) -> Definition:
    if definition.path.suffix not in READ:
        return definition
    carriers = dict.fromkeys((*sources(definition, folders), *onward(definition, folders)))
    return replace(definition, table=table(definition, folders), carriers=tuple(carriers))
