"""A forge as one kept branch of a repository sees it: that goes by an id of its own, which no forge knows."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from migrate.forges import Forge
from migrate.model import Check, Proposal, ProposalState, RepoId, Unknown


class BranchForge(Struct, frozen=True):
    """A `Forge` that asks another one about `home`, the repository as a whole; its answers name that, too."""

    forge: Forge
    home: RepoId

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None:
        return self.forge.find(self.home, branch)

    def open(self, proposal: Proposal, /) -> ProposalState:
        return self.forge.open(replace(proposal, repo=self.home))

    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState:
        return self.forge.update(seen, replace(proposal, repo=self.home))

    def mark(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None:
        return self.forge.mark(self.home, commit, check)
