"""Offer a slice: look at the forge and the branch, make commits beside the work tree, push, open or update.

Every act looks first and may be repeated, so a run that died anywhere is repaired by the next: the branch
moves only from where it was seen, commits that stand are not made again, and the forge is asked before it is
told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.campaign.offering.barred import without
from migrate.campaign.offering.slices import Slice, branch, plain
from migrate.campaign.proposing.marks import TRAILER, mark, message, stray
from migrate.campaign.proposing.outcomes import Act, Declined, Offered, Outcome, Withheld
from migrate.campaign.proposing.pausing import marked
from migrate.campaign.proposing.ports import Commits, Ports
from migrate.campaign.proposing.stored import as_stored
from migrate.campaign.reading.owning import CODEOWNERS, users
from migrate.errors import RelockError
from migrate.git.commits import Logged
from migrate.git.remote import Rejected
from migrate.model import Proposal, ProposalState, RepoId, Unknown
from migrate.offer import check, title


class Settings(Struct, frozen=True):
    """The operator's wishes: how the names of branches begin, labels, what else stands in commit messages.

    `apart` are the ids that stand for one branch of a repository, with its name: proposals for it begin in a
    way of their own.
    """

    prefix: str = "tfrelock/default"
    labels: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    message: str = ""
    trailers: Mapping[str, str] = field(default_factory=dict)
    apart: Mapping[RepoId, str] = field(default_factory=dict)

    def at(self, repo: RepoId) -> Settings:
        """Those of one repository, or branch of one."""
        branch_ = self.apart.get(repo)
        return replace(self, prefix=f"{self.prefix}@{plain(branch_)}", apart={}) if branch_ else self


def propose(slice_: Slice, ports: Ports, settings: Settings, *, write: bool) -> Outcome:
    """Offer one slice, or, without `write`, say what would be done. Raises RelockError."""
    slice_ = without(slice_, ports.rules.may_change)
    repo, name = slice_.offer.repo, branch(slice_, settings.prefix)
    if not slice_.commits:
        return Withheld(repo, name, "this token may not change workflow files", "give it the scope workflow")
    seen = ports.forge.find(repo, name)
    if isinstance(seen, Unknown):
        return Withheld(repo, name, seen.why, seen.settle)
    if seen and seen.standing == "closed":
        return Declined(repo, name, seen)
    base = ports.commits.base
    held = ports.commits.read(base.commit, {*slice_.paths, *CODEOWNERS})
    stored = as_stored(slice_, held)
    if isinstance(stored, PurePosixPath):
        why = f"{stored} is not what {base.name} holds"
        return Withheld(repo, name, why, f"bring the checkout to {base.name}, run again")
    tip = ports.branches.tip(name)
    strange = _strange(ports.commits, tip) if tip else None
    if strange:
        return Withheld(
            repo, name, f"commit {strange[:12]} on it is not ours", "merge, move or delete that branch"
        )
    owners = users(held, stored.paths)
    return _offer(_Work(stored, name, tip, seen, owners), ports, settings, write=write)


def _strange(commits: Commits, tip: str) -> str | None:
    """A commit on the branch that is somebody's: not every one of them is as we made it."""
    logged = commits.log(tip)
    found = stray(logged, commits.blobs(blob for commit in logged for blob in _blobs(commit)))
    return found.commit if found else None


def _blobs(commit: Logged) -> Iterator[str]:
    for file in commit.touched:
        yield from (blob for blob in (file.before, file.after) if blob)


