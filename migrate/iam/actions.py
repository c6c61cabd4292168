"""Names of actions that IAM takes and that allow nothing: it refuses no name that it does not know.

Told are names that are all but one a lock needs, and operations of S3's API that are no actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from msgspec import Struct

from migrate.iam.policy import Policy

_NEEDED: Final = (
    *("s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket", "s3:PutObjectAcl"),
    *("s3:PutObjectTagging", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:DeleteItem"),
    *("dynamodb:DescribeTable", "kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey"),
)
_BY_NAME: Final = {name.lower(): name for name in _NEEDED}
_OPERATIONS: Final = {
    "s3:listobjects": "s3:ListBucket",
    "s3:listobjectsv2": "s3:ListBucket",
    "s3:headbucket": "s3:ListBucket",
    "s3:headobject": "s3:GetObject",
    "s3:copyobject": "s3:PutObject",
    "s3:createmultipartupload": "s3:PutObject",
    "s3:completemultipartupload": "s3:PutObject",
    "s3:uploadpart": "s3:PutObject",
    "s3:deleteobjects": "s3:DeleteObject",
}
_SERVICES: Final = ("s3:", "dynamodb:", "kms:")
_CLOSE: Final = 0.93


class Misnamed(Struct, frozen=True):
    """A name that no action has, the one it may have been meant for, and the statement it stands in."""

    name: str
    meant: str
    where: str

    def __str__(self) -> str:
        return f"{self.where}: {self.name} is no action and allows nothing; {self.meant} may be meant"


def misnamed(policies: Iterable[Policy]) -> Iterator[Misnamed]:
    """Each such name once for each statement; of patterns and expressions nothing is told."""
    for policy in policies:
        for one in policy.statements:
            for word in one.actions.words:
                meant = _meant(word.literal.lower()) if word.literal else ""
                if meant:
                    yield Misnamed(str(word), meant, one.where)


@lru_cache(maxsize=4096)
def _meant(name: str) -> str:
    """The action it may be meant for; empty of a name like any other."""
    if name in _OPERATIONS:
        return _OPERATIONS[name]
    if name in _BY_NAME or not name.startswith(_SERVICES):
        return ""
    close = get_close_matches(name, _BY_NAME, n=1, cutoff=_CLOSE)
    return _BY_NAME[close[0]] if close and "*" not in name and "?" not in name else ""
