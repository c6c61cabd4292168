"""One call of git that obeys nothing but us.

A checkout is somebody else's: its configuration can name programs (`core.fsmonitor`, hooks, filters, an
`ext::` remote of a partial clone, a pager, a signing program) that git would run for a mere look. Every
call in a checkout goes through `in_checkout`, which switches each of them off, and asks only what needs no
filter.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from migrate.errors import RelockError
from migrate.process import Call, Finished, NotFound, Result, TimedOut, run

SAFE: Final = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.pager=cat"),
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "core.splitIndex=false"),
    *("-c", "diff.external="),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.ext.allow=never"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "submodule.recurse=false"),
    *("--no-pager", "--no-replace-objects"),
)

QUIET: Final = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_EDITOR": "false",
}

ALONE: Final = QUIET | {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ALLOW_PROTOCOL": "none",  # a transport of no such name: what a partial clone lacks stays missing
}
"""The environment of a call that needs neither the user's configuration nor the network."""


def in_checkout(root: Path, *arguments: str, stdin: bytes = b"") -> Result:
    """Run git in a checkout or a bare repository.

    `GIT_DIR` is named, so that no folder inside can pose as the repository.
    """
    at = root / ".git"
    inside = os.path.exists(at)  # noqa: PTH110  `Path.exists` raises where a folder may not be looked into
    named = {"GIT_DIR": str(at), "GIT_WORK_TREE": str(root)} if inside else {"GIT_DIR": str(root)}
    return run(Call(("git", *SAFE, *arguments), root, ALONE | named, stdin))


def failure(result: Result) -> str:
    """Why a call gave nothing, in one line."""
    match result:
        case Finished():
            lines = [
                line for line in result.err.splitlines() if line.startswith(("fatal:", "error:", "remote:"))
            ]
            return "; ".join(lines) or result.err or f"git ended with code {result.code}"
        case NotFound():
            return "git is not installed"
        case TimedOut():
            return f"git took longer than {result.seconds:g} s"


def remedy(result: Result, otherwise: str) -> str:
    """What to do about a call that gave nothing."""
    return "install git" if isinstance(result, NotFound) else otherwise


def output(result: Result, where: str) -> bytes:
    """What git printed; raises RelockError when it failed."""
    if isinstance(result, Finished) and result.ok:
        return result.out
    if isinstance(result, NotFound):
        raise RelockError(failure(result), where, "install git")
    shown = result.shown.replace(f"{' '.join(SAFE)} ", "")
    raise RelockError(failure(result), where, f"see what this says there: {shown}")


def words(output_: bytes) -> list[str]:
    return output_.decode("utf-8", "surrogateescape").split()


def fields(output_: bytes) -> Sequence[bytes]:
    """The parts of an output that ends each with NUL."""
    return output_.split(b"\0")[:-1]
