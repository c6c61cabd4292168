"""Where IAM policies are written. To add a kind of source: its module, its line in the list, its test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from migrate.plug import Late, Plug
from migrate.spelling.written import PolicyWish, Written

PolicyPlug: TypeAlias = Plug[Written, PolicyWish]
PolicySource: TypeAlias = Late[Written, PolicyWish]

_LOCKS: Final = (b"dynamodb", b"_lock", b"-lock")  # in names of lock tables and of inputs for them
_HOLDERS: Final = (b"aws_iam_", b"assume_role")  # who holds policies, whom a provider is
_LIMITS: Final = (b"aws_organizations_policy", b"aws_vpc_endpoint")  # what others' policies are set by

POLICIES: Final[Sequence[PolicySource]] = [
    Late(__name__, "policy_document", (b"aws_iam_policy_document",), TERRAFORM=True),
    Late(__name__, "json_in_hcl", (b"s3:", b"S3:", b"dynamodb:", *_HOLDERS, *_LIMITS), TERRAFORM=True),
    Late(__name__, "plain_json", (b"s3:", b"S3:", b"dynamodb:")),
    Late(__name__, "cloudformation", (b"s3:", b"S3:", b"dynamodb:")),
    Late(__name__, "program", (b"s3:", b"dynamodb:")),
    Late(__name__, "script", (b"s3:", b"dynamodb:")),
    Late(__name__, "module_input", (*_LOCKS, b"s3:PutObject"), TERRAFORM=True),
    Late(__name__, "yaml_statements", (b"s3:", b"dynamodb:")),
]

BY_NAME: Final[Mapping[str, PolicyPlug]] = {plug.NAME: plug for plug in POLICIES}
