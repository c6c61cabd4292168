"""One gate held against a world: what it comes to, what people state of it, and what was seen."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from migrate.model import By, Outcome, Seen, Stated, World
from migrate.steps import STEPS, judge

WORST = [Outcome.BROKEN, Outcome.UNKNOWN, Outcome.HOLDS]


def outcome(gate: str, given: World) -> tuple[Outcome, By]:
    """The worst thing that one gate says."""
    step = next(step for step in STEPS if any(named.name == gate for named in step.gates))
    gates = tuple(named for named in step.gates if named.name == gate)
    alone = replace(step, gates=gates)
    worst = min(judge(alone, given), key=lambda verdict: WORST.index(verdict.outcome))
    return worst.outcome, worst.by


def said(that: str, of: Mapping[str, str], until: str = "2027-02-28") -> Stated:
    return Stated(that, of, "platform@acme.example", "canary run 8841", until)


def seen(that: str, holds: bool | None) -> Seen:
    return Seen(that, "s3://acme-state/net.tfstate", holds, "role/ci", "2027-01-15T09:00:00Z", "asked")
