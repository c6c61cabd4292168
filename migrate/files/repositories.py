"""PATH arguments to repositories."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.files.origin import identity, origin_url
from migrate.model import RepoId

_CONFIG_LIMIT: Final = 1 << 20


class Repository(Struct, frozen=True):
    """A folder with `.git`, a bare repository, or a plain folder.

    `within` names the parts that PATHs mean; empty: all of it. A client that is not meant may still hold a
    lock, so a repository is walked as a whole; a plain folder, which may be anything, is not. A bare one has
    no files: git's objects are read.
    """

    id: RepoId
    root: Path
    git: bool
    within: tuple[PurePosixPath, ...] = ()
    bare: bool = False
    branch: str = ""
    """The branch that is meant, where it is not the one checked out; then `id` ends with it."""

    @property
    def home(self) -> RepoId:
        """The id of the repository as a whole."""
        return RepoId(self.id.removesuffix(f"@{self.branch}")) if self.branch else self.id


class Discovered(Struct, frozen=True):
    """The repositories of some PATHs, sorted by folder, and the PATHs that name nothing."""

    repositories: tuple[Repository, ...]
    missing: tuple[str, ...]


def discover(paths: Sequence[str]) -> Discovered:
    """The repository around each PATH; a plain folder may turn out to hold clones, which `walk` opens."""
    missing = tuple(path for path in paths if not os.path.exists(path))
    narrowings: dict[Path, set[PurePosixPath]] = {}
    for path in paths:
        if path not in missing:
            real = Path(os.path.realpath(path))
            root = _root(real)
            within = PurePosixPath(real.relative_to(root))
            whole = within.parts[:1] == (".git",)  # git's own files: the checkout is meant
            narrowings.setdefault(root, set()).add(PurePosixPath() if whole else within)
    return Discovered(identified(_merged(narrowings)), missing)


def _root(path: Path) -> Path:
    """The nearest folder with `.git`, else the folder itself, or that of the file.

    What looks like a bare repository inside a checkout is a part of that checkout, however it came there.
    """
    folder = path if path.is_dir() else path.parent
    return next((up for up in (folder, *folder.parents) if _is_repository(up)), folder)


def _is_repository(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def may_be_sparse(repository: Repository) -> bool:
    """Whether git may have left files out of a checkout on purpose: only git itself tells which."""
    told = repository.root / ".git"
    ours = repository.git and not repository.bare
    return ours and (told.is_file() or _may_exist(told / "info" / "sparse-checkout"))


def _may_exist(path: Path) -> bool:
    """Whether a file is there, or stands in a folder that may not be looked into."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _is_bare(folder: Path) -> bool:
    """Whether the folder is a git directory itself; one that may not be looked into counts as none."""
    folders = (folder / "objects", folder / "refs")
    return os.path.isfile(folder / "HEAD") and all(map(os.path.isdir, folders))


def _merged(narrowings: dict[Path, set[PurePosixPath]]) -> Iterator[Repository]:
    whole = {
        root for root, within in narrowings.items() if PurePosixPath() in within and not _is_repository(root)
    }
    for root, within in narrowings.items():
        bare = not _is_repository(root) and _is_bare(root)
        git, covered = bare or _is_repository(root), not whole.isdisjoint(root.parents)
        if covered and not git:
            continue
        outer = {path for path in within if within.isdisjoint(path.parents)}
        narrowed = () if covered or PurePosixPath() in within else tuple(sorted(outer))
        yield Repository(RepoId(""), root, git, narrowed, bare)


def identified(
    repositories: Iterable[Repository], taken: frozenset[RepoId] = frozenset()
) -> tuple[Repository, ...]:
    """Each with its id, sorted by folder; a second checkout of one id gets `#2`: no two are taken for one."""
    given: list[Repository] = []
    used = set(taken)
    for repository in sorted(repositories, key=lambda repository: repository.root):
        name = _name(repository)
        ids = (RepoId(name if count == 1 else f"{name}#{count}") for count in range(1, len(used) + 2))
        chosen = next(id_ for id_ in ids if id_ not in used)
        used.add(chosen)
        given.append(replace(repository, id=chosen))
    return tuple(given)


def _name(repository: Repository) -> str:
    url = origin(repository)
    return (url and identity(url)) or repository.root.name or "root"


def origin(repository: Repository) -> str | None:
    """The URL of its `origin` as written there, or None."""
    root = repository.root
    return origin_url(_config(root if repository.bare and not _is_repository(root) else root / ".git"))


def _config(git: Path) -> str:
    """The text of a repository's configuration, also of a submodule or a linked work tree; empty: none."""
    if os.path.isdir(git):
        return _text(git / "config")
    folder = git.parent / _text(git).removeprefix("gitdir:").strip()
    common = folder / (_text(folder / "commondir").strip() or ".")
    return _text(common / "config")


def _text(path: Path) -> str:
    try:
        if not path.is_file():  # never a pipe
            return ""
        with path.open("rb") as file:
            return file.read(_CONFIG_LIMIT).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):  # ValueError: a planted NUL in the path
        return ""


def clones_in(folder: Path) -> list[str]:
    """The repositories that stand in a folder, side by side."""
    try:
        children = sorted(folder.iterdir())
    except OSError:
        return []
    folders = (child for child in children if os.path.isdir(child))
    return [str(child) for child in folders if _is_repository(child) or _is_bare(child)]
