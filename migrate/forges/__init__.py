"""Where proposals are made. To add a host: its module, its name in the list, its test."""

from collections.abc import Sequence
from typing import Final

from migrate.forges import gitea, github, gitlab
from migrate.forges.answer import ElsewhereError
from migrate.forges.forge import (
    GATE,
    Closing,
    Commented,
    File,
    Forge,
    Home,
    Host,
    HostModule,
    Listed,
    Lists,
    Making,
    Push,
    Review,
    Reviewed,
    Ruled,
    Shows,
    Signer,
    Signs,
    Sleep,
    Stop,
    Underway,
)
from migrate.forges.local import Local
from migrate.forges.opening import open_now
from migrate.forges.pace import Pace, Paced, minutes

HOSTS: Final[Sequence[HostModule]] = [github, gitlab, gitea]
"""The forges that are somewhere else; `Local` needs no host."""

__all__ = [
    "GATE",
    "HOSTS",
    "Closing",
    "Commented",
    "ElsewhereError",
    "File",
    "Forge",
    "Home",
    "Host",
    "HostModule",
    "Listed",
    "Lists",
    "Local",
    "Making",
    "Pace",
    "Paced",
    "Push",
    "Review",
    "Reviewed",
    "Ruled",
    "Shows",
    "Signer",
    "Signs",
    "Sleep",
    "Stop",
    "Underway",
    "minutes",
    "open_now",
]
