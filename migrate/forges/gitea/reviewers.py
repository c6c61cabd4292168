"""Which owners of files a proposal on Gitea may ask to review it."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.forges.answer import text, trees_of
from migrate.forges.wire import Wire


def may_review(wire: Wire, path: str, owners: Sequence[str]) -> list[str]:
    """Those of `owners` who may be asked; one other would refuse the whole proposal. Nobody reviews his own.

    Where it does not show who may, none are: from Gitea 1.21 and Forgejo 7 on it asks owners by itself.
    """
    if not owners:
        return []
    may, me = wire.get(f"{path}/reviewers"), wire.get("/user")
    if may.status != 200 or me.status != 200:
        return []
    known = {text(tree, "login").lower() for tree in trees_of(may, path)} - {text(me.body, "login").lower()}
    return [name for name in owners if name.lower() in known]
