"""What was found of who may lock: asked of a store, weighed by policies, and what would cure it."""

from __future__ import annotations

from msgspec import Struct

from migrate.iam.holder import Holder, Row
from migrate.model import Refusal, Seen, StateId


class Asked(Struct, frozen=True):
    """What a store said of the role that asked, or the `requests` that would be sent."""

    facts: tuple[Seen, ...] = ()
    requests: tuple[str, ...] = ()


class Checked(Struct, frozen=True):
    """What policies say of the locks of `states` states.

    `rows` are in the order of their holders; `others` says for each holder of how many states it takes no
    lock. `aside` are those of whom nothing that is known speaks of some state, and something that is not
    known may. `untold` are the states whose lock no known holder takes: who takes it is not known. `notes`
    say in words what was not looked at.
    """

    rows: tuple[Row, ...] = ()
    others: tuple[tuple[Holder, int], ...] = ()
    states: int = 0
    aside: tuple[Holder, ...] = ()
    untold: tuple[StateId, ...] = ()
    notes: tuple[str, ...] = ()


class LiveChange(Struct, frozen=True):
    """One live document as it should be. `before` is None where it would be new.

    `holders` are all whose rights it says. `commands` put the document that stands in `file`; `undo` puts
    back what there was, from `undo_file`. `patch` is the same as an RFC 6902 JSON Patch.
    """

    account: str
    name: str
    holders: tuple[str, ...]
    before: str | None
    after: str
    file: str
    undo_file: str
    commands: tuple[str, ...]
    undo: tuple[str, ...]
    patch: str


class Cured(Struct, frozen=True):
    """What would let every holder lock what it fails at, and whom nothing of ours would.

    `untold` are the states that nobody who is known locks; `unknown` is how many verdicts are not known.
    """

    changes: tuple[LiveChange, ...]
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()
    untold: tuple[StateId, ...] = ()
    unknown: int = 0
