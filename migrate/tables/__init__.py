"""Where lock tables are made: each kind of code in a file of its own. Nothing here is ever edited.

A table is deleted last of all, and whoever owns the code must know it. To add a kind: its module, its line
in the list, its test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from migrate.model import Definition
from migrate.plug import Finder, LateFinder

TableSource: TypeAlias = Finder[Definition]

_MODULES: Final = (
    *(b"tfstate-backend", b"remote-state-s3-backend", b"trussworks/"),
    *(b"dynamodb-table", b"e/dynamodb/aws"),
)

TABLES: Final[Sequence[LateFinder[Definition]]] = [
    LateFinder(__name__, "resource", (b"aws_dynamodb_table",), TERRAFORM=True),
    LateFinder(__name__, "module", _MODULES, TERRAFORM=True),
    LateFinder(__name__, "cloudformation", (b"LockID",)),
    LateFinder(__name__, "program", (b"LockID",)),
]
