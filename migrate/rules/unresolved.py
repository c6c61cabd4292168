"""A backend whose state is not known, or what it locks that with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.effective import Settings, is_behind_access_point
from migrate.estate.runs import of_flag
from migrate.evaluation import stacks
from migrate.model import Backend, Fix, Known, Outcome, Severity, StateId, Unknown, Verdict, World

NAME: Final = "unresolved"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("retire",)
WHY: Final = (
    "Without bucket and key nobody can say which other clients share the state, and without the lock not "
    "whether they exclude each other. A state that is chosen when a run begins is retired only once no "
    "client that may be of it, by all that both say of bucket and key, locks or reads in a table alone."
)
REMEDY: Final = (
    "Name the partial configuration file of this root in .tfrelock.yaml, as in "
    "backend_config: {live/net: [env/net.tfbackend]} or, for many, {live/*: [env/*.tfbackend]}; or write "
    "bucket and key as literals."
)
_ACCESS_POINT: Final = (
    "Name the bucket itself: Terraform takes an access point for one, and no source says which bucket is "
    "behind it."
)
_TERRAGRUNT: Final = (
    "Make bucket and key of text, locals, files that are read and path_relative_to_include(): what get_env "
    "or a program gives is known only when Terragrunt runs."
)


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        if not isinstance(world.stack.id, StateId):
            missing = backend.inputs[0].why_not if _of_stack(backend) else _open(backend.settings)
            because = f"not known from source: {missing}{_elsewhere(backend, world)}"
            yield _unknown(world, backend, because, _remedy(backend))
        elif isinstance(backend.lock, Unknown):
            yield _unknown(world, backend, f"its lock is not known: {backend.lock.why}", backend.lock.settle)


def _unknown(world: World, backend: Backend, because: str, settle: str) -> Verdict:
    return Verdict(NAME, str(world.stack.id), Outcome.UNKNOWN, because, settle, where=backend.place)


def _open(settings: Settings) -> str:
    """What is missing of the state's name."""
    literal = {name for name, setting in settings.items() if isinstance(setting.value, Known)}
    missing = [name for name in ("bucket", "key") if name not in literal]
    behind = ["the bucket behind its access point"] if is_behind_access_point(settings) else []
    return ", ".join([*behind, *missing]) or "endpoint"


def _of_stack(backend: Backend) -> bool:
    return backend.inputs[0].path.name == stacks.FILE


def _remedy(backend: Backend) -> str:
    if _of_stack(backend):
        return stacks.REMEDY
    if is_behind_access_point(backend.settings):
        return _ACCESS_POINT
    return _TERRAGRUNT if backend.inputs[0].dialect == "terragrunt" else REMEDY


def _elsewhere(backend: Backend, world: World) -> str:
    """Why the root that a flag is for was not found."""
    flag = backend.inputs[0] if backend.inputs[0].role == "flag" else None
    run = of_flag(flag, world.estate.runs) if flag else None
    return f"; {run.directory.why}" if run and isinstance(run.directory, Unknown) else ""
