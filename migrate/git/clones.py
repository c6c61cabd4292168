"""Clones of our own: bare, one commit deep, without the largest files.

Nothing of theirs runs: no work tree, so no filter and no LFS; no hook, no submodule.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from migrate.git.command import output
from migrate.git.own import Own, blank
from migrate.git.remote import FETCH, WITHOUT_LARGE, Remote, asked


def default_branch(own: Own, at: Remote) -> str | None:
    """The branch that the remote checks out by itself; None where there is none yet. Raises RelockError."""
    told = output(asked(own, at, "ls-remote", "--symref", "--", at.url, "HEAD"), at.url).decode()
    heads = (line.removesuffix("\tHEAD") for line in told.splitlines() if line.endswith("\tHEAD"))
    names = [line.removeprefix("ref: ") for line in heads if line.startswith("ref: refs/heads/")]
    return names[0].removeprefix("refs/heads/") if names else None


def clone(at: Remote, branch: str, folder: Path, more: Mapping[str, str] | None = None) -> tuple[Path, str]:
    """One commit of a branch in a new bare repository in the empty `folder`: where, and which commit.

    `more` are other refs of the remote, with the names that they get here; all come in one fetch. It has the
    remote as its origin, without a credential. Raises RelockError.
    """
    own = blank(folder)
    name = f"refs/heads/{branch}"
    options = (*FETCH, *WITHOUT_LARGE, "--depth=1")
    refs = [f"+{there}:{here}" for there, here in {name: name, **(more or {})}.items()]
    output(asked(own, at, "fetch", *options, "--", at.url, *refs), at.url)
    own.get("symbolic-ref", "HEAD", name)
    own.get("config", "remote.origin.url", at.url)
    return own.folder, own.get("rev-parse", "--verify", name).decode().strip()
