"""Commits that GitHub makes and signs itself, for branches on which commits must be signed.

It signs what an App or the token of a workflow's run has it make, while nobody says who the author is ("About
commit signature verification", signature verification for bots). Trees and commits that no branch leads to
harm nobody, so all may be made again; the branch moves last, at once, and only from where it was seen.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from msgspec import Struct

from migrate.errors import RelockError
from migrate.forges.answer import Json, text, tree_of
from migrate.forges.forge import Making, Stop
from migrate.forges.github import rules
from migrate.forges.wire import Wire
from migrate.model import RepoId

_MOVE: Final = "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }"
_NOWHERE: Final = "0" * 40
_RULES: Final = "see the rules of that repository, and what else was pushed to that branch"


def signer(wire: Wire, path: str, repo: RepoId, branch: str) -> Signer | None:
    """What makes commits for a branch on which they must, or may have to, be signed; None for any other."""
    unsigned = rules.wants_signatures(wire, path, repo, branch) is False
    return None if unsigned else Signer(wire, path, repo)


class Signer(Struct, frozen=True):
    """A `Signer` of forges; `path` is that of the repository in the REST API."""

    wire: Wire
    path: str
    repo: RepoId

    def commit(self, making: Making, /) -> str:
        files: list[Json] = [
            {"path": file.path, "mode": file.mode, "type": "blob", "content": file.text}
            for file in making.files
        ]
        wanted: dict[str, Json] = {"base_tree": making.onto, "tree": files}
        tree = tree_of(self.wire.add(f"{self.path}/git/trees", wanted), self.repo)
        if text(tree, "sha") != making.tree:
            raise RelockError("GitHub did not write the files as they are", self.repo, rules.SIGN)
        wanted = {"message": making.message, "tree": making.tree, "parents": [making.parent]}
        made = tree_of(self.wire.add(f"{self.path}/git/commits", wanted), self.repo)
        verification = made.get("verification")
        if not isinstance(verification, dict) or verification.get("verified") is not True:
            raise RelockError("GitHub did not sign the commit it made", self.repo, rules.SIGN)
        return text(made, "sha")

    def move(self, branch: str, tip: str, seen: str | None, /) -> Stop | None:
        """By GraphQL, whose `beforeOid` is the lease that the REST API does not have. After a "no" a look
        tells whether an earlier try, that nobody answered, had moved it.
        """
        home = tree_of(self.wire.get(self.path), self.repo)
        update: Json = {
            "name": f"refs/heads/{branch}",
            "beforeOid": seen or _NOWHERE,
            "afterOid": tip,
            "force": True,
        }
        wanted: Json = {"repositoryId": text(home, "node_id"), "refUpdates": [update]}
        reply = self.wire.add("/graphql", {"query": _MOVE, "variables": {"input": wanted}})
        if not tree_of(reply, self.repo).get("errors") or self._tip(branch) == tip:
            return None
        return Stop(f"the branch was not moved: {reply.message}", _RULES)

    def _tip(self, branch: str) -> str:
        reply = self.wire.get(f"{self.path}/git/ref/{quote(f'heads/{branch}', safe='')}")
        return "" if reply.status == 404 else text(tree_of(reply, self.repo), "object", "sha")
