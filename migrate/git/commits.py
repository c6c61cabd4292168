"""Commits made beside a work tree: read, written, and put into the form that `git am` takes."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from migrate.errors import RelockError
from migrate.git.command import fields, output, words
from migrate.git.own import AS_USER, Own
from migrate.process import Finished

_FILES: Final = ("100644", "100755")
_MOST: Final = 100


class Author(Struct, frozen=True):
    """Who commits. `sign` is the user's own `commit.gpgsign`, never that of a checkout."""

    name: str
    email: str
    sign: bool = False


def user(own: Own) -> Author:
    """Who the user's and the system's configuration say they are; raises RelockError when they do not say."""
    name, email = (_setting(own, key) for key in ("user.name", "user.email"))
    if not name or not email:
        missing = "user.email" if name else "user.name"
        raise RelockError("git does not know who commits", "", f"git config --global {missing} …")
    return Author(name, email, sign=_setting(own, "commit.gpgsign", "--type=bool") == "true")


def _setting(own: Own, key: str, *options: str) -> str:
    result = own.ask("config", *options, "--get", key, env=AS_USER)
    return result.out.decode().strip() if isinstance(result, Finished) and result.ok else ""


class Draft(Struct, frozen=True):
    """A commit to be made on `parent`: whole files, which keep their mode; `when` is `<seconds> +0000`."""

    parent: str
    files: Mapping[PurePosixPath, bytes]
    message: str
    author: Author
    when: str


def commit(own: Own, draft: Draft) -> str:
    """Make a commit in our own repository; gives its id. Same input, same id (unless it is signed)."""
    options = ("--quiet", "--force", "--date-format=raw")
    stream = b"".join(_stream(draft, _modes(own, draft)))
    made = own.get("-c", "fastimport.unpackLimit=1", "fast-import", *options, stdin=stream).decode().strip()
    return _signed(own, draft, made) if draft.author.sign else made


def _stream(draft: Draft, modes: Mapping[PurePosixPath, str]) -> Iterator[bytes]:
    """What `git fast-import` reads: one commit of whole files."""
    name, email = (re.sub(r"[<>\n]", "", part).strip() for part in (draft.author.name, draft.author.email))
    who = f"{name} <{email}> {draft.when}\n"  # as git itself takes these signs out
    message = draft.message.encode()
    yield f"commit refs/made\nmark :1\nauthor {who}committer {who}data {len(message)}\n".encode() + message
    yield f"\nfrom {draft.parent}\n".encode()
    for path, data in draft.files.items():
        raw = str(path).encode("utf-8", "surrogateescape")
        quoted = raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
        mode = modes.get(path, _FILES[0]).encode()
        yield b'M %s inline "%s"\ndata %d\n%s\n' % (mode, quoted, len(data), data)
    yield b"get-mark :1\n"


def _signed(own: Own, draft: Draft, made: str) -> str:
    """The same commit as the user signs it."""
    author = draft.author
    env = {
        **AS_USER,
        **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), author.name),
        **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), author.email),
        **dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), draft.when),
    }
    arguments = ("commit-tree", "-S", "-p", draft.parent, f"{made}^{{tree}}")
    return own.get(*arguments, stdin=draft.message.encode(), env=env).decode().strip()


def _modes(own: Own, draft: Draft) -> dict[PurePosixPath, str]:
    options = ("--literal-pathspecs", "ls-tree", "-z", "--full-tree")
    listed = own.get(*options, draft.parent, "--", *map(str, draft.files))
    modes = {}
    for line in fields(listed):
        about, raw = line.split(b"\t", 1)
        path = PurePosixPath(raw.decode("utf-8", "surrogateescape"))
        modes[path] = words(about)[0]
        if modes[path] not in _FILES:
            raise RelockError("is no plain file in the commit", str(path), "change the file it leads to")
    return modes


