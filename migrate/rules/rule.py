"""What a rule is: a plain module that looks at a world and answers with verdicts.

The module's name with dashes is the rule's id, everywhere: in reports, waivers, `tfrelock explain` and its
test. A gate is a rule that a step names. A rule knows no other rule, no disk, no clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from migrate.model import Estate, Fix, Severity, Transition, Verdict, World


class Facts(Protocol):
    """What every rule says of itself. `BLOCKS` names the phases that must wait while it is broken."""

    @property
    def NAME(self) -> str: ...
    @property
    def SEVERITY(self) -> Severity: ...
    @property
    def FIX(self) -> Fix: ...
    @property
    def BLOCKS(self) -> tuple[str, ...]: ...
    @property
    def WHY(self) -> str: ...
    @property
    def REMEDY(self) -> str: ...


class Rule(Facts, Protocol):
    """A rule about one stack."""

    def check(self, world: World, /) -> Iterable[Verdict]: ...


class TransitionRule(Facts, Protocol):
    """A rule about what one change does to one state."""

    def check_transition(self, transition: Transition, /) -> Iterable[Verdict]: ...


class EstateRule(Facts, Protocol):
    """A rule about what stands in no stack: mentions, problems, idle blocks."""

    def check_estate(self, estate: Estate, /) -> Iterable[Verdict]: ...
