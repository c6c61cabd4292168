"""Where IAM policies are written. To add a kind of source: its module, its name in the list, its test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from migrate.plug import Plug
from migrate.policies import (
    cloudformation,
    json_in_hcl,
    module_input,
    plain_json,
    policy_document,
    program,
    script,
)
from migrate.spelling.written import PolicyWish, Written

PolicySource: TypeAlias = Plug[Written, PolicyWish]

POLICIES: Final[Sequence[PolicySource]] = [
    policy_document,
    json_in_hcl,
    plain_json,
    cloudformation,
    program,
    script,
    module_input,
]

BY_NAME: Final[Mapping[str, PolicySource]] = {plug.NAME: plug for plug in POLICIES}
