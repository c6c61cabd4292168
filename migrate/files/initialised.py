"""What `terraform init` left in a directory: the backend it was told, the workspace, the dependency lock."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from migrate.files.reading import read_whole, reason

_BELOW_CACHE: Final = ".terragrunt-cache/*/*"
"""Where Terragrunt runs the engine for a unit: below a hash of the unit and one of its source."""


class Initialised(Struct, frozen=True):
    """One initialised directory. `unread` says what of it could not be read, and why."""

    state: bytes
    """`terraform.tfstate` of the data directory: the backend as it is in effect there."""
    workspace: str = "default"
    unread: str = ""


class Remains(Struct, frozen=True):
    """What stands in one root. `lock` is its `.terraform.lock.hcl`, None where there is none."""

    initialised: tuple[Initialised, ...] = ()
    lock: bytes | None = None
    has_providers: bool = False


def left(root: Path, data: str) -> Remains:
    """What a root holds; `data` names its data directory. Of a unit of Terragrunt every copy counts."""
    folders = [root, *sorted(root.glob(_BELOW_CACHE))]
    found = tuple(one for folder in folders if (one := _initialised(folder / data)))
    has_providers = os.path.isdir(root / data / "providers")
    return Remains(found, _content(root / ".terraform.lock.hcl"), has_providers)


def _initialised(folder: Path) -> Initialised | None:
    try:
        state = read_whole(str(folder / "terraform.tfstate"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Initialised(b"", unread=f"its terraform.tfstate cannot be read: {reason(error)}")
    try:
        chosen = (_content(folder / "environment") or b"").decode("utf-8").strip()
    except UnicodeDecodeError:
        return Initialised(state, unread="the name of its workspace is no UTF-8")
    return Initialised(state, chosen or "default")


def _content(file: Path) -> bytes | None:
    try:
        return read_whole(str(file))
    except OSError:
        return None
