"""One holder while what it holds comes in, statement by statement of the source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.iam.holder import Holder, HolderKind
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Policy
from migrate.iam.request import Caller
from migrate.model import Place, Unknown
from migrate.spelling.written import Written

ELSEWHERE: Final = "it is made elsewhere, with whatever else it holds"


class Who(Struct):
    """`hidden` says what is attached and not known; `bounds` the boundary, where there is one.

    `hangs_on`: what decides whether anybody of that name is made at all. `made`: whether that is done here.
    """

    kind: HolderKind
    name: str
    place: Place
    hangs_on: str = ""
    policies: list[Policy] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    bounds: list[Layer] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    attached: int = 0
    made: bool = True

    def keep(self, found: tuple[Policy, ...] | Unknown, hangs_on: str = "") -> None:
        """A policy of its own; `hangs_on` says what decides whether it is made."""
        self._hold(found, hangs_on)
        self.inline += [] if isinstance(found, Unknown) else [policy.name for policy in found]

    def attach(self, found: tuple[Policy, ...] | Unknown, hangs_on: str = "") -> None:
        """A managed policy."""
        self._hold(found, hangs_on)
        self.attached += 1

    def _hold(self, found: tuple[Policy, ...] | Unknown, hangs_on: str) -> None:
        if isinstance(found, Unknown):
            self.hidden.append(f"{found.why} is not followed")
        elif hangs_on == self.hangs_on:  # it is made whenever its holder is
            self.policies += found
        else:
            self.policies += (replace(one, hangs_on=both(one.hangs_on, hangs_on)) for one in found)

    def bound(self, found: tuple[Policy, ...] | Unknown) -> None:
        if isinstance(found, Unknown):
            self.bounds = [Layer(Kind.BOUNDARY, unseen=f"{found.why} is not followed")]
        else:
            self.bounds = [Layer(Kind.BOUNDARY, found)]

    def join(self, group: Who, hangs_on: str = "") -> None:
        """What a group holds, its members hold."""
        self._hold(tuple(group.policies), hangs_on)
        self.hidden += group.hidden if group.made else [*group.hidden, ELSEWHERE]

    def holder(self) -> Holder:
        hidden = (*self.hidden, *(() if self.made else (ELSEWHERE,)))
        layer = Layer(Kind.IDENTITY, tuple(self.policies), "; ".join(dict.fromkeys(hidden)))
        caller = Caller(f"arn:aws:iam:::{self.kind}/{self.name}")
        return Holder(
            kind=self.kind,
            name=self.name,
            caller=caller,
            layers=(layer, *self.bounds),
            by="source",
            where=self.place,
            inline=tuple(dict.fromkeys(self.inline)),
            attached=self.attached,
            made=self.made,
        )


Held: TypeAlias = tuple[Who, str]
"""Who holds something, and what it hangs on that they do; empty: nothing."""


def both(one: str, other: str) -> str:
    """What hangs on two things, in words; either may be empty."""
    return ", and ".join(filter(None, (one, other)))


def loose(written: Iterable[Written]) -> Iterator[Who]:
    """Policies of which nobody says who holds them; those with a principal are no identity's."""
    for one in written:
        statements = one.policy.statements
        if statements and not any(statement.principals for statement in statements):
            yield alone(f"{one.path}#{one.name}", one.place, (one.policy,))


def alone(name: str, place: Place, policies: tuple[Policy, ...]) -> Who:
    """A policy that stands for itself."""
    hidden = "who holds it, and what else they hold, does not stand beside it"
    return Who("policy", name, place, policies=[*policies], hidden=[hidden])
