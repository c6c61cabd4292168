"""Rights to a key that hang on which object it is used for: those of a state may not be those of its lock.

S3 tells KMS the object's ARN, or the bucket's where the bucket has a key of its own. Whoever writes a state
with a key may use it for the lock too, unless a policy looks at that ARN.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.iam.address import SUFFIX
from migrate.iam.bases import pattern
from migrate.iam.glob import exact, glob
from migrate.iam.operators import operator
from migrate.iam.policy import Condition, Policy, Statement
from migrate.iam.profiles import TooWideError, covered, overlap
from migrate.iam.statements import names
from migrate.iam.truth import FALSE

_ACTIONS: Final = ("kms:GenerateDataKey", "kms:Decrypt")
_KEY: Final = "kms:encryptioncontext:aws:s3:arn"


def told_apart(policies: Iterable[Policy], bucket: str) -> str:
    """Why the rights to keys may differ between the states of a bucket, by its ARN, and their locks; empty:
    nothing says so. An expression is taken for whatever fits.
    """
    for policy in policies:
        for one in policy.statements:
            acts = any(names(one.actions, action) is not FALSE for action in _ACTIONS)
            if acts and any(_tells_apart(policy, one, condition, bucket) for condition in one.conditions):
                return f"{one} looks at {_KEY}"
    return ""


def _tells_apart(policy: Policy, one: Statement, condition: Condition, bucket: str) -> bool:
    asked = operator(condition.operator)
    if condition.key.lower() != _KEY or asked is None:
        return False
    values = tuple(pattern(policy, word).widest for word in condition.values)
    locks, objects = glob(f"{bucket}/*{SUFFIX}"), glob(f"{bucket}/*")
    try:
        if (one.effect == "Deny") is not asked.negated:
            return overlap(locks, values)
        return overlap(objects, values) and not covered(locks, values) and not covered(exact(bucket), values)
    except TooWideError:
        return True
