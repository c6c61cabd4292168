"""What commands say on stderr of gates, refusals and edits by hand."""

from __future__ import annotations

import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Sequence

from migrate.cli.voice import columns, hint, wrong
from migrate.files import printable
from migrate.model import Refusal, Suggestion, Verdict
from migrate.reports.spelling import counted, how_to_state
from migrate.steps import Standing, standing


def say_gates(verdicts: Iterable[Verdict]) -> None:
    """One line for each thing that would settle a gate: what it says first, and of how many states."""
    groups: dict[tuple[str, str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        stands = f"{standing([verdict]).value}{', stated' if verdict.by == 'stated' else ''}"
        groups[verdict.rule, stands, verdict.settle].append(verdict)
    for (rule, stands, settle), group in groups.items():
        remedy = f" → {printable(settle)}" if settle else ""
        say = hint if standing(group) is Standing.OPEN else wrong
        say(_wide(f"gate {rule} {stands} ({_subjects(group)}): {_because(group)}{remedy}"))
    if to_state := next((rule for rule, _, settle in groups if "facts: " in settle), None):
        hint(_wide(f"facts: {how_to_state(to_state)}"))


def _subjects(group: Sequence[Verdict]) -> str:
    subjects = {verdict.subject for verdict in group}
    return printable(*subjects) if len(subjects) == 1 else f"{len(subjects)} states"


def _because(group: Sequence[Verdict]) -> str:
    reasons = list(dict.fromkeys(verdict.placed for verdict in group))
    more = f", and {counted(len(reasons) - 1, 'reason')} more: tfrelock plan" if len(reasons) > 1 else ""
    return f"{printable(reasons[0])}{more}"


def say_answers(refusals: Iterable[Refusal], suggestions: Iterable[Suggestion]) -> None:
    """A line for each refused edit, with its remedy, and for each to be made by hand, with its text."""
    for refusal in refusals:
        wrong(_wide(f"refused {_where(refusal)}: {printable(refusal.why)} → {refusal.remedy}"))
    for suggestion in suggestions:
        wrong(_wide(f"by hand {_where(suggestion)}: {printable(suggestion.why)}"))
        wrong(suggestion.text)  # to be pasted: it is never broken


def _where(answer: Refusal | Suggestion) -> str:
    return f"{printable(answer.where.repo)} {printable(str(answer.where))}"


def _wide(line: str) -> str:
    """For people at a terminal as wide as that is; for a log as one line, which can be searched."""
    return fitted(line, columns(sys.stderr))


def fitted(text: str, columns: int | None) -> str:
    """Each line on as many of `columns` as it takes, all but the first indented; None: as it is."""
    if columns is None:
        return text
    return "\n".join(
        textwrap.fill(line, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        for line in text.splitlines()
    )
