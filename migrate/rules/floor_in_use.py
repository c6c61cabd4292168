"""Gate of dual-lock: every place that chooses a version chooses one that knows the lockfile."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.floors import APART, Barred, Below, Lapse, Unclear, Unsaid, below
from migrate.facts import judged
from migrate.model import Backend, Fix, Outcome, Severity, Verdict, World
from migrate.versions import TITLES

NAME: Final = "floor-in-use"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "The lowest release that any place may choose decides: it fails on use_lockfile, or takes the table lock "
    "alone while everybody believes that it holds both."
)
REMEDY: Final = (
    "tfrelock edit --phase pin raises constraints, version files, pipelines and images together; what it "
    "names by hand is yours."
)


def check(world: World, /) -> Iterable[Verdict]:
    """What source says; where it leaves the question open, what was seen or stated decides.

    A file that chooses an older binary is no open question: only what was seen wins over it.
    """
    subject = str(world.stack.id)
    entries = [(backend, entry) for backend in world.stack.backends for entry in below(backend, world.estate)]
    if not entries:
        yield Verdict(NAME, subject, Outcome.HOLDS, "every version chosen is at or above the floor")
        return
    older = any(isinstance(entry, Below) and entry.pin.kind != "constraint" for _, entry in entries)
    said = judged(NAME, world, "", "")
    if said.outcome is Outcome.UNKNOWN or (older and said.by != "seen"):
        yield from (_verdict(subject, backend, entry) for backend, entry in entries)
    else:
        yield said


def _verdict(subject: str, backend: Backend, entry: Lapse) -> Verdict:
    match entry:
        case Unclear(where, why):
            return Verdict(NAME, subject, Outcome.UNKNOWN, why, "facts: floor-in-use", where=where)
        case Unsaid():
            root = f" {backend.root}" if backend.root.name else ""
            because = f"no required_version in {backend.repo}{root}: any release may run"
            return Verdict(NAME, subject, Outcome.BROKEN, because, REMEDY, where=backend.place)
        case Barred(pin):
            return Verdict(NAME, subject, Outcome.BROKEN, str(entry), APART, where=pin.place)
        case Below(pin, release, tool):
            because = f"{pin.repo} {pin.place} admits {TITLES[tool]} {release}"
            return Verdict(NAME, subject, Outcome.BROKEN, because, REMEDY, where=pin.place)
