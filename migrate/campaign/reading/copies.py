"""Copies that Terramate generates, tied to their source: both change in one step, or neither does.

A copy is as its source would make it anew: its arguments stand in the order of their names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec.structs import replace

from migrate.grouping import grouped
from migrate.model import Site

_GENERATED: Final = "generate_hcl."

Key: TypeAlias = tuple[str, str]
"""The name of the generated file, and of the block in it."""


def tied(sites: Sequence[Site]) -> list[Site]:
    """The sites, with each copy whose source is known tied to it; that one may be edited."""
    written = (s for s in sites if s.dialect == "terramate" and s.name.startswith(_GENERATED))
    sources = grouped(written, _key_of_source)
    return [_tied(site, sources) for site in sites] if sources else list(sites)


def _key_of_source(site: Site) -> Key:
    for block in (".backend.s3", ".data.terraform_remote_state."):
        file, found, rest = site.name.removeprefix(_GENERATED).partition(block)
        if found:
            return file.rpartition("/")[2], f"{block.removeprefix('.')}{rest}"
    return site.name, ""


def _tied(site: Site, sources: Mapping[Key, Sequence[Site]]) -> Site:
    if not site.generated or "TERRAMATE" not in (site.why_not or ""):
        return site
    alike = [one for one in sources.get((site.path.name, site.name), ()) if _names(one) == _names(site)]
    shared = [_shared(one.path, site.path) for one in alike]
    if not alike or shared.count(max(shared)) > 1:
        return site
    return replace(site, why_not=None, generated=False, copy_of=alike[shared.index(max(shared))].id)


def _shared(one: PurePosixPath, other: PurePosixPath) -> int:
    """How many folders from the top two files have in common."""
    pairs = zip(one.parts, other.parts, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _names(site: Site) -> list[str]:
    """The arguments; one that stands twice is there twice, as no generator writes it."""
    return sorted(setting.name for setting in site.settings if setting.by_name)
