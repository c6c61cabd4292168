"""Which version choices hold in a directory.

Many roots stand below the same few directories, so what holds in one is found once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from migrate.estate.modules import calls, reached
from migrate.estate.runs import LOCKING
from migrate.estate.survey import Survey
from migrate.evaluation.files import is_hidden, is_override, is_tofu
from migrate.model import Engine, Known, Pin, Run, Site, Unknown
from migrate.spelling.version_names import scope
from migrate.versions import Tool

Tools: TypeAlias = tuple[Tool | None, ...]


class Pinned:
    """The pins of one repository."""

    def __init__(self, survey: Survey) -> None:
        self._calls = calls(survey)
        self._marks, self._told = survey.marks, survey.engine
        self._at: dict[PurePosixPath, list[Pin]] = defaultdict(list)
        self._found: dict[tuple[PurePosixPath, Tools], tuple[Pin, ...]] = {}
        self._of_runners = _unpinned(survey)
        self._only_constraints = True
        for pin in survey.pins:
            for root in _roots(pin, survey):
                self._at[root].append(pin)
            self._only_constraints = self._only_constraints and pin.kind == "constraint"

    def of(self, block: Site, engine: Engine) -> tuple[Pin, ...]:
        """All constraints of the root itself and of the file that configures it, which Terragrunt's units
        include, and of each other kind the pins that hold there.

        Those are every pin that holds everywhere below its directory, and of the files that switch versions
        by directory the nearest at or above the root; of both engines where either may read the block.
        Terragrunt's own count where it makes the backend. Where none holds, what runs there chooses.
        """
        of_terragrunt: Tools = ("terragrunt",) if block.dialect == "terragrunt" else ()
        tools: Tools = (None, engine, *of_terragrunt)
        own = self._in_force(
            [pin for pin in self._here(block.root, tools) if _constrains(pin, block)], engine
        )
        home = block.path.parent
        above = self._here(home, tools) if home != block.root else []
        included = (pin for pin in above if pin.kind == "constraint" and pin.path == block.path)
        engines: Tools = (engine,) if self._is_read_by_one(block) else ("terraform", "opentofu")
        held = self._holding(block.root, (None, *engines, *of_terragrunt))
        return (*own, *included, *(held or self._running(block.root, tools)))

    def _is_read_by_one(self, block: Site) -> bool:
        """Whether its file, or the repository's configuration, leaves a block to one engine."""
        return self._told is not None or is_tofu(block.path) or is_hidden(block.path, self._marks)

    def _in_force(self, pins: Sequence[Pin], engine: Engine) -> Sequence[Pin]:
        """What an engine reads of the constraints in one directory: those of an override file take the place
        of all others (terraform internal/configs/module.go, mergeFile), a hidden file says nothing.
        """
        read = [pin for pin in pins if engine != "opentofu" or not is_hidden(pin.path, self._marks)]
        last = max((pin.path for pin in read if is_override(pin.path)), default=None)
        return [pin for pin in read if last in (None, pin.path) or not pin.plug.startswith(_IN_SOURCE)]

    def of_modules(self, root: PurePosixPath) -> tuple[Pin, ...]:
        """The constraints of all modules that the root calls, one after another."""
        if not self._calls:
            return ()
        called = (self._at.get(directory, ()) for directory in sorted(reached(root, self._calls)))
        return tuple(pin for pins in called for pin in pins if pin.kind == "constraint" and _is_read(pin))

    def _holding(self, directory: PurePosixPath, tools: Tools) -> tuple[Pin, ...]:
        """All but constraints, the nearest first."""
        if self._only_constraints:
            return ()
        asked = (directory, tools)
        found = self._found.get(asked)
        if found is None:
            here = [pin for pin in self._here(directory, tools) if pin.kind != "constraint"]
            chosen = {(pin.plug, pin.engine) for pin in here if not pin.everywhere}
            above = self._holding(directory.parent, tools) if directory.name else ()
            kept = (pin for pin in above if (pin.plug, pin.engine) not in chosen)
            found = self._found[asked] = (*here, *kept)
        return found

    def _running(self, directory: PurePosixPath, tools: Tools) -> Iterator[Pin]:
        for pin in self._of_runners:
            if pin.engine in tools and (pin.everywhere or pin.root == directory):
                yield pin

    def _here(self, directory: PurePosixPath, tools: Tools) -> list[Pin]:
        return [pin for pin in self._at.get(directory, ()) if pin.engine in tools]


def _roots(pin: Pin, survey: Survey) -> Set[PurePosixPath]:
    """Where a pin holds: its directory, and each that has a copy of its file or a link of that kind to it."""
    if pin.everywhere:
        return {pin.root}
    links, copies = survey.aliases.get(pin.path, ()), survey.copies.get(pin.path, ())
    alike = (link for link in links if link.name == pin.path.name or pin.kind == "constraint")
    return {pin.root, *(path.parent for path in (*alike, *copies))}


_IN_SOURCE: Final = "required_version"
"""How the plugs are called that read files of Terraform."""


def _constrains(pin: Pin, block: Site) -> bool:
    """What Terraform reads as it stands holds for its directory, and a template for others of its ending.

    A `.tfvars` that is copied over holds for itself alone: the one beside it is copied in another run.
    """
    alike = pin.path.suffix == block.path.suffix != ".tfvars"
    return pin.kind == "constraint" and (_is_read(pin) or alike or pin.path == block.path)


def _is_read(pin: Pin) -> bool:
    """Whether an engine, or Terragrunt, reads the file as it stands."""
    return pin.path.suffix in (".tf", ".tofu", ".json", ".hcl")


_INSTALLED: Final = "no file chooses the release that runs here: it is what the runner has"


def _unpinned(survey: Survey) -> Sequence[Pin]:
    """The runs in pipelines whose release nothing here chooses: one for each directory and engine.

    An action that runs an engine brings its own, so only what stands as a command line counts.
    """
    first = {(run.directory, run.engine): run for run in reversed(survey.runs) if _is_bare(run)}
    return [_installed(run) for run in first.values()]


def _is_bare(run: Run) -> bool:
    command = run.verb is not None and run.engine is not None and run.command in (*LOCKING, "init")
    return run.automated and command and scope(run.path) == PurePosixPath()


def _installed(run: Run) -> Pin:
    """Terragrunt runs whatever is below its directory, and an engine of which it says nothing."""
    here = run.directory.value if isinstance(run.directory, Known) and run.engine != "terragrunt" else None
    return Pin(
        repo=run.repo,
        path=run.path,
        plug="runner",
        kind="unknown",
        engine=None if run.engine == "terragrunt" else run.engine,
        version=Unknown(_INSTALLED),
        span=run.span,
        line=run.line,
        root=here or PurePosixPath(),
        everywhere=here is None,
    )
