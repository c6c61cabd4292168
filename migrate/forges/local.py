"""No host at all: the branch stands in the repository itself, the proposal beside a patch in a folder.

A proposal is two files, `<repository>/<slice>.md` and `.patch`; the patch is what `git am` takes. What became
of it is read from the branch: gone is "no", in its base is merged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final, Protocol

from migrate.model import Check, Proposal, ProposalState, RepoId, Standing, Unknown

NAME: Final = "local"
_HEADING: Final = re.compile(r"# (?P<title>.*)\n\nBranch `[^`]*` into `[^`]*`(?P<draft>, a draft)?\.\n\n")


class Folder(Protocol):
    """Where the files go. `put` replaces a file as a whole, and only if it differs."""

    def read(self, path: PurePosixPath, /) -> bytes | None: ...
    def put(self, path: PurePosixPath, data: bytes, /) -> None: ...
    def shown(self, path: PurePosixPath, /) -> str: ...


class Checkout(Protocol):
    """The branches of one repository."""

    def tip(self, branch: str, /) -> str | None: ...
    def merged(self, tip: str, /) -> bool: ...
    def patch(self, tip: str, /) -> bytes: ...


class Local:
    """A `Forge`."""

    def __init__(self, folder: Folder, checkouts: Mapping[RepoId, Checkout]) -> None:
        self._folder = folder
        self._checkouts = checkouts

    def find(self, repo: RepoId, branch: str, /) -> ProposalState | Unknown | None:
        path = _path(repo, branch)
        written = self._folder.read(path)
        if written is None:
            return None
        checkout = self._checkouts[repo]
        tip = checkout.tip(branch)
        standing: Standing = "closed" if tip is None else "merged" if checkout.merged(tip) else "open"
        return self._state(repo, branch, written.decode("utf-8", "replace"), tip or "", standing)

    def open(self, proposal: Proposal, /) -> ProposalState:
        """The page comes last: it is what says that there is a proposal."""
        path, page = _path(proposal.repo, proposal.branch), _page(proposal)
        patch = self._checkouts[proposal.repo].patch(proposal.head)
        self._folder.put(path.with_suffix(".patch"), patch)
        self._folder.put(path, page.encode())
        return self._state(proposal.repo, proposal.branch, page, proposal.head, "open")

    def update(self, seen: ProposalState, proposal: Proposal, /) -> ProposalState:
        """Made again unless all of it stands, the patch with the commit that the branch ends in."""
        path = _path(proposal.repo, proposal.branch)
        page, patch = self._folder.read(path), self._folder.read(path.with_suffix(".patch"))
        stands = page == _page(proposal).encode() and proposal.head == seen.head
        return seen if stands and f"From {seen.head} ".encode() in (patch or b"") else self.open(proposal)

    def mark(self, repo: RepoId, commit: str, check: Check, /) -> Unknown | None:
        """A folder shows no checks; the page says what its gates say."""
        return None

    def _state(self, repo: RepoId, branch: str, page: str, tip: str, standing: Standing) -> ProposalState:
        path = _path(repo, branch)
        heading = _HEADING.match(page)
        return ProposalState(
            repo=repo,
            branch=branch,
            number=path.stem,
            handle=str(path),
            url=self._folder.shown(path),
            standing=standing,
            draft=bool(heading and heading["draft"]),
            title=heading["title"] if heading else "",
            body=page[heading.end() :] if heading else page,
            labels=(),
            head=tip,
        )


def _path(repo: RepoId, branch: str) -> PurePosixPath:
    """`tfrelock/default/prepare` of `git.acme.example/acme/net` → `git.acme.example/acme/net/prepare.md`."""
    name = branch.removeprefix("tfrelock/default/").replace("/", "-")
    return PurePosixPath(*(part for part in repo.split("/") if part not in ("", ".", ".."))) / f"{name}.md"


def _page(proposal: Proposal) -> str:
    draft = ", a draft" if proposal.draft else ""
    return (
        f"# {proposal.title}\n\nBranch `{proposal.branch}` into `{proposal.base}`{draft}.\n\n{proposal.body}"
    )
