"""A first constraint for a root that has none: where it would go, and why it goes nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Protocol

from migrate.model import Refusal, Site, Source
from migrate.pins import required_version, terragrunt_constraint
from migrate.plug import Edits
from migrate.text import Span

if TYPE_CHECKING:  # an audit puts no text together
    from migrate.campaign.editing.texts import Sources


class _Inserting(Protocol):
    @property
    def ARGUMENT(self) -> str: ...
    def insert(self, source: Source, block: Span, constraint: str, /) -> Edits: ...


_BY_DIALECT: Final[Mapping[str, _Inserting]] = {
    "terraform": required_version,
    "renamed": required_version,
    "terragrunt": terragrunt_constraint,
}


def held(site: Site, constraint: str) -> Refusal | None:
    """Why a root gets none: its file is not ours to edit, or of a kind that we add none to."""
    if site.why_not:
        return Refusal(site.place, site.why_not, _by_hand(site, constraint))
    if site.dialect not in _BY_DIALECT or site.path.suffix == ".json":
        why = "it admits every release, and its file is of a kind that we add no constraint to"
        return Refusal(site.place, why, _by_hand(site, constraint))
    return None


def insert(site: Site, constraint: str, sources: Sources) -> Edits | Refusal:
    """The constraint in the block with the backend, or beside it."""
    edits = _BY_DIALECT[site.dialect].insert(sources[site.repo][site.path], site.span, constraint)
    return edits or Refusal(site.place, "no block is around it", _by_hand(site, constraint))


def _by_hand(site: Site, constraint: str) -> str:
    plug = _BY_DIALECT.get(site.dialect, required_version)
    return f'add {plug.ARGUMENT} = "{constraint}" by hand'
