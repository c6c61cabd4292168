"""One configuration as the backends of the directories it serves, and the blocks that Terragrunt fills in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from migrate.estate.survey import Survey
from migrate.model import Idle, Known, Setting, Site, Unit


def expanded(site: Site, units: Sequence[Unit]) -> Iterator[Site]:
    """The site as it is in each unit whose state is known there; the other units stay one site together."""
    known, others = [], 0
    for unit in units:
        settings = tuple(_in_unit(setting, unit) for setting in site.settings)
        if _names_state(settings) or len(units) == 1:
            known.append(replace(site, root=unit.directory, settings=settings))
        else:
            others += 1
    yield from known
    if others or not units:
        yield replace(site, units=max(others, 1))


def _in_unit(setting: Setting, unit: Unit) -> Setting:
    if not setting.by_name or setting.name not in unit.values:
        return setting
    return replace(setting, value=Known(unit.values[setting.name]))


def _names_state(settings: Sequence[Setting]) -> bool:
    said = {setting.name for setting in settings if isinstance(setting.value, Known)}
    return {"bucket", "key"} <= said


def filled(survey: Survey) -> Mapping[PurePosixPath, PurePosixPath]:
    """Directories whose backend Terragrunt fills in → the unit: the same, a copy, or one that runs it."""
    terragrunt = {site.id for site in survey.sites if site.dialect == "terragrunt"}
    served = (units for site, units in survey.units.items() if site in terragrunt)
    units = {unit.directory for some in served for unit in some}
    modules = {
        link.path: link.origin.path.parent
        for link in survey.links
        if link.kind == "module" and link.origin.path.parent in units
    }
    copied = ((path.parent, copy.parent) for path, copies in survey.copies.items() for copy in copies)
    copies = {folder: copy for folder, copy in copied if copy in units}
    return {**modules, **copies, **{unit: unit for unit in units}}


def left_to_terragrunt(sites: Sequence[Site], unit: PurePosixPath | None) -> tuple[list[Site], list[Idle]]:
    """The blocks of a directory that count, and those that are empty or made by Terragrunt where it runs."""
    idle = [site for site in sites if unit and site.dialect != "terragrunt" and _is_left(site)]
    why = f"Terragrunt configures this backend in {unit}"
    return [site for site in sites if site not in idle], [Idle(site, why) for site in idle]


def _is_left(site: Site) -> bool:
    return not site.settings or (site.generated and "Terragrunt" in (site.why_not or ""))
