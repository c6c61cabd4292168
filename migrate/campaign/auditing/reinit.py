"""Which directories want `init -reconfigure`, and which of them may have it.

`-reconfigure` takes whatever backend it is told: with another bucket or key it would point to another, empty
state without a word. So a directory is asked only where everything that decides which state is meant is known
from source and is what the directory was initialised with.
"""

from __future__ import annotations

import json
import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from migrate.campaign.reading.narrowing import Narrowing
from migrate.estate.effective import is_complete, text
from migrate.files.initialised import Initialised, Remains
from migrate.model import Backend, Estate, Known, RepoId, Unknown

Program: TypeAlias = Literal["terraform", "tofu", "terragrunt"]
Standing: TypeAlias = Literal["current", "stale", "new", "refused"]
Look: TypeAlias = Callable[[RepoId, PurePosixPath], Remains]

IDENTITY: Final = ("bucket", "key", "region", "workspace_key_prefix", "endpoint", "endpoints.s3")
"""What decides which state is meant."""
_LOCK: Final = ("dynamodb_table", "use_lockfile")


class Root(Struct, frozen=True):
    """One directory, how it stands, and the init that would make it current."""

    repo: RepoId
    path: PurePosixPath
    program: Program
    standing: Standing
    why: str = ""
    arguments: tuple[str, ...] = ()
    workspace: str = "default"

    @property
    def name(self) -> str:
        return f"{self.repo}/{self.path}"


def roots(estate: Estate, look: Look, narrowing: Narrowing) -> Iterator[Root]:
    """Every root with an S3 backend of its own, in order."""
    found: dict[tuple[RepoId, PurePosixPath, Program], list[Backend]] = defaultdict(list)
    for backend in estate.backends:
        if backend.inputs[0].role == "writer" and narrowing.selects(backend.inputs[0]):
            found[backend.repo, backend.root, _program(backend)].append(backend)
    for (repo, path, program), backends in sorted(found.items(), key=lambda one: one[0]):
        yield _root(repo, path, program, backends, look(repo, path))


def _program(backend: Backend) -> Program:
    if backend.inputs[0].dialect == "terragrunt":
        return "terragrunt"
    return "tofu" if backend.engine == "opentofu" else "terraform"


def _root(
    repo: RepoId, path: PurePosixPath, program: Program, backends: Sequence[Backend], left: Remains
) -> Root:
    saved = [_saved(one) for one in left.initialised]
    unread = next((one for one in saved if isinstance(one, str)), None)
    if unread is not None:
        return Root(repo, path, program, "refused", unread)
    configs = [one for one in saved if not isinstance(one, str)]
    if not any(is_complete(backend.settings) for backend in backends):
        return Root(repo, path, program, "refused", _INCOMPLETE)
    fitting = [b for b in backends if not any(_elsewhere(b, config) for config in configs)]
    if len(fitting) != 1:
        return Root(repo, path, program, "refused", _why_not(backends, fitting, configs))
    (backend,) = fitting
    unknown = next(_unknown(backend), None)
    if unknown:
        return Root(repo, path, program, "refused", unknown)
    told = [reason for config in configs for reason in _differs(backend, config)]
    standing: Standing = "new" if not configs else "stale" if told else "current"
    workspaces = {one.workspace for one in left.initialised} or {"default"}
    arguments = _arguments(backend, left)
    return Root(repo, path, program, standing, told[0] if told else "", arguments, max(workspaces))


Config: TypeAlias = Mapping[str, str]


def _saved(one: Initialised) -> Config | str:
    """What the directory was told, by dotted names as texts; or why nobody knows."""
    if one.unread:
        return one.unread
    try:
        state: object = json.loads(one.state)
    except ValueError:
        return "its terraform.tfstate is no JSON: an init was broken off there"
    match state:
        case {"backend": {"type": "s3", "config": dict(config)}}:
            return dict(_flat(config))
        case {"backend": {"type": kind}}:
            return f"it was initialised for a backend of type {kind}: -migrate-state is for that, by hand"
        case _:
            return "it was initialised without a backend: -migrate-state is for that, by hand"


