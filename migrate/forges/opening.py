"""How a proposal is made once: look, make, and after a silence look again before anything is sent again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from migrate.forges.answer import Silence
from migrate.forges.forge import Forge
from migrate.forges.wire import Wire
from migrate.model import Proposal, ProposalState, RepoId, settled

Make: TypeAlias = Callable[[Proposal], ProposalState | Silence]
"""One POST; `Silence` when nobody knows what came of it, or when the forge says that there is one already."""


def newest(states: Iterable[ProposalState]) -> ProposalState | None:
    """Of the proposals of one branch the open one, else the last that was made."""
    return max(states, key=lambda one: (one.standing == "open", int(one.number)), default=None)


def open_now(forge: Forge, repo: RepoId, branch: str) -> ProposalState | None:
    """The open proposal of a branch, if there is one. Raises RelockError where the forge does not show it."""
    found = settled(forge.find(repo, branch), repo)
    return found if found and found.standing == "open" else None


def opened(forge: Forge, proposal: Proposal, make: Make, wire: Wire) -> ProposalState:
    """The open proposal of a branch. Raises RelockError when the forge stays silent."""
    return wire.surely(lambda: open_now(forge, proposal.repo, proposal.branch) or make(proposal))