class _Work(Struct, frozen=True):
    """A slice, and what was found of it before anything is written."""

    slice_: Slice
    branch: str
    tip: str | None
    seen: ProposalState | None
    owners: tuple[str, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        return marks(self.slice_)

    @property
    def open(self) -> ProposalState | None:
        return self.seen if self.seen and self.seen.standing == "open" else None

    def outcome(self, act: Act, state: ProposalState | None) -> Offered:
        offer, files = self.slice_.offer, len(self.slice_.paths)
        return Offered(offer.repo, self.branch, title(offer), files, act, self.slice_.draft, state)


def marks(slice_: Slice) -> tuple[str, ...]:
    """What the commits of a slice are known by."""
    return tuple(mark((e.path, e.before, e.after) for e in commit.edits) for commit in slice_.commits)


def _offer(work: _Work, ports: Ports, settings: Settings, *, write: bool) -> Outcome:
    stands = work.tip is not None and _stands(work, work.tip, ports.commits)
    proposal = _proposal(work, ports, settings)
    stops = () if stands else ports.rules.asked(work.branch, proposal.base, _messages(work, settings))
    if sure := [stop for stop in stops if stop.sure]:
        whys, settles = "; ".join(stop.why for stop in sure), "; ".join(stop.settle for stop in sure)
        return Withheld(proposal.repo, work.branch, whys, settles)
    if not write:
        return work.outcome(_act(work, proposal, stands=stands), work.seen)
    tip = work.tip if work.tip and stands else _made(work, ports.commits, settings)
    if not stands:
        put = ports.branches.put(work.branch, tip, work.tip)
        if isinstance(put, Rejected):
            return Withheld(work.slice_.offer.repo, work.branch, put.why, put.remedy)
        tip = put
    proposal = replace(proposal, head=tip)
    opened = work.open or ports.forge.open(proposal)
    try:
        state = ports.forge.update(opened, proposal)
    except RelockError as error:
        return Withheld(proposal.repo, work.branch, error.what, error.try_this, opened)
    act: Act = "open" if work.open is None else "none" if stands and state == opened else "update"
    unmarked = marked(ports, proposal.repo, tip, check(work.slice_.offer))
    doubts = tuple(stop for stop in stops if not stop.sure)
    return replace(work.outcome(act, state), unmarked=unmarked, doubts=doubts)


def committed(slice_: Slice, commits: Commits, settings: Settings) -> str:
    """The commits of a slice, on no branch; gives the last. Raises RelockError where it cannot be made."""
    stored = as_stored(slice_, commits.read(commits.base.commit, slice_.paths))
    if isinstance(stored, PurePosixPath):
        raise RelockError(
            f"{stored} is not what {commits.base.name} holds", slice_.offer.repo, "run it again"
        )
    return _made(_Work(stored, "", None, None), commits, settings)


def _stands(work: _Work, tip: str, commits: Commits) -> bool:
    """The branch has our commits and no others, and holds the texts that would be made today."""
    there = tuple(commit.trailer(TRAILER) for commit in commits.log(tip))
    wanted = {edit.path: edit.after for commit in work.slice_.commits for edit in commit.edits}
    return there == work.marks and commits.read(tip, wanted) == wanted


def _proposal(work: _Work, ports: Ports, settings: Settings) -> Proposal:
    offer = replace(work.slice_.offer, marks=work.marks)
    base = ports.commits.base.name
    proposal = Proposal(offer.repo, work.branch, base, title(offer), ports.page(offer), work.slice_.draft)
    return replace(proposal, labels=settings.labels, reviewers=settings.reviewers, owners=work.owners)


def _act(work: _Work, proposal: Proposal, *, stands: bool) -> Act:
    """What writing would do."""
    if work.open is None:
        return "open"
    shown = (work.open.title, work.open.body.strip(), work.open.draft)
    same = shown == (proposal.title, proposal.body.strip(), proposal.draft)
    return "none" if stands and same else "update"


def _made(work: _Work, commits: Commits, settings: Settings) -> str:
    """The commits, one on the other; gives the last."""
    tip = commits.base.commit
    for commit, words in zip(work.slice_.commits, _messages(work, settings), strict=True):
        tip = commits.make(tip, {edit.path: edit.after for edit in commit.edits}, words)
    return tip


def _messages(work: _Work, settings: Settings) -> list[str]:
    commits = zip(work.slice_.commits, work.marks, strict=True)
    return [message(one.subject, mark_, settings.message, settings.trailers) for one, mark_ in commits]
