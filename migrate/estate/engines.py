"""Which engines use a block.

The evidence is looked up by directory: a repository with many roots has as many version files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

from migrate.estate.survey import Survey
from migrate.evaluation.files import is_hidden, is_override, is_tofu
from migrate.model import Engine, Known, Site


class Engines:
    """What one repository says of its engines: a `.tofu` file, a pin, a run, or its own configuration."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._pinned: dict[PurePosixPath, set[Engine]] = defaultdict(set)
        self._run: dict[PurePosixPath, set[Engine]] = defaultdict(set)
        for pin in survey.pins:
            if pin.engine in ("terraform", "opentofu"):
                self._pinned[pin.root].add(pin.engine)
        for run in survey.runs:
            if run.engine in ("terraform", "opentofu") and isinstance(run.directory, Known):
                self._run[run.directory.value].add(run.engine)
        self._tofu = {mark.parent for mark in survey.marks if is_tofu(mark)}
        self._overridden = {
            site.root for site in survey.sites if is_tofu(site.path) and is_override(site.path)
        }

    def of(self, site: Site) -> tuple[Engine, ...]:
        """The engines that read the block of a site."""
        if is_tofu(site.path):
            return ("opentofu",)
        hidden = self._tofu and is_hidden(site.path, self._survey.marks)
        if hidden or site.root in self._overridden:
            return ("terraform",)
        return (self._of_root(site.root, site),)

    def _of_root(self, root: PurePosixPath, site: Site) -> Engine:
        if self._survey.engine:
            return self._survey.engine
        above = (root, *root.parents) if self._pinned or self._run else ()
        says = _at(self._pinned, above) or _at(self._run, above)
        early = site.dialect == "terraform" and site.id in self._survey.units
        tofu = root in self._tofu or (early and not says)  # Terraform takes no variable in a backend
        return "opentofu" if says == {"opentofu"} or tofu else "terraform"


def _at(found: dict[PurePosixPath, set[Engine]], directories: Iterable[PurePosixPath]) -> set[Engine]:
    return {engine for directory in directories for engine in found.get(directory, ())}
