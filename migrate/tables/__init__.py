"""Where lock tables are made: each kind of code in a file of its own. Nothing here is ever edited.

A table is deleted last of all, and whoever owns the code must know it. To add a kind: its module, its name
in the list, its test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from migrate.model import Definition
from migrate.plug import Plug
from migrate.tables import cloudformation, module, program, resource

TableSource: TypeAlias = Plug[Definition, None]

TABLES: Final[Sequence[TableSource]] = [resource, module, cloudformation, program]
