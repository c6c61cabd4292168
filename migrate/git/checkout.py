"""What a checkout says of itself, asked without running anything of it. One act: moving a branch."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from migrate.errors import RelockError
from migrate.git.command import failure, fields, in_checkout, output, remedy, words
from migrate.model import Fact, Known, Unknown
from migrate.process import Finished, Result


class Head(Struct, frozen=True):
    """What is checked out. `branch` is None when HEAD is detached."""

    commit: str
    branch: str | None


HEAD: Final = ("HEAD^{commit}", "--symbolic-full-name", "HEAD")
"""What `rev-parse` is asked for a head by, last of all."""


def head(root: Path) -> Fact[Head]:
    return headed(in_checkout(root, "rev-parse", *HEAD))


def headed(result: Result) -> Fact[Head]:
    """The head that `rev-parse` told."""
    if not isinstance(result, Finished) or not result.ok:
        said = failure(result).splitlines()[0]
        unborn = "unknown revision" in said
        why = "nothing is committed here yet" if unborn else f"no commit is checked out: {said}"
        return Unknown(why, remedy(result, "git commit" if unborn else "git log -1"))
    commit, name = words(result.out)[-2:]
    return Known(Head(commit, None if name == "HEAD" else name.removeprefix("refs/heads/")))


def resolve(root: Path, name: str) -> Fact[str]:
    """The commit that a name of a person (`origin/main`, a tag, a hash) stands for."""
    result = in_checkout(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if isinstance(result, Finished) and result.ok:
        return Known(result.out.decode().strip())
    known = isinstance(result, Finished) and not result.err
    return Unknown(
        f"there is no commit {name!r} here" if known else failure(result),
        remedy(result, f"git fetch origin {name.removeprefix('origin/')}"),
    )


def branch_tip(root: Path, branch: str) -> Fact[str]:
    """Where a branch stands here, else where it stood at `origin` when that was last fetched."""
    here = resolve(root, f"refs/heads/{branch}")
    return here if isinstance(here, Known) else resolve(root, f"refs/remotes/origin/{branch}")


def branches(root: Path, *which: str) -> list[str]:
    """The branches here that `for-each-ref` lists for these arguments. Raises RelockError."""
    told = output(in_checkout(root, "for-each-ref", "--format=%(refname)", *which), str(root))
    return [name.removeprefix("refs/heads/") for name in told.decode("utf-8", "replace").splitlines()]


def branches_at(root: Path, commit: str) -> list[str]:
    """The branches here that stand at a commit. Raises RelockError."""
    return branches(root, f"--points-at={commit}", "refs/heads/")


def ignored(root: Path, paths: Iterable[PurePosixPath]) -> Fact[frozenset[PurePosixPath]]:
    """Those of `paths` that git ignores; a tracked file is never ignored."""
    asked = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)  # a leading `:` would be magic
    if not asked:
        return Known(frozenset())
    result = in_checkout(root, "check-ignore", "--stdin", "-z", stdin=asked)
    if not isinstance(result, Finished) or result.code not in (0, 1):
        return _unsaid(result, "what it ignores", root)
    return Known(frozenset(PurePosixPath(os.fsdecode(path)) for path in fields(result.out)))


def differing(
    root: Path, commit: str, files: Mapping[PurePosixPath, bytes]
) -> Fact[frozenset[PurePosixPath]]:
    """Those files whose bytes are not what `commit` holds, line ends aside.

    Compared here, by hash: git itself would run the checkout's filters over them.
    """
    asked = [path for path in files if "\n" not in str(path)]  # this command is asked by lines
    lines = b"".join(f"{commit}:".encode() + os.fsencode(path) + b"\n" for path in asked)
    result = in_checkout(root, "cat-file", "--batch-check", stdin=lines)
    if not isinstance(result, Finished) or not result.ok:
        return _unsaid(result, "what has changed", root)
    held = dict(zip(asked, result.out.splitlines(), strict=True))
    held |= {path: _blob(root, commit, path) for path in files.keys() - held.keys()}
    return Known(frozenset(path for path, data in files.items() if not _held(data, held.get(path, b""))))


def lacking(root: Path, commit: str) -> Fact[bool]:
    """Whether files of `commit` are not here: deleted, out of the index, or out of a sparse checkout."""
    found = b""
    for asked in (_LISTED, (*_TAKEN_OUT, commit, "--")):
        result = in_checkout(root, *asked)
        if not isinstance(result, Finished) or not result.ok:
            return _unsaid(result, "what is missing", root)
        found += b"\0" + result.out
    return Known(any(mark in found for mark in (b"\0R ", b"\0S ", b"\0:")))


def sparse(root: Path) -> Fact[frozenset[PurePosixPath]]:
    """The files that a sparse checkout leaves out."""
    result = in_checkout(root, "ls-files", "-t", "-z", "--cached")
    if not isinstance(result, Finished) or not result.ok:
        return _unsaid(result, "what a sparse checkout leaves out", root)
    left = (line.removeprefix(b"S ") for line in fields(result.out) if line.startswith(b"S "))
    return Known(frozenset(PurePosixPath(os.fsdecode(path)) for path in left))


def _unsaid(result: Result, what: str, root: Path) -> Unknown:
    said = failure(result).replace(f"{root}/", "")
    return Unknown(f"git does not say {what}: {said}", remedy(result, "git status"))


_LISTED: Final = ("ls-files", "-t", "-z", "--cached", "--deleted")
"""It prints `R` before a file that is deleted here, `S` before one that a sparse checkout leaves out."""
_TAKEN_OUT: Final = ("diff-index", "-z", "--cached", "--no-renames", "--diff-filter=D")
"""What is in the commit and not in the index; each line begins with a colon."""


def _blob(root: Path, commit: str, path: PurePosixPath) -> bytes:
    """The id of a file's blob; empty where there is none."""
    result = in_checkout(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}:{path}")
    return result.out.strip() if isinstance(result, Finished) else b""


def _held(data: bytes, line: bytes) -> bool:
    return is_blob(data, line.split(b" ")[0].decode("ascii", "replace"))


def is_blob(data: bytes, wanted: str) -> bool:
    """Whether a blob holds these bytes, line ends aside."""
    algorithm = "sha256" if len(wanted) == 64 else "sha1"
    texts = (data, data.replace(b"\r\n", b"\n"))
    return any(blob_id(text, algorithm) == wanted for text in texts)


def blob_id(data: bytes, algorithm: str = "sha1") -> str:
    """The id git gives to these bytes when no filter changes them."""
    digest = hashlib.new(algorithm, b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def move_branch(root: Path, branch: str, to: str, seen: str | None) -> None:
    """Point `branch` at a commit that is in the checkout, if it is still where it was `seen` (None: nowhere).

    Raises RelockError when it has moved, or is checked out in some work tree, which would then lie.
    """
    name = f"refs/heads/{branch}"
    trees = output(in_checkout(root, "worktree", "list", "--porcelain", "-z"), str(root))
    if f"branch {name}".encode() in trees.split(b"\0"):
        raise RelockError(
            f"the branch {branch} is checked out", str(root), "check out another branch, run again"
        )
    message = ("-m", "tfrelock: propose")
    output(in_checkout(root, "update-ref", *message, name, to, seen or _absent(to)), str(root))


def _absent(like: str) -> str:
    return "0" * len(like)
