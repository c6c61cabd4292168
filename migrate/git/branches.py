"""The branches of proposals and the commits on them: in the checkout itself, or at its remote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from migrate.errors import RelockError
from migrate.git.checkout import branches, move_branch, resolve
from migrate.git.command import words
from migrate.git.commits import Author, Draft, Logged, come_by, commit, log, merge_base, patch
from migrate.git.own import Own, blobs, publish
from migrate.git.remote import Rejected, Remote, fetch, fetch_down_to, push, remote_branches, remote_tip
from migrate.model import Known
from migrate.process import Finished


class Base(Struct, frozen=True):
    """What proposals are made on: a branch, and the commit it stands at."""

    name: str
    commit: str


class Made(Struct, frozen=True):
    """Commits on a base, read and made in a repository of our own; `when` is `<seconds> +0000`."""

    own: Own
    base: Base
    author: Author
    when: str

    def read(self, at: str, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, bytes]:
        """The files of a commit, as stored; what is not in it is left out."""
        names = {path: name for path in paths if (name := self._name(at, path))}
        held = blobs(self.own, names.values())
        return {path: held[name] for path, name in names.items() if name in held}

    def _name(self, at: str, path: PurePosixPath) -> str | None:
        """What to ask for a file by; one with a line end in its path by the id of its blob, if any."""
        name = f"{at}:{path}"
        if "\n" not in name:
            return name
        found = self.own.ask("rev-parse", "--verify", "--quiet", "--end-of-options", name)
        return words(found.out)[0] if isinstance(found, Finished) and found.ok else None

    def log(self, tip: str) -> tuple[Logged, ...]:
        return log(self.own, self.base.commit, tip)

    def blobs(self, ids: Iterable[str]) -> Mapping[str, bytes]:
        return blobs(self.own, ids)

    def patch(self, tip: str) -> bytes:
        """The commits from the base on as mails that `git am` takes."""
        return patch(self.own, self.base.commit, tip)

    def make(self, parent: str, files: Mapping[PurePosixPath, bytes], message: str) -> str:
        return commit(self.own, Draft(parent, files, message, self.author, self.when))


class Here(Struct, frozen=True):
    """Branches of the checkout. Its work tree, index and HEAD stay as they are."""

    own: Own
    base: Base

    def beneath(self, prefix: str) -> Sequence[str]:
        return branches(self.own.checkout, f"refs/heads/{prefix}/")

    def tip(self, branch: str) -> str | None:
        found = resolve(self.own.checkout, f"refs/heads/{branch}")
        return found.value if isinstance(found, Known) else None

    def put(self, branch: str, tip: str, seen: str | None) -> str | Rejected:
        publish(self.own, tip, self.base.commit)
        try:
            move_branch(self.own.checkout, branch, tip, seen)
        except RelockError:
            if taken := _taken(branch, self.tip):
                return taken
            raise
        return tip

    def merged(self, tip: str) -> bool:
        """Whether the base holds the commits up to `tip`, or has come by what they change in commits of its
        own, as with a squash.
        """
        parted = merge_base(self.own, self.base.commit, tip)
        if parted is None or parted == tip:
            return parted == tip
        return come_by(self.own, parted, tip, self.base.commit)

    def patch(self, tip: str) -> bytes:
        return patch(self.own, self.base.commit, tip)


class There(Struct, frozen=True):
    """Branches of a remote; what is seen of them is fetched into our own repository."""

    own: Own
    remote: Remote
    base: Base

    def beneath(self, prefix: str) -> Sequence[str]:
        return remote_branches(self.own, self.remote, prefix)

    def tip(self, branch: str) -> str | None:
        if not remote_tip(self.own, self.remote, branch):
            return None
        if self.own.shallow:
            return fetch_down_to(self.own, self.remote, branch, self.base.name, self.base.commit)
        return fetch(self.own, self.remote, branch)

    def put(self, branch: str, tip: str, seen: str | None) -> str | Rejected:
        rejected = push(self.own, self.remote, branch, tip, seen)
        taken = _taken(branch, lambda name: remote_tip(self.own, self.remote, name)) if rejected else None
        return taken or rejected or tip


def _taken(branch: str, tip: Callable[[str], str | None]) -> Rejected | None:
    """Git keeps no branch `a/b` beside a branch `a`."""
    parents = (str(parent) for parent in PurePosixPath(branch).parents if parent.name)
    for name in parents:
        if tip(name):
            why = f"git keeps no such branch beside the branch {name} that is there"
            return Rejected(why, f"rename {name}, or give proposals.branch another beginning")
    return None
