"""Where proposals are made. To add a host: its module, its name in the list, its test."""

from collections.abc import Sequence
from typing import Final

from migrate.forges import github
from migrate.forges.forge import GATE, Forge, Home, Host, HostModule, Sleep
from migrate.forges.local import Local

HOSTS: Final[Sequence[HostModule]] = [github]
"""The forges that are somewhere else; `Local` needs no host."""

__all__ = ["GATE", "HOSTS", "Forge", "Home", "Host", "HostModule", "Local", "Sleep"]
