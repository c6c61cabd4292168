"""Resources of Terraform whose policy limits everybody behind it, and so is widened by its owner alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from migrate import hcl

_ENDPOINT: Final = "a VPC endpoint's policy limits all who go through it: its owner adds the statement"
LIMITS: Final[Mapping[str, str]] = {
    "aws_organizations_policy": "an organization's policy limits its accounts: its owner adds the statement",
    "aws_vpc_endpoint": _ENDPOINT,
    "aws_vpc_endpoint_policy": _ENDPOINT,
}
"""The type of the resource, and why no edit is made of its policy."""

_DOCUMENT: Final = re.compile(r"\bdata\.aws_iam_policy_document\.([\w-]+)")


def documents_of_limits(text: str) -> Mapping[str, str]:
    """Each `aws_iam_policy_document` that such a resource of the file names, and why it is left alone."""
    return dict(_named(text)) if any(kind in text for kind in LIMITS) else {}


def _named(text: str) -> Iterator[tuple[str, str]]:
    for block in hcl.blocks(text, ("resource",), tuple(LIMITS)).blocks:
        why = LIMITS.get(block.labels[0]) if block.labels else None
        if why:
            yield from ((found[1], why) for found in _DOCUMENT.finditer(block.span.of(text)))
