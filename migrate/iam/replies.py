"""One request in many worlds: decided anew only where a doubt that it hangs on has another answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct, field

from migrate.iam.doubt import Doubt
from migrate.iam.judge import Decision, Hearing
from migrate.iam.statements import Assumed

Answers: TypeAlias = Mapping[Doubt, bool | None]


class Reply(Struct, frozen=True):
    """What a judge says to one request, in every world that it is asked in.

    Whoever decides asks for answers to doubts, one after another: where those are the same, so is the rest.
    """

    hearing: Hearing
    found: list[tuple[Answers, Decision]] = field(default_factory=list)

    def decide(self, assumed: Assumed) -> Decision:
        """The answer in one world."""
        for answers, decision in self.found:
            if all(assumed(doubt) is answer for doubt, answer in answers.items()):
                return decision
        asked: dict[Doubt, bool | None] = {}
        decision = self.hearing.decide(lambda doubt: asked.setdefault(doubt, assumed(doubt)))
        self.found.append((asked, decision))
        return decision
