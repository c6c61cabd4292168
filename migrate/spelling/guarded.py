"""What a template engine does to the policies of a text: leaves statements out, brings others.

A statement that it may leave out hangs on that; what it brings, and what it makes of a part of a statement,
nobody knows.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from migrate.iam.policy import Flaw, Policy, Statement
from migrate.templating import Template
from migrate.text import Span

Where = Callable[[Span], str]

_MARKED: Final = re.compile(r"\{[{%]|<%")
_WRITTEN: Final = re.compile(r"\S")
_ARMS: Final = ("opens", "parts", "closes")
_MOST: Final = 1000
_MANY: Final = f"one of more than {_MOST:,} choices of a template"


class Guards:
    """The marks of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._template = Template(text) if _MARKED.search(text) else None
        marks = self._template.marks if self._template else ()
        self._marks = {mark.span.start: mark.span.of(text) for mark in marks}
        self._arms = [mark.span.start for mark in marks if mark.kind in _ARMS]
        inserts = self._template.inserts if self._template else ()
        self._inserts = sorted(one.start for one in inserts if one.of(text)[:2] != "${")

    def around(self, at: int, within: int) -> str:
        """What decides whether a place is written, where another is; empty: nothing does."""
        if len(self._arms) > _MOST:
            return f"{_MANY}, around {at}"
        arms = self._template.arms(at, within) if self._template else ()
        told = (self._marks[one.opened] + " … else" * one.number for one in reversed(arms))
        return ", and ".join(told)

    def of(self, policy: Policy, within: int, where: Where) -> Policy:
        """The policy as it may be written in a resource that begins at `within`."""
        if self._template is None:
            return policy
        start = policy.span.start
        return replace(
            policy,
            statements=tuple(self._statement(one, start) for one in policy.statements),
            flaws=(*policy.flaws, *self._partly(policy), *self._brought(policy, where)),
            hangs_on=self.around(start, within),
        )

    def _statement(self, one: Statement, policy: int) -> Statement:
        inside = self._inside(one.span)
        return replace(one, hangs_on=inside or self.around(one.span.start, policy))

    def _inside(self, span: Span) -> str:
        at = next(iter(_between(self._arms, span.start, span.end)), None)
        return "" if at is None else self._marks[at]

    def _partly(self, policy: Policy) -> Iterator[Flaw]:
        for one in policy.statements:
            inside = self._inside(one.span)
            if inside:
                yield Flaw(f"{inside} decides what of it is written", one.where, one.effect == "Deny")

    def _brought(self, policy: Policy, where: Where) -> Iterator[Flaw]:
        """What may bring statements: among those that are written, or right behind them."""
        behind = _WRITTEN.search(self._template.shown, policy.span.end) if self._template else None
        end = behind.start() if behind else len(self._text)
        for at in _between(self._inserts, policy.span.start, end):
            mark = self._marks[at]
            yield Flaw(f"what {mark} brings is not known", where(Span(at, at + len(mark))))


def _between(places: Sequence[int], start: int, end: int) -> Sequence[int]:
    """The places from `start` to `end`, of those in order."""
    return places[bisect_left(places, start) : bisect_left(places, end)]
