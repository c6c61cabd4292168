"""What the classes of a lock that is in danger mean and what to do about each, as `explain` prints it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from migrate.iam.locks import Class
from migrate.reports.layout import laid
from migrate.reports.rule_text import why_and_remedy


class About(Struct, frozen=True):
    """Why a class of locks is a danger, and what to do about it."""

    why: str
    remedy: str


_GRANT: Final = (
    "tfrelock edit --phase iam shows the grant where the policy stands in source, tfrelock iam diff where "
    "it is live; tfrelock iam check names the statement that decided."
)

CLASSES: Final[Mapping[str, About]] = {
    Class.CANNOT_LOCK.value: About(
        "The role writes the state, or locks it in the table today, and may not put the lock object: its "
        "next plan fails. Nothing is left behind.",
        f"Let it put, get and delete the lock before dual-lock merges. {_GRANT} Where a Deny decided, except "
        "the lock from it: a further Allow cannot help.",
    ),
    Class.STUCK_LOCK.value: About(
        "The role may put the lock object, and may not get or delete it: its first run leaves a lock that "
        "it cannot release, and every later run of that state fails, whoever starts it.",
        f"Let it get and delete what it may put before dual-lock merges. {_GRANT} A lock that is left "
        "already: playbooks/stuck-lock.md.",
    ),
    Class.PARTIAL_WORKSPACES.value: About(
        "The lock can be taken and released in some workspaces of the state and not in others: the "
        "key of a workspace is not that of the default one, and a policy easily names one of the two.",
        f"Grant the lock of every workspace that is in use, as wide as the state's own. {_GRANT}",
    ),
}
"""By the word that `iam check` prints."""


def render(name: str, /, columns: int | None = None) -> str:
    """The text of a class, by its name."""
    about = CLASSES[name]
    head = f"{name} (what iam check says of a lock)"
    return laid(why_and_remedy(head, about.why, about.remedy), columns)
