"""Which files of a directory an engine reads, and which of them win."""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import PurePosixPath
from typing import Final

_TERRAFORM: Final = re.compile(r"\.tf(?=$|\.json$)")
_OVERRIDE: Final = re.compile(r"(?:.*_)?override\.(?:tf|tofu)(?:\.json)?")


def is_tofu(path: PurePosixPath) -> bool:
    """`*.tofu` and `*.tofu.json`: Terraform does not read them."""
    return path.name.endswith((".tofu", ".tofu.json"))


def is_hidden(path: PurePosixPath, files: Container[PurePosixPath]) -> bool:
    """Whether OpenTofu reads another one of the files in place of this one."""
    instead = _TERRAFORM.sub(".tofu", path.name)
    return instead != path.name and path.with_name(instead) in files


def is_override(path: PurePosixPath) -> bool:
    """`override.tf`, `*_override.tf`, their `.tofu` and `.json` forms: they are read last, in order."""
    return _OVERRIDE.fullmatch(path.name) is not None
