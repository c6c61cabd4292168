"""What commands say on stderr of gates, refusals and edits by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import click

from migrate.files import printable
from migrate.model import Refusal, Suggestion, Verdict


def say_gates(verdicts: Iterable[Verdict]) -> None:
    """One line for each thing a gate says, with the states it says it of."""
    states: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for verdict in verdicts:
        said = (verdict.rule, verdict.outcome.value, verdict.because, verdict.settle)
        states[said].append(printable(verdict.subject))
    for (rule, outcome, because, settle), subjects in states.items():
        of = subjects[0] if len(set(subjects)) == 1 else f"{len(set(subjects))} states"
        remedy = f" → {printable(settle)}" if settle else ""
        click.echo(f"gate {rule} {outcome} ({of}): {printable(because)}{remedy}", err=True)


def say_answers(refusals: Iterable[Refusal], suggestions: Iterable[Suggestion]) -> None:
    for refusal in refusals:
        click.echo(f"refused {_where(refusal)}: {printable(refusal.why)} → {refusal.remedy}", err=True)
    for suggestion in suggestions:
        click.echo(f"by hand {_where(suggestion)}: {printable(suggestion.why)}\n{suggestion.text}", err=True)


def _where(answer: Refusal | Suggestion) -> str:
    return f"{printable(answer.where.repo)} {printable(str(answer.where))}"
