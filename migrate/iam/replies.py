"""One request in many worlds: decided anew only where a doubt that it hangs on has another answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct, field

from migrate.iam.doubt import Doubt
from migrate.iam.judge import Decision, Judge
from migrate.iam.request import Request
from migrate.iam.statements import Assumed

Answers: TypeAlias = Mapping[Doubt, bool | None]


class Reply(Struct, frozen=True):
    """What a judge says to a request, in every world that it is asked in.

    Whoever decides asks for answers to doubts, one after another: where those are the same, so is the rest.
    """

    judge: Judge
    request: Request
    found: list[tuple[Answers, Decision]] = field(default_factory=list)

    def decide(self, assumed: Assumed) -> Decision:
        """As `Judge.decide`."""
        for answers, decision in self.found:
            if all(assumed(doubt) is answer for doubt, answer in answers.items()):
                return decision
        asked: dict[Doubt, bool | None] = {}
        decision = self.judge.decide(self.request, lambda doubt: asked.setdefault(doubt, assumed(doubt)))
        self.found.append((asked, decision))
        return decision
