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
        """Write one file, if it differs. Raises RelockError when it cannot be written."""
        if self.read(path) != data:
            save(self.root / path, data)

    def shown(self, path: PurePosixPath) -> str:
        return str(self.root / path)
