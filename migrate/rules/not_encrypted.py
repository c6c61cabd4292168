"""A backend that switches encryption off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Fix, Known, Outcome, Severity, Verdict, World

NAME: Final = "not-encrypted"
SEVERITY: Final[Severity] = "note"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ()
WHY: Final = (
    "The lock object is encrypted as the state is. Without encrypt a bucket policy that demands an "
    "encryption header refuses the lock, and with it every plan."
)
REMEDY: Final = (
    "Set encrypt = true, or make sure that the bucket encrypts by default and its policy demands no header."
)

_OFF: Final = (Known(value=False), Known("false"), Known(None), Known(""))


def check(world: World, /) -> Iterable[Verdict]:
    for backend in world.stack.backends:
        encrypt = backend.settings.get("encrypt")
        if encrypt is None or encrypt.value in _OFF:
            because = "encrypt is " + ("not set" if encrypt is None else "false")
            yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=backend.place)
