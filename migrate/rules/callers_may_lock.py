"""Gate of dual-lock: every role that runs this root may put, get and delete the lock object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from migrate.facts import judged
from migrate.model import Fix, Outcome, Severity, Shown, Verdict, World

NAME: Final = "callers-may-lock"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "review"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock",)
WHY: Final = (
    "The lock is an object of its own beside the state. A role that may not put it fails its next plan; "
    "one that may put and not delete it leaves a lock nobody can release. Source shows that a grant is "
    "merged, not that it is applied: it can close this gate, and never open it."
)
REMEDY: Final = (
    "tfrelock iam check names the statement; tfrelock edit --phase iam shows the grant; when it "
    "is applied, state it in facts: that: callers-may-lock."
)


def check(world: World, /) -> Iterable[Verdict]:
    """What was seen; else what source has against it; else what was stated. Source alone never says yes."""
    subject = str(world.stack.id)
    shown = [one for one in world.estate.shown if one.state == subject]
    said = judged(NAME, world, _unknown(world, shown), _SETTLE)
    broken = [one for one in shown if one.holds is False]
    if broken and said.by != "seen":
        yield from (_broken(subject, one) for one in broken)
    else:
        yield said


_SETTLE: Final = "tfrelock iam check --self; or tfrelock edit --phase iam, then facts: callers-may-lock"
_CURE: Final = "tfrelock iam check says why; tfrelock edit --phase iam"


def _broken(subject: str, one: Shown) -> Verdict:
    return Verdict(NAME, subject, Outcome.BROKEN, f"{one.role}: {one.because}", _CURE, where=one.where)


def _unknown(world: World, shown: Sequence[Shown]) -> str:
    repos = ", ".join(sorted({str(backend.repo) for backend in world.stack.backends}))
    doubt = next((f"{one.role}: {one.because}; " for one in shown if one.holds is None), "")
    return f"{doubt}nobody said whether the roles of {repos or 'its writers'} may write the lock"