def _flat(config: Mapping[str, object], lead: str = "") -> Iterator[tuple[str, str]]:
    for name, value in config.items():
        match value:
            case None | "" | []:
                pass
            case dict():
                yield from _flat(value, f"{lead}{name}.")
            case bool():
                yield f"{lead}{name}", str(value).lower()
            case _:
                yield f"{lead}{name}", str(value)


def _elsewhere(backend: Backend, config: Config) -> str | None:
    """The first part of the identity that is known and another than the directory was told."""
    for name in IDENTITY:
        said = text(backend.settings, name)
        if not isinstance(said, Unknown) and (said.value if said else None) != config.get(name):
            was = config.get(name, "nothing")
            return f"{name} is {said.value if said else 'nothing'} in source, {was} in the directory"
    return None


def _why_not(backends: Sequence[Backend], fitting: Sequence[Backend], configs: Sequence[Config]) -> str:
    if fitting:
        return "several partial configurations fit: initialise it by hand with the one that is meant"
    reasons = (_elsewhere(backend, config) for backend in backends for config in configs)
    return next((reason for reason in reasons if reason), "which configuration is meant is not known")


def _unknown(backend: Backend) -> Iterator[str]:
    """What keeps us from knowing the backend whole."""
    if not is_complete(backend.settings):
        yield _INCOMPLETE
    for name in IDENTITY:
        said = text(backend.settings, name)
        if isinstance(said, Unknown):
            yield f"{name} is {said.why}: not known from source"
    if isinstance(backend.lock, Unknown):
        yield backend.lock.why
    if any(site.role not in ("writer", "partial") for site in backend.inputs):
        yield "flags of a command belong to its backend: initialise it with that command"
    for file in _partials(backend):
        if "=" in str(file):
            yield f"{file} has a = in its name, which -backend-config takes for a setting: rename it"


_INCOMPLETE: Final = "the rest of its backend comes from a file that was not found: name it in .tfrelock.yaml"


def _differs(backend: Backend, config: Config) -> Iterator[str]:
    """What the directory was told otherwise; the lock first, since that is what this is about."""
    names = sorted(backend.settings, key=lambda name: name not in _LOCK)
    for name in names:
        said = backend.settings[name].value
        if isinstance(said, Known):
            now = str(said.value).lower() if isinstance(said.value, bool) else said.value or None
            was = config.get(name)
            if now != was and not (now in (None, "false") and was in (None, "false")):
                # Any other value may be a secret.
                shown = f" was {was or 'not set'}, is {now or 'not set'}" if name in _LOCK else " has changed"
                yield f"{name}{shown}"
    for name in _LOCK:
        if name not in backend.settings and config.get(name, "false") != "false":
            yield f"{name} was {config[name]}, is not set"


def _arguments(backend: Backend, left: Remains) -> tuple[str, ...]:
    return (
        *("init", "-reconfigure", "-input=false"),
        *(("-lockfile=readonly",) if left.lock is not None else ()),
        *(f"-backend-config={file}" for file in _partials(backend)),
    )


def _partials(backend: Backend) -> Iterator[PurePosixPath]:
    """The files that its partial configuration comes from, as seen from the root."""
    for site in backend.inputs:
        if site.role == "partial":
            yield PurePosixPath(posixpath.relpath(f"/{site.path}", f"/{backend.root}"))


def wanted(found: Iterable[Root], broken_off: Callable[[Root], bool], *, new: bool) -> list[Root]:
    """Those to initialise: the stale, those where an init was broken off, and new ones where asked for."""
    return [
        root
        for root in found
        if root.standing == "stale"
        or (root.standing == "current" and broken_off(root))
        or (root.standing == "new" and (new or broken_off(root)))
    ]
