"""What must no longer be merged, made a draft that says why, first of all."""

from __future__ import annotations

from collections.abc import Callable

from migrate.campaign.proposing.outcomes import Act, Paused, Withheld
from migrate.campaign.proposing.ports import Ports
from migrate.errors import RelockError
from migrate.forges import open_now
from migrate.model import Check, Outcome, Proposal, RepoId, Unknown


def pause(repo: RepoId, branch: str, why: str, ports: Ports, *, write: bool) -> Paused | Withheld | None:
    """Turn the open proposal of a branch into a draft. None: there is none.

    Its check turns red first, whatever comes of the draft.
    """
    try:
        seen = open_now(ports.forge, repo, branch)
    except RelockError as error:
        return Withheld(repo, branch, error.what, error.try_this)
    if seen is None:
        return None
    shown = seen.body.replace("\r\n", "\n").rstrip()
    body = ports.paused(why) + unpaused(seen.body, ports.paused)
    act: Act = "none" if seen.draft and shown == body.rstrip() else "update"
    if not write:
        return Paused(repo, branch, why, act, seen)
    base = ports.commits.base.name
    wanted = Proposal(repo, branch, base, seen.title, body, draft=True, labels=seen.labels, head=seen.head)
    unmarked = marked(ports, repo, seen.head, Check(Outcome.BROKEN, why))
    try:
        state = ports.forge.update(seen, wanted) if act == "update" else seen
    except RelockError as error:
        return Withheld(repo, branch, error.what, error.try_this, seen)
    return Paused(repo, branch, why, act, state, unmarked)


def unpaused(body: str, paused: Callable[[str], str]) -> str:
    """A body without the paragraph why it is not to be merged; that of another reason, too."""
    text = body.replace("\r\n", "\n")
    return text.partition("\n\n")[2] if text.startswith(paused("").rstrip()) else text


def marked(ports: Ports, repo: RepoId, commit: str, says: Check) -> Unknown | None:
    """Show what the gates say beside a proposal, which stands whatever comes of that: why not, if not."""
    try:
        return ports.forge.mark(repo, commit, says)
    except RelockError as error:
        return Unknown(error.what, error.try_this)
