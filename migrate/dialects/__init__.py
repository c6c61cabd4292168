"""How each kind of file spells an S3 backend or its reader, one file each.

To add one: the module, its line here, its test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from migrate.mentions import TOKENS
from migrate.model import LockWish, Site
from migrate.plug import Late, Plug

Dialect: TypeAlias = Plug[Site, LockWish]

_SETTINGS: Final = tuple(token.encode() for token in TOKENS)
_BEGUN: Final = (b'backend "s3', b'backend \\"s3', b'"backend":', b"'backend':")
_LOCAL: Final = (b'"./', b'"../')  # modules that are called from there
_STACKS: Final = (b"import:\n", b"import:\r\n", b"components:\n", b"components:\r\n")  # merged with others
_UNITS: Final = ("terragrunt.hcl", "terragrunt.stack.hcl")
_ATMOS: Final = ("*atmos.yaml", "*atmos.yml")

DIALECTS: Final[Sequence[Late[Site, LockWish]]] = [
    Late(__name__, "terraform", (b"backend", *_LOCAL), TERRAFORM=True),
    Late(__name__, "remote_state", (b"terraform_remote_state",), TERRAFORM=True),
    Late(__name__, "terraform_json", (b"backend", b"terraform_remote_state", *_LOCAL)),
    Late(__name__, "partial", FILES=("*.tfbackend",)),
    Late(__name__, "renamed", (b"backend",)),
    Late(__name__, "terragrunt", (b"remote_state", b"backend", *_SETTINGS), _UNITS),
    Late(__name__, "code", (b"S3Backend", b"RemoteStateS3", *_BEGUN, *_SETTINGS)),
    Late(__name__, "flags", (b"-backend-config",), TERRAFORM=True),
    Late(__name__, "action_input", _SETTINGS),
    Late(__name__, "template", (b"backend", b"terraform_remote_state", *_SETTINGS), TERRAFORM=True),
    Late(__name__, "terramate", (b"backend", b"terraform_remote_state", *_SETTINGS)),
    Late(__name__, "atmos", (b"backend_type", b"remote_state_backend", *_STACKS, *_SETTINGS), _ATMOS),
    Late(__name__, "inlaid", (b'backend "s3"', b'data "terraform_remote_state"')),
    Late(__name__, "shell", (*_BEGUN[:2], *_SETTINGS)),
]

BY_NAME: Final[Mapping[str, Dialect]] = {dialect.NAME: dialect for dialect in DIALECTS}
