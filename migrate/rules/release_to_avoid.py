"""A place that chooses, by its exact number, a release that breaks something on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from migrate.estate.floors import floor, tool_of
from migrate.model import Backend, Estate, Fix, Known, Outcome, Pin, Severity, Verdict, World
from migrate.versions import EngineFact, Malformed, Release, Releases, Tool, against, chosen, newest

NAME: Final = "release-to-avoid"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "Some releases take the lockfile and break something beside it: 1.15.0 and 1.15.1 print warnings into "
    "output -json while the table is named, 1.10.0 writes a lock that a bucket with Object Lock refuses."
)
REMEDY: Final = (
    "tfrelock edit --phase pin chooses the next good release of the same minor; tfrelock explain lists them."
)


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        for pin, fact in _avoided(backend, world.estate):
            because = f"{pin.path.name} chooses a release that {fact.what}"
            yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=pin.place)


def _avoided(backend: Backend, estate: Estate) -> Iterator[tuple[Pin, EngineFact]]:
    """Exact choices from the floor on; below it another rule speaks."""
    for pin in backend.pins:
        tool = tool_of(pin, backend)
        release = _release(pin, tool)
        if release is None or release < floor(estate, tool):
            continue
        for fact in against(tool, Releases.only(release))[:1]:
            if backend.table or fact.name not in _OF_THE_TABLE:
                yield pin, fact


_OF_THE_TABLE: Final = frozenset({"output-polluted", "raw-output-polluted"})
"""What only bites while a configuration names the table."""


def _release(pin: Pin, tool: Tool) -> Release | None:
    """The release that an exact pin means today: the newest of a minor, where it names one."""
    meant = chosen(pin.version.value) if isinstance(pin.version, Known) else Malformed("")
    if pin.kind != "exact" or isinstance(meant, Malformed):
        return None
    return newest(tool, meant) or meant.lowest
