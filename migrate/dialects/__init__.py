"""How each kind of file spells an S3 backend or its reader, one file each.

To add one: the module, its name here, its test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from migrate.dialects import (
    atmos,
    code,
    flags,
    partial,
    remote_state,
    renamed,
    shell,
    template,
    terraform,
    terraform_json,
    terragrunt,
    terramate,
)
from migrate.model import LockWish, Site
from migrate.plug import Plug

Dialect: TypeAlias = Plug[Site, LockWish]

DIALECTS: Final[Sequence[Dialect]] = [
    terraform,
    remote_state,
    terraform_json,
    partial,
    renamed,
    terragrunt,
    code,
    flags,
    template,
    terramate,
    atmos,
    shell,
]

BY_NAME: Final[Mapping[str, Dialect]] = {dialect.NAME: dialect for dialect in DIALECTS}
