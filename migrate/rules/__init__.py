"""All rules, as list literals of plain modules: mypy names a bad one on its line, a test finds one that is
missing.

The order is that of reports: what does not exclude today stands first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from migrate.rules import (
    binary_below_floor,
    both_to_table,
    cached_terraform_dir,
    callers_may_lock,
    digests_first,
    dual_lock,
    dual_possible,
    floor_in_use,
    floor_lowered,
    floor_open,
    generated,
    init_upgrade,
    lock_dropped,
    lock_false_on_apply,
    lock_false_on_plan,
    lockfile_switched_off,
    module_refuses_floor,
    moved_state,
    needs_reconfigure,
    no_common_lock,
    no_lock,
    no_lock_timeout,
    no_serialisation,
    not_covered,
    not_encrypted,
    one_step_swap,
    other_store,
    output_parsed,
    reader_names_table,
    readers_safe,
    release_to_avoid,
    removed_argument,
    root_removed,
    saved_plan_crosses_phase,
    shared_key,
    soaked,
    table_known,
    table_lock_added,
    table_only,
    table_owner,
    table_unused,
    unclear_change,
    unlock_script,
    unreadable,
    unresolved,
    writers_dual,
)
from migrate.rules.rule import EstateRule, Facts, Rule, TransitionRule

RULES: Final[Sequence[Rule]] = [
    no_common_lock,
    lockfile_switched_off,
    no_lock,
    reader_names_table,
    floor_open,
    binary_below_floor,
    release_to_avoid,
    module_refuses_floor,
    shared_key,
    removed_argument,
    unresolved,
    not_encrypted,
    other_store,
    generated,
    table_only,
    dual_lock,
]
"""What `audit` reports of each stack."""

ESTATE_RULES: Final[Sequence[EstateRule]] = [
    lock_false_on_apply,
    unreadable,
    not_covered,
    table_owner,
    removed_argument,
    needs_reconfigure,
    cached_terraform_dir,
    saved_plan_crosses_phase,
    unlock_script,
    output_parsed,
    lock_false_on_plan,
    no_lock_timeout,
    no_serialisation,
    init_upgrade,
]
"""What `audit` reports of places that stand in no stack."""

TRANSITION_RULES: Final[Sequence[TransitionRule]] = [
    one_step_swap,
    lock_dropped,
    both_to_table,
    moved_state,
    floor_lowered,
    unclear_change,
    digests_first,
    table_lock_added,
    root_removed,
]
"""What `audit --base` says of a change."""

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

ALL: Final[Mapping[str, Facts]] = {
    rule.NAME: rule for rule in [*RULES, *ESTATE_RULES, *TRANSITION_RULES, *_GATES]
}
