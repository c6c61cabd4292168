"""The verdicts on locks for a terminal: the worst first, each with what decided it, states alike together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from migrate.iam.holder import Row
from migrate.iam.locks import GOOD, Class
from migrate.model import StateId
from migrate.reports import verdict_words
from migrate.reports.layout import Line, Prose
from migrate.reports.spelling import counted, printable
from migrate.weighed import Checked

_ORDER: Final = (
    *(Class.STUCK_LOCK, Class.CANNOT_LOCK, Class.PARTIAL_WORKSPACES, Class.UNKNOWN),
    *(Class.OK_AS_STATE, Class.OK),
)
_SHOWN: Final = 3
_INDENT: Final = 20
_UNTOLD: Final = "no policy that was read lets anybody write it: who takes its lock is not known"
_FIND: Final = f"add what makes its roles, or ask the account: --live or --gaad; or {verdict_words.ASK}"


def lines(report: Checked, /) -> Iterator[Line]:
    alike: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in sorted(report.rows, key=lambda row: _ORDER.index(row.verdict.outcome)):
        alike[row.verdict.outcome.value, str(row.holder), *_reasons(row)].append(row)
    for (outcome, holder, *reasons), rows in alike.items():
        name = outcome if rows[0].verdict.outcome in GOOD else outcome.upper()
        yield f"{name:18}  {printable(holder)}"
        yield from _states([row.state for row in rows])
        yield from _prose(reasons)
    if report.untold:
        yield f"{Class.UNKNOWN.value.upper():18}  nobody who is known"
        yield from _states(report.untold)
        yield from _prose([_UNTOLD, f"→ {_FIND}"])
    yield _summary(report)
    if report.aside:
        names = ", ".join(printable(one) for one in report.aside[:_SHOWN])
        more = f" and {len(report.aside) - _SHOWN} more" if len(report.aside) > _SHOWN else ""
        yield Prose("", f"Not told, for nothing that is known of them speaks of a state: {names}{more}.", 2)
    yield from (Prose("", printable(note), 2) for note in report.notes)


def _states(states: Sequence[StateId]) -> Iterator[str]:
    yield from (f"{'':{_INDENT}}{printable(state)}" for state in states[:_SHOWN])
    if len(states) > _SHOWN:
        yield f"{'':{_INDENT}}and {counted(len(states) - _SHOWN, 'more state')}: --format json has them"


def _prose(lines: Iterable[str]) -> Iterator[Prose]:
    return (Prose(" " * _INDENT, printable(line), _INDENT + 2) for line in lines)


def _reasons(row: Row) -> Iterator[str]:
    """What decided, action by action; of a lock that is well only the statement."""
    if row.verdict.outcome is Class.OK_AS_STATE:
        yield f"whenever the state may be written, whatever comes of {verdict_words.open_names(row)}"
    elif row.verdict.outcome is Class.OK:
        words = dict.fromkeys(verdict_words.reason(one.decision) for one in verdict_words.told(row))
        yield "; ".join(words)
    else:
        alike: dict[str, list[str]] = defaultdict(list)
        for one in verdict_words.told(row):
            alike[verdict_words.reason(one.decision)].append(one.need.request.action)
        yield from (f"{', '.join(actions)}: {reason}" for reason, actions in alike.items())
    yield from (f"only if {symbol} means the state's bucket" for symbol in row.assumed)
    yield from (
        f"only if nothing that cannot be seen of the {layer} denies it" for layer in row.verdict.unseen
    )
    if row.holder.kind == "policy":
        yield "only if nothing else denies it to whoever holds it"
    yield from verdict_words.elsewhere(row)
    if verdict_words.remedy(row):
        means = verdict_words.means(row)
        yield f"→ {means + '; ' if means else ''}{verdict_words.remedy(row)}"


def _summary(report: Checked) -> str:
    classes = Counter(row.verdict.outcome for row in report.rows)
    parts = [f"{classes[one]} {one.value}" for one in _ORDER if classes[one]]
    holders = counted(len(report.others), "holder of policies", "holders of policies")
    asked = f"{holders}, {counted(report.states, 'state')}"
    parts += [f"{len(report.untold)} that nobody who is known locks"] if report.untold else []
    return f"{asked}: {', '.join(parts) or 'nothing was weighed'}"
