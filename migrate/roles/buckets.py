"""The policies of buckets that one module sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from migrate.iam.layers import Kind, Layer
from migrate.model import Unknown
from migrate.roles.documents import Documents
from migrate.roles.module import Module

_TYPES: Final = ("aws_s3_bucket_policy", "aws_s3_bucket")


def guards(module: Module, documents: Documents) -> Iterator[tuple[str, Layer]]:
    """Each bucket whose name is known, with its policy."""
    for one in module.of_type(*_TYPES):
        bucket, policy = one.get("bucket"), one.get("policy")
        name = module.scope.text(str(bucket)) if bucket else None
        if name and policy:
            found = documents.of(policy)
            hidden = f"{found.why} is not followed" if isinstance(found, Unknown) else ""
            yield name, Layer(Kind.BUCKET, () if isinstance(found, Unknown) else found, hidden)
