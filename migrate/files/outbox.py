"""A folder of files for people, each written as a whole."""

from pathlib import Path, PurePosixPath

from msgspec import Struct

from migrate.errors import RelockError
from migrate.files.places import save


class Outbox(Struct, frozen=True):
    """`root` is made when it is first written to."""

    root: Path

    def read(self, path: PurePosixPath) -> bytes | None:
        """One file, or None where there is none. Raises RelockError when it cannot be read."""
        try:
            return (self.root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            why = f"cannot be read: {error.strerror}"
            raise RelockError(why, str(self.root / path), "name another folder") from None

    def put(self, path: PurePosixPath, data: bytes) -> None:
        """Write one file, if it differs; a script may be run. Raises RelockError where it cannot be."""
        if self.read(path) != data:
            save(self.root / path, data)
        if data.startswith(b"#!"):
            (self.root / path).chmod(0o755)

    def shown(self, path: PurePosixPath) -> str:
        return str(self.root / path)
