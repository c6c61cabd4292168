"""Where proposals are made. To add a host: its module, its name in the list, its test."""

from collections.abc import Mapping, Sequence
from typing import Final

from migrate.forges import gitea, github, gitlab
from migrate.forges.answer import ElsewhereError
from migrate.forges.forge import (
    GATE,
    File,
    Forge,
    Home,
    Host,
    HostModule,
    Listed,
    Making,
    Push,
    Review,
    Ruled,
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
BY_NAME: Final[Mapping[str, HostModule]] = {module.NAME: module for module in HOSTS}

__all__ = [
    "BY_NAME",
    "GATE",
    "HOSTS",
    "ElsewhereError",
    "File",
    "Forge",
    "Home",
    "Host",
    "HostModule",
    "Listed",
    "Local",
    "Making",
    "Pace",
    "Paced",
    "Push",
    "Review",
    "Ruled",
    "Signer",
    "Signs",
    "Sleep",
    "Stop",
    "Underway",
    "minutes",
    "open_now",
]
