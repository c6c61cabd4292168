"""A repository of our own that borrows a checkout's objects.

Nothing of the checkout's configuration holds here, so trees and blobs can be read, commits made and signed,
and remotes reached as the user's own configuration says. New objects stay here until `publish` brings them
into the checkout.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct

from migrate.errors import RelockError
from migrate.git.checkout import HEAD, Head, headed
from migrate.git.command import ALONE, QUIET, SAFE, fields, in_checkout, output, words
from migrate.model import Fact, Unknown
from migrate.process import Call, Finished, Result, run


class Own(Struct, frozen=True):
    """`folder` is bare and ours; `objects` are the checkout's. `shallow`: its history ends somewhere. `head`:
    what was checked out there when they were borrowed.
    """

    folder: Path
    checkout: Path
    objects: str
    shallow: bool = False
    head: Fact[Head] = Unknown("nothing is borrowed", "")

    def ask(
        self,
        *arguments: str,
        stdin: bytes = b"",
        env: Mapping[str, str] = ALONE,
        timeout: float = 120.0,
        secrets: tuple[str, ...] = (),
    ) -> Result:
        """Run git here, without the user's configuration unless `env` says so."""
        borrowed = {"GIT_DIR": str(self.folder), "GIT_ALTERNATE_OBJECT_DIRECTORIES": self.objects}
        return run(
            Call(("git", *SAFE, *arguments), self.folder, {**env, **borrowed}, stdin, timeout, secrets)
        )

    def get(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] = ALONE) -> bytes:
        """What git prints; raises RelockError when it fails."""
        return output(self.ask(*arguments, stdin=stdin, env=env), str(self.checkout))


AS_USER = QUIET | {"GIT_ALLOW_PROTOCOL": "https:ssh"}
"""The environment of a call that signs or uses the network: the user and the system configure it."""


def borrow(checkout: Path, scratch: Path) -> Own:
    """A repository of our own, made in the empty folder `scratch`. Raises RelockError."""
    asked = ("rev-parse", "--git-path", "objects", "--git-path", "shallow", "--show-object-format", *HEAD)
    result = in_checkout(checkout, *asked)
    told = result.out.decode("utf-8", "surrogateescape") if isinstance(result, Finished) else ""
    match told.removesuffix("\n").split("\n"):
        case objects, shallow, form, *named if len(named) <= len(HEAD) - 1:
            pass
        case _:
            output(result, str(checkout))
            raise RelockError("there is a line end in its path", str(checkout), "rename the folder")
    folder, ends = _begun(scratch, form), Path(shallow)
    if ends.is_file():  # a copy: what is fetched here may reach further back
        (folder / "shallow").write_bytes(ends.read_bytes())
    return Own(folder, checkout, _quoted(objects), shallow=ends.is_file(), head=headed(result))


def blank(scratch: Path) -> Own:
    """A repository of our own that borrows nothing, in the empty folder `scratch`. Raises RelockError."""
    return Own(_begun(scratch, "sha1"), scratch, "")


def _begun(scratch: Path, form: str) -> Path:
    """What `git init --bare` makes without a template: three files, for one program less to start."""
    folder = scratch / "own.git"
    for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/own\n")
    version, more = ("0", "") if form == "sha1" else ("1", f"[extensions]\n\tobjectFormat = {form}\n")
    (folder / "config").write_text(f"[core]\n\trepositoryformatversion = {version}\n\tbare = true\n{more}")
    return folder


def _quoted(path: str) -> str:
    """As `GIT_ALTERNATE_OBJECT_DIRECTORIES` wants it: a colon would part two paths."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


class Leaf(Struct, frozen=True):
    """One entry of a commit's tree; `mode` is 100644, 100755, 120000 (a symlink) or 160000 (a submodule)."""

    mode: str
    blob: str
    size: int | None


def tree(own: Own, commit: str) -> dict[PurePosixPath, Leaf]:
    """All files of a commit."""
    leaves = {}
    for line in fields(own.get("ls-tree", "-r", "-z", "-l", "--full-tree", commit)):
        about, path = line.split(b"\t", 1)
        mode, _, blob, size = words(about)
        leaves[_path(path)] = Leaf(mode, blob, int(size) if size.isdigit() else None)
    return leaves


def _path(raw: bytes) -> PurePosixPath:
    return PurePosixPath(raw.decode("utf-8", "surrogateescape"))


def changed(own: Own, one: str, other: str) -> frozenset[PurePosixPath]:
    """The files in which two commits differ."""
    options = ("-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv")
    return frozenset(map(_path, fields(own.get("diff-tree", *options, one, other))))


def holding(own: Own, commit: str, tokens: Iterable[bytes], *only: str) -> tuple[PurePosixPath, ...]:
    """The text files of a commit that hold one of `tokens`, or all of it but a line end, which git takes for
    the end of a pattern: what follows it would be a pattern too, and an empty one is in every file. Of those
    that match one of `only` the binary ones, too.

    Objects are read one after the other whatever is asked for: more threads would only wait for each other.
    """
    wanted = dict.fromkeys(token.decode().rstrip("\r\n") for token in tokens)
    patterns = [part for token in wanted for part in ("-e", token)]
    options = ("-z", "-l", "-F", "--no-textconv", "--no-recurse-submodules", "--threads=1")
    result = own.ask("grep", *options, *(() if only else ("-I",)), *patterns, commit, "--", *only)
    if isinstance(result, Finished) and result.code == 1:
        return ()
    found = fields(output(result, str(own.checkout)))
    return tuple(_path(line.split(b":", 1)[1]) for line in found)


def blobs(own: Own, ids: Iterable[str]) -> dict[str, bytes]:
    """The bytes of many blobs, as stored; what is not here (a partial clone, a submodule) is left out."""
    asked = list(dict.fromkeys(ids))
    stream = own.get(
        "cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in asked).encode("utf-8", "surrogateescape")
    )
    found, at = {}, 0
    for blob in asked:
        end = stream.index(b"\n", at)
        size = words(stream[at:end])[-1]
        at = end + 1
        if size.isdigit():  # else a word why it is not there, such as "missing"
            found[blob] = stream[at : at + int(size)]
            at += int(size) + 1
    return found


def publish(own: Own, tip: str, base: str) -> None:
    """Bring the objects of the commits `base..tip` into the checkout; no branch, index or file changes."""
    wanted = f"{tip}\n^{base}\n".encode()
    pack = own.get("pack-objects", "--quiet", "--revs", "--stdout", stdin=wanted)
    try:
        output(in_checkout(own.checkout, "unpack-objects", "-q", stdin=pack), str(own.checkout))
    except RelockError as error:
        raise RelockError(
            f"cannot write to the repository: {error.what}", error.where, error.try_this
        ) from None
