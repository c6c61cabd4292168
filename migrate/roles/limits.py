"""Policies that limit everybody behind them: of an organization, an endpoint, a boundary.

They are widened by those who answer for them, never by an edit of ours; wherever their text stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from migrate.roles.documents import Documents
from migrate.roles.module import Module
from migrate.spelling.written import BOUNDARY, ENDPOINT, ORGANIZATION, Written

_LIMITING: Final[Mapping[str, tuple[str, str]]] = {
    "aws_organizations_policy": ("content", ORGANIZATION),
    "aws_vpc_endpoint": ("policy", ENDPOINT),
    "aws_vpc_endpoint_policy": ("policy", ENDPOINT),
    "aws_iam_role": ("permissions_boundary", BOUNDARY),
    "aws_iam_user": ("permissions_boundary", BOUNDARY),
}
"""By the type of a resource: the argument that such a policy is given by, and why no edit is made of it."""


def limits(
    module: Module, written: Mapping[PurePosixPath, Sequence[Written]]
) -> Iterator[tuple[tuple[PurePosixPath, str], str]]:
    """File and name of each such policy that a module sets, and why it is left alone."""
    for one in module.of_type(*_LIMITING):
        name, why = _LIMITING[one.type]
        at = one.get(name)
        if at:
            documents = Documents(module, written)
            documents.of(at)
            yield from ((policy, why) for policy in documents.used)
