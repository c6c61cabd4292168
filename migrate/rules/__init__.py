"""All rules, as list literals of plain modules: mypy names a bad one on its line, a test finds one that is
missing.

The order is that of reports: what does not exclude today stands first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from migrate.rules import (
    binary_below_floor,
    callers_may_lock,
    dual_lock,
    dual_possible,
    floor_in_use,
    floor_open,
    generated,
    no_common_lock,
    no_lock,
    not_covered,
    not_encrypted,
    reader_names_table,
    readers_safe,
    removed_argument,
    shared_key,
    soaked,
    table_known,
    table_only,
    table_unused,
    unreadable,
    unresolved,
    writers_dual,
)
from migrate.rules.rule import EstateRule, Facts, Rule

RULES: Final[Sequence[Rule]] = [
    no_common_lock,
    no_lock,
    reader_names_table,
    floor_open,
    binary_below_floor,
    shared_key,
    removed_argument,
    unresolved,
    not_encrypted,
    generated,
    table_only,
    dual_lock,
]
"""What `audit` reports of each stack."""

ESTATE_RULES: Final[Sequence[EstateRule]] = [unreadable, not_covered]
"""What `audit` reports of places that stand in no stack."""

_GATES: Final[Sequence[Rule]] = [
    callers_may_lock,
    floor_in_use,
    dual_possible,
    writers_dual,
    readers_safe,
    soaked,
    table_known,
    table_unused,
]

GATES: Final[Mapping[str, Rule]] = {gate.NAME: gate for gate in _GATES}
"""Rules that a step names."""

ALL: Final[Mapping[str, Facts]] = {rule.NAME: rule for rule in [*RULES, *ESTATE_RULES, *_GATES]}
