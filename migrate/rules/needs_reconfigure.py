"""An `init` that fails, or keeps the old lock, in a directory that was initialised before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.runs import awaiting, shown
from migrate.model import Estate, Fix, Outcome, Severity, Unknown, Verdict

NAME: Final = "needs-reconfigure"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock", "retire")
WHY: Final = (
    "A changed backend makes init fail where .terraform is from before (Backend configuration changed), and "
    "an init of partial configuration without its flags goes on with the old lock and says success. "
    "-reconfigure takes the new lock and writes nothing, as long as bucket, key and region stay. Where all "
    "states hold the lockfile alone, no step will change a backend, and only a cache can bring one of before."
)
REMEDY: Final = (
    "tfrelock edit --phase dual-lock and --phase retire write -reconfigure behind each init that stands as a "
    "word; directories that people keep: tfrelock reinit."
)


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for found in awaiting(estate):
        run, because = found.run, f"`{shown(found.run)}` has no -reconfigure"
        if isinstance(found.meets, Unknown):
            because = f"{because}, and {found.meets.why}"
            yield Verdict(NAME, str(run.path), Outcome.UNKNOWN, because, where=run.place)
        else:
            because = f"{because}: a directory initialised before does not take the new lock"
            yield Verdict(NAME, str(run.path), Outcome.BROKEN, because, where=run.place)
