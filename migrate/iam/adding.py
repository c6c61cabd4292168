"""Whether a policy became what it was with rights to locks added, and nothing else."""

from __future__ import annotations

from msgspec.structs import replace

from migrate.iam.address import SUFFIX
from migrate.iam.policy import NOWHERE, Policy, Statement


def adds_locks_only(before: Policy, after: Policy) -> bool:
    """Whether every statement is there as it was, and those that are new allow on lock objects alone."""
    had, has = [*map(_meant, before.statements)], [*map(_meant, after.statements)]
    kept = [one for one in has if one in had] == had and len(after.flaws) == len(before.flaws)
    return kept and all(map(_is_of_locks, added(before, after)))


def added(before: Policy, after: Policy) -> tuple[Statement, ...]:
    """The statements that are new."""
    had = [*map(_meant, before.statements)]
    return tuple(one for one in after.statements if _meant(one) not in had)


def _is_of_locks(one: Statement) -> bool:
    words = one.resources.words if one.resources and not one.resources.negated else ()
    return one.effect == "Allow" and bool(words) and all(str(word).endswith(SUFFIX) for word in words)


def _meant(one: Statement) -> Statement:
    return replace(one, where="", span=NOWHERE)