class Touched(Struct, frozen=True):
    """One file in which a commit differs from its parent; None: it is not there."""

    path: PurePosixPath
    before: str | None
    after: str | None
    same_mode: bool = True


class Logged(Struct, frozen=True):
    """One commit of a branch."""

    commit: str
    parents: tuple[str, ...]
    message: str
    touched: tuple[Touched, ...]

    def trailer(self, key: str) -> str | None:
        """The value of a line `Key: value` of the last paragraph; None when there is not exactly one."""
        last = self.message.rstrip().rsplit("\n\n", 1)[-1]
        values = [line[len(key) + 1 :].strip() for line in last.splitlines() if line.startswith(f"{key}:")]
        return values[0] if len(values) == 1 else None


def log(own: Own, base: str, tip: str) -> tuple[Logged, ...]:
    """The commits of `base..tip`, oldest first; RelockError above a hundred, which no branch of ours has."""
    listed = own.get("rev-list", "--reverse", "--topo-order", f"--max-count={_MOST + 1}", tip, f"^{base}")
    ids = words(listed)
    if len(ids) > _MOST:
        raise RelockError(f"more than {_MOST} commits stand on it", str(own.checkout), "look at the branch")
    return tuple(_logged(own, id_) for id_ in ids)


def _logged(own: Own, id_: str) -> Logged:
    header, _, message = own.get("cat-file", "commit", id_).partition(b"\n\n")
    parents = tuple(words(line)[1] for line in header.splitlines() if line.startswith(b"parent "))
    return Logged(id_, parents, message.decode("utf-8", "replace"), _touched(own, id_))


def _touched(own: Own, id_: str) -> tuple[Touched, ...]:
    options = ("-r", "-z", "--root", "--no-commit-id", "--no-renames", "--no-ext-diff", "--no-textconv")
    parts = fields(own.get("diff-tree", *options, id_))
    return tuple(_one_touched(about, path) for about, path in zip(parts[::2], parts[1::2], strict=True))


def _one_touched(about: bytes, path: bytes) -> Touched:
    mode, new_mode, before, after, _ = words(about)
    old, new = (blob if blob.strip("0") else None for blob in (before, after))
    same = mode.lstrip(":") == new_mode
    return Touched(PurePosixPath(path.decode("utf-8", "surrogateescape")), old, new, same_mode=same)


def merge_base(own: Own, one: str, other: str) -> str | None:
    """The newest commit that both build on, or None."""
    result = own.ask("merge-base", one, other)
    if isinstance(result, Finished) and result.code == 1:
        return None
    return output(result, str(own.checkout)).decode().strip()


def merged(own: Own, one: str, other: str) -> str | None:
    """The tree that a merge of both gives; None where they conflict, or for a git older than 2.38."""
    result = own.ask("merge-tree", "--write-tree", "--no-messages", one, other)
    return result.out.decode().strip() if isinstance(result, Finished) and result.ok else None


def patch(own: Own, base: str, tip: str) -> bytes:
    """The commits of `base..tip` as mails that `git am` takes."""
    options = ("--stdout", "--no-signature", "--full-index", "--binary", "--no-ext-diff", "--no-textconv")
    return own.get("format-patch", *options, f"{base}..{tip}")


def come_by(own: Own, parted: str, tip: str, base: str) -> bool:
    """Whether some commit of `base` since `parted` has put each file as the branch `tip` has it: its changes
    are merged then, in whatever commits.
    """
    plain = ("-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv")
    wanted = own.get("diff-tree", "-r", *plain, parted, tip)
    held = own.get("log", "--format=", "--first-parent", "-m", *plain, f"{parted}..{base}")
    return _put(wanted) <= _put(held)


def _put(raw: bytes) -> frozenset[tuple[bytes, ...]]:
    """The files that a diff adds, changes or deletes, each with its new mode and blob."""
    parts = fields(raw)
    return frozenset(
        (path, *about.split()[1:4:2]) for about, path in zip(parts[::2], parts[1::2], strict=True)
    )
