"""Backends with variables and locals, which only OpenTofu takes: what they come to in their directory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from migrate.campaign.reading.units import Tree
from migrate.evaluation.opentofu import READ, SPEAKS, directory
from migrate.model import Known, Setting, Site, Unit, Unknown
from migrate.settings import taken


def early(
    sites: Iterable[Site], aliases: Mapping[PurePosixPath, Iterable[PurePosixPath]], files: Tree
) -> Mapping[str, tuple[Unit, ...]]:
    """Site id → each directory that its file serves, with the values of its expressions there."""
    found = {}
    for site in sites:
        asked = [setting for setting in site.settings if _is_early(setting)]
        if site.dialect == "terraform" and asked:
            roots = sorted({site.root, *(link.parent for link in aliases.get(site.path, ()))})
            found[site.id] = tuple(Unit(root, _values(root, asked, files)) for root in roots)
    return found


def _is_early(setting: Setting) -> bool:
    return setting.by_name and isinstance(setting.value, Unknown) and bool(SPEAKS.search(setting.value.why))


def _values(root: PurePosixPath, asked: Iterable[Setting], files: Tree) -> Mapping[str, str | bool | None]:
    texts = {name: files.text(root / name) or "" for name in files.names(root) if name.endswith(READ)}
    scope, values = directory(texts), {}
    for setting in asked:
        written = setting.value.why if isinstance(setting.value, Unknown) else ""
        fact = scope.setting(written)
        said = taken(setting.name, fact.value, written) if isinstance(fact, Known) else fact
        if isinstance(said, Known):
            values[setting.name] = said.value
    return values
