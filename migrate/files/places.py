"""Places of our own: folders that vanish, a cache, results of a run, and the texts that travel with us."""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal

from migrate.errors import RelockError
from migrate.files.reading import said

_PACKAGE: Final = Path(__file__).resolve().parent.parent


@contextmanager
def scratch() -> Iterator[Path]:
    """An empty folder that only we may enter and that is gone afterwards."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415  imports much, and most commands need no folder

    with TemporaryDirectory(prefix="tfrelock-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def cache(environ: Mapping[str, str]) -> Path | None:
    """The user's cache folder of this program, nobody else's to write (0700); None where there is none such.

    What is kept there may be a pickle: a folder that others could have written to is never used.
    """
    try:
        folder = _of_user(environ, "XDG_CACHE_HOME", "~/.cache") / "tfrelock"
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except (OSError, RuntimeError):  # read-only, or a user without a home
        return None
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return folder if ours and not stat.S_IMODE(found.st_mode) & 0o077 else None


def configuration(environ: Mapping[str, str]) -> Path | None:
    """The configuration in the user's own folder; None where there is none.

    Raises RelockError where whether there is one cannot be seen: a container's user may have root's home.
    """
    try:
        file = _of_user(environ, "XDG_CONFIG_HOME", "~/.config") / "tfrelock/config.yaml"
    except RuntimeError:  # a user without a home
        return None
    try:
        return file if file.is_file() else None
    except OSError as error:
        remedy = "name a file with --config, or a folder of yours in XDG_CONFIG_HOME"
        raise RelockError(f"cannot be read: {said(error)}", str(file), remedy) from None


def _of_user(environ: Mapping[str, str], variable: str, usual: str) -> Path:
    """A base directory of the user (XDG): a variable that holds a relative path counts as unset."""
    base = environ.get(variable, "")
    return Path(base) if base.startswith("/") else Path(usual).expanduser()


def load_folder(folder: Path, ending: str) -> dict[str, str]:
    """The texts of the files in a folder that end so, by name. Raises RelockError."""
    found = (path for path in sorted(folder.glob(f"*{ending}")) if not os.path.isdir(path))
    return {path.name: load(path) for path in found}


def load(path: Path) -> str:
    """The text of a file that the operator named, links and pipes followed. Raises RelockError."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise RelockError("not UTF-8", str(path), "save it as UTF-8") from None
    except OSError as error:
        raise RelockError(f"cannot be read: {said(error)}", str(path), "name another file") from None


def save(path: Path, data: bytes) -> None:
    """Write a result of ours (`--output`, `--out`) whole or not at all; folders are made; or RelockError."""
    beside = path.with_name(f".tfrelock-{os.urandom(8).hex()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a terminal or a pipe is written to, never replaced
            path.write_bytes(data)
            return
        beside.write_bytes(data)
        os.replace(beside, os.path.realpath(path))
    except OSError as error:
        raise RelockError(f"cannot be written: {said(error)}", str(path), "name another file") from None
    finally:
        with suppress(OSError):
            beside.unlink()


def data(kind: Literal["templates", "playbooks", "schema"]) -> Mapping[str, str]:
    """The texts of one kind by name. An installed program has them inside, a checkout beside the package;
    `schema` is a folder of the package itself.
    """
    places = (_PACKAGE / "_data" / kind, _PACKAGE / kind, _PACKAGE.parent / kind)
    folder = next((place for place in places if place.is_dir()), None)
    if folder is None:
        raise RelockError(f"the {kind} of the program are missing", "", "install tfrelock again")
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}
