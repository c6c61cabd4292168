"""A program that reads what a release prints warnings into."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from migrate.estate.floors import constraints
from migrate.estate.runs import live
from migrate.model import Backend, Estate, Fix, Known, Outcome, Run, Severity, Verdict
from migrate.spelling.command_line import has
from migrate.versions import FACTS, Constraints, Malformed, Releases, chosen, common, newest, parse

NAME: Final = "output-parsed"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "From 1.15.0 on Terraform prints the deprecation of dynamodb_table to standard output: 1.15.0 and 1.15.1 "
    "even into output -json, 1.15.0 into output -raw. While the table is named, what reads it gets words."
)
REMEDY: Final = "Read output -json or -raw, and choose a release from 1.15.2 on, or one before 1.15."


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for run in live(estate):
        polluted = _polluted(run)
        backends = [b for b in _served(run, estate) if b.table and b.engine == "terraform"]
        said = {outcome for b in backends for outcome in _reached(b, polluted)} if polluted else set()
        for outcome in (o for o in (Outcome.BROKEN, Outcome.UNKNOWN) if o in said):
            sure = "is chosen" if outcome is Outcome.BROKEN else "may be chosen"
            because = f"its output is read, and a release {sure} that prints warnings into it"
            yield Verdict(NAME, str(run.path), outcome, because, where=run.place)
            break


def _polluted(run: Run) -> Releases | None:
    """The releases that print warnings into what another program reads of this run."""
    lists = run.command == "workspace" and run.arguments[:1] == ("list",)
    if not run.captured or not (run.command == "output" or lists):
        return None
    if has(run.arguments, "json"):
        return _OF["output-polluted"]
    return _OF["raw-output-polluted"] if has(run.arguments, "raw") else _OF["warning-shown"]


_OF: Final = {fact.name: Releases(fact.releases) for fact in FACTS["terraform"]}


def _served(run: Run, estate: Estate) -> Iterator[Backend]:
    for backend in estate.backends:
        here = not isinstance(run.directory, Known) or run.directory.value == backend.root
        if backend.repo == run.repo and here:
            yield backend


def _reached(backend: Backend, polluted: Releases) -> Iterator[Outcome]:
    """BROKEN where a place chooses such a release, UNKNOWN where nothing does and the newest would be one."""
    exact = [pin for pin in backend.pins if pin.kind == "exact" and pin.engine in (None, "terraform")]
    for pin in exact:
        meant = chosen(pin.version.value) if isinstance(pin.version, Known) else Malformed("")
        release = None if isinstance(meant, Malformed) else newest("terraform", meant) or meant.lowest
        if release is not None and release in polluted:
            yield Outcome.BROKEN
    of_engine, _ = constraints(backend)
    read = [parse(pin.version.value) for pin in of_engine if isinstance(pin.version, Known)]
    admitted = common(said for said in read if isinstance(said, Constraints))
    best = newest("terraform", admitted)
    if not exact and best is not None and best in polluted:
        yield Outcome.UNKNOWN
