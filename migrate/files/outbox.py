"""A folder of files for people, each written as a whole."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from migrate.errors import RelockError


@dataclass(frozen=True, slots=True)
class Outbox:
    """`root` is made when it is first written to."""

    root: Path

    def read(self, path: PurePosixPath) -> bytes | None:
        """One file, or None where there is none. Raises RelockError when it cannot be read."""
        try:
            return (self.root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise RelockError(
                f"cannot be read: {error.strerror}", str(self.root / path), "look at it"
            ) from None

    def put(self, path: PurePosixPath, data: bytes) -> None:
        """Replace one file by rename, if it differs. Raises RelockError when it cannot be written."""
        if self.read(path) == data:
            return
        file = self.root / path
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, beside = tempfile.mkstemp(prefix=".tfrelock-", dir=file.parent)
            with os.fdopen(handle, "wb") as new:
                new.write(data)
            os.replace(beside, file)
        except OSError as error:
            raise RelockError(
                f"cannot be written: {error.strerror}", str(file), "name another --out"
            ) from None

    def shown(self, path: PurePosixPath) -> str:
        return str(self.root / path)
