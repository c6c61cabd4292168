"""Operator and repository configuration: text in, frozen values out, all mistakes at once with their lines.

Two files, two trusts: `operator` may say everything, `repository` only what a stranger may say.
"""

from collections.abc import Mapping
from typing import Final

from migrate.config.operator import SHAPE as OPERATOR_SHAPE
from migrate.config.operator import Access, Operator, ProposalStyle, ended, read_operator
from migrate.config.reading import Leaf, Loaded, Mistake
from migrate.config.repository import NAME, Local, Waiver, read_local
from migrate.config.repository import SHAPE as REPOSITORY_SHAPE
from migrate.config.seen import Unusable, read_seen
from migrate.config.shape import Json, json_schema

SCHEMAS: Final[Mapping[str, Mapping[str, Json]]] = {
    "operator": json_schema(OPERATOR_SHAPE, "tfrelock operator configuration"),
    "repository": json_schema(REPOSITORY_SHAPE, "tfrelock repository configuration, .tfrelock.yaml"),
}
"""The published JSON Schemas, by whose file they describe."""

__all__ = [
    "NAME",
    "SCHEMAS",
    "Access",
    "Leaf",
    "Loaded",
    "Local",
    "Mistake",
    "Operator",
    "ProposalStyle",
    "Unusable",
    "Waiver",
    "ended",
    "read_local",
    "read_operator",
    "read_seen",
]
