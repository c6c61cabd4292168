"""Gate of dual-lock: every role that runs this root may put, get and delete the lock object."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.facts import judged
from migrate.model import Fix, Severity, Verdict, World

NAME: Final = "callers-may-lock"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "review"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "The lock is an object of its own beside the state. A role that may not put it fails its next plan; "
    "one that may put and not delete it leaves a lock nobody can release. Source shows that a grant is "
    "merged, not that it is applied."
)
REMEDY: Final = (
    "tfrelock edit --phase iam shows the grant; when it is applied, state it in facts: "
    "that: callers-may-lock."
)


def check(world: World, /) -> Iterable[Verdict]:
    repos = ", ".join(sorted({str(backend.repo) for backend in world.stack.backends}))
    unknown = f"nobody said whether the roles of {repos or 'its writers'} may write the lock"
    yield judged(NAME, world, unknown, "tfrelock edit --phase iam, then facts: callers-may-lock")
