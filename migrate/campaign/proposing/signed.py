"""Branches at a remote whose forge may have to sign what is put on them.

There, each of our commits is made again by the forge. A tree is named by what it holds, so the one that the
forge made is ours to the byte or is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from migrate.errors import RelockError
from migrate.forges import File, Making, Signer
from migrate.git.branches import There
from migrate.git.command import words
from migrate.git.commits import Logged, log
from migrate.git.own import blobs, tree
from migrate.git.remote import Rejected


class Signed(Struct, frozen=True):
    """As `There`; `signer` gives what makes the commits of a branch, None where they are pushed. It is asked
    of the base too: into one that takes only signed commits no others could be merged.
    """

    there: There
    signer: Callable[[str], Signer | None]

    def beneath(self, prefix: str) -> Sequence[str]:
        return self.there.beneath(prefix)

    def tip(self, branch: str) -> str | None:
        return self.there.tip(branch)

    def put(self, branch: str, tip: str, seen: str | None) -> str | Rejected:
        signer = self.signer(branch) or self.signer(self.there.base.name)
        if signer is None:
            return self.there.put(branch, tip, seen)
        at = self.there.base.commit
        for commit in log(self.there.own, at, tip):
            at = signer.commit(self._making(commit, at))
        stop = signer.move(branch, at, seen)
        return Rejected(stop.why, stop.settle) if stop else at

    def _making(self, commit: Logged, parent: str) -> Making:
        """The commit as we made it, on what the forge made of the one before."""
        trees = [f"{at}^{{tree}}" for at in (*commit.parents, commit.commit)]
        onto, made = words(self.there.own.get("rev-parse", *trees))
        return Making(parent, onto, made, commit.message, tuple(self._files(commit)))

    def _files(self, commit: Logged) -> Iterator[File]:
        leaves = tree(self.there.own, commit.commit)
        held = blobs(self.there.own, (file.after for file in commit.touched if file.after))
        for file in commit.touched:
            if file.after:  # we delete no file, and a tree without one would not be the same
                yield _file(file.path, leaves[file.path].mode, held[file.after])


def _file(path: PurePosixPath, mode: str, data: bytes) -> File:
    try:
        return File(str(path).encode().decode(), mode, data.decode())
    except UnicodeError:
        raise RelockError(
            "is not UTF-8, and a forge that signs takes nothing else",
            ascii(str(path)),
            "sign with your own key",
        ) from None
