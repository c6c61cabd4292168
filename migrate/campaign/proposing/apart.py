"""A forge for one branch of a repository, which goes by an id of its own here: the forge knows the whole."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from migrate.forges import Forge
from migrate.model import Check, Proposal, ProposalState, RepoId, Unknown


class Apart(Struct, frozen=True):
    """A `Forge`. What it gives is as the forge has it, with the id of the repository as a whole: `home`."""

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
