"""The runs of engines that concern the states here, and what their arguments say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from migrate.model import Backend, Estate, Fact, Known, Lock, RepoId, Run, Site, Unknown
from migrate.spelling.command_line import is_filled, values
from migrate.spelling.runs import takes_changes
from migrate.spelling.version_names import scope

WRITING: Final = frozenset({"apply", "destroy", "import", "refresh", "taint", "untaint"})
LOCKING: Final = WRITING | {"plan"}
"""They take the lock, and `-lock` and `-lock-timeout` with it."""

_SPACED: Final = frozenset(
    {"var", "var-file", "target", "replace", "state", "state-out", "backup", "parallelism", "lock-timeout"}
    | {"backend-config", "out", "plugin-dir", "from-module"}
)
"""Flags whose value may be the next word."""


def live(estate: Estate) -> Iterator[Run]:
    """The runs that may concern an S3 backend here; no examples.

    Those are of repositories with such a backend, or with pipelines alone, and not in a directory that is
    known and has none.
    """
    if not estate.runs:
        return
    concerned = _working_in(estate, estate.backends)
    for run in estate.runs:
        if concerned(run) and scope(run.path) == PurePosixPath():
            yield run


def _working_in(estate: Estate, backends: Iterable[Backend]) -> Callable[[Run], bool]:
    """Whether a run may work in a root of these, or is of a repository with no code at all, or where a
    backend may be written in a form that is not read.
    """
    roots: dict[RepoId, set[PurePosixPath]] = defaultdict(set)
    for backend in backends:
        roots[backend.repo].add(backend.root)
    coded = {pin.repo for pin in estate.pins if pin.kind == "constraint"}
    coded |= {backend.repo for backend in estate.backends}

    written = {mention.where.repo for mention in estate.mentions if not mention.accounted}
    written |= {idle.site.repo for idle in estate.unread}

    def may(run: Run) -> bool:
        here = roots.get(run.repo)
        if here:
            return _works_in(run, here)
        return run.repo in written or (bool(roots) and run.repo not in coded)

    return may


def _works_in(run: Run, roots: Collection[PurePosixPath]) -> bool:
    """Terragrunt runs whatever is below its directory."""
    if run.engine == "terragrunt":
        return True
    match run.directory:
        case Known(directory):
            return directory in roots
        case Unknown(like=like):
            return not like or any(
                fnmatchcase(name, like) for root in roots for name in (f"{root}", f"./{root}")
            )


class Stale(Struct, frozen=True):
    """An `init` that does not take a changed backend, and whether it meets a directory of before."""

    run: Run
    meets: Fact[bool]
    brought: bool
    """By a cache, out of a run that may be as old as the cache."""


def awaiting(estate: Estate) -> Iterator[Stale]:
    """Those whose backend a step is still to change, or a cache brings from before one did."""
    changes = _working_in(estate, (b for b in estate.backends if b.lock != Known(Lock.LOCKFILE)))
    return (found for found in stale(estate) if found.brought or changes(found.run))


def stale(estate: Estate) -> Iterator[Stale]:
    """Every `init` that may meet a directory which was initialised for the backend of before."""
    runs = list(live(estate))
    cached = {(run.repo, run.path, run.job) for run in runs if run.command == "cache"}
    for run in runs:
        if run.command == "init" and run.job and not takes_changes(run.said):
            of_its_own = (run.repo, run.path, run.job) in cached
            brought = of_its_own or (run.repo, run.path, "") in cached  # a cache of all jobs has none
            kept = Known(value=True) if brought else run.kept
            meets = _met(run, kept)
            if meets != Known(value=False):
                yield Stale(run, meets, brought)


def _met(run: Run, kept: Fact[bool]) -> Fact[bool]:
    if kept == Known(value=False):
        return kept
    if opaque(run):
        return Unknown("what else it is given is known when it runs")
    return run.directory if isinstance(run.directory, Unknown) else kept


def of_flag(site: Site, runs: Iterable[Run]) -> Run | None:
    """The run that a flag is given to."""
    here = (run for run in runs if (run.repo, run.path) == (site.repo, site.path))
    return next((run for run in here if run.span.start <= site.span.start <= run.span.end), None)


def strays(estate: Estate) -> Iterator[Site]:
    """The flags that name no lock of roots that are not known; none of OpenTofu's runs."""
    for site in (idle.site for idle in estate.idle if idle.site.role == "flag"):
        run = of_flag(site, estate.runs)
        if run is None or run.engine != "opentofu":
            yield site


def shown(run: Run) -> str:
    """The run as a person would say it."""
    program = {"opentofu": "tofu", None: ""}.get(run.engine, run.engine or "")
    return " ".join(word for word in (program, run.command) if word)


def words(arguments: Sequence[str]) -> Iterator[str]:
    """The arguments that are neither flags nor their values."""
    before = ""
    for argument in arguments:
        if not argument.startswith("-") and before not in _SPACED:
            yield argument
        before = argument.lstrip("-") if argument.startswith("-") else ""


def opaque(run: Run) -> bool:
    """Whether something among its arguments may be any flag: `$ARGS`, `${{ inputs.flags }}`."""
    return any(is_filled(word) and not _is_plan(word) for word in words(run.said))


def unsaid(run: Run) -> Sequence[str]:
    """What an `init` that takes a backend is given and may be any flag: another key, another lock."""
    if run.command != "init" or "false" in values(run.said, "backend"):
        return ()
    return [word for word in words(run.said) if is_filled(word) and not _EITHER.fullmatch(word)]


_EITHER: Final = re.compile(
    r"\$\{\w+:?\+(?P<text>[^${}]*)\}|\$\{\{[^{}'$]*&&\s*'[^']*'\s*\|\|\s*'[^']*'\s*\}\}"
)
"""`${UPGRADE:+-upgrade}`: what it may be stands there."""


def plan_file(run: Run) -> str | None:
    """The saved plan that an `apply` is given; None where it makes its own, or nobody can tell."""
    given = next(words(run.arguments), "") if run.command == "apply" else ""
    return given if given and (_is_plan(given) or not is_filled(given)) else None


def _is_plan(word: str) -> bool:
    return "plan" in word.lower()


def lock_off(arguments: Sequence[str]) -> Fact[bool]:
    """Whether `-lock` turns the lock off; the last one counts."""
    said = list(values(arguments, "lock"))
    if said and is_filled(said[-1]):
        return Unknown(f"-lock={said[-1]} is known when it runs")
    return Known(bool(said) and said[-1].lower() in ("false", "0", "f"))
