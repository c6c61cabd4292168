"""How a report is written. To add a format: its module, its name in a list, its test; the command line reads
the lists.

A format is a plain module with a NAME and a `render(report) -> str`. It does no I/O, and its output is the
same every time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, TypeVar

from migrate.report import Asked, Audit, Checked, Cured, Edited, Plan
from migrate.reports import (
    audit_html,
    audit_json,
    audit_table,
    csv,
    cure_json,
    cure_table,
    diff,
    edit_json,
    facts_json,
    facts_table,
    iam_json,
    iam_table,
    markdown,
    plan_html,
    plan_json,
    plan_table,
    sarif,
)

R_contra = TypeVar("R_contra", contravariant=True)


class Format(Protocol[R_contra]):
    """One way to write one kind of report."""

    @property
    def NAME(self) -> str: ...
    def render(self, report: R_contra, /) -> str: ...


def _by_name(formats: Sequence[Format[R_contra]]) -> Mapping[str, Format[R_contra]]:
    return {format_.NAME: format_ for format_ in formats}


_AUDIT: Final[Sequence[Format[Audit]]] = [audit_table, audit_json, csv, markdown, sarif, audit_html]
_PLAN: Final[Sequence[Format[Plan]]] = [plan_table, plan_json, plan_html]
_EDIT: Final[Sequence[Format[Edited]]] = [diff, edit_json]
_FACTS: Final[Sequence[Format[Asked]]] = [facts_table, facts_json]
_IAM: Final[Sequence[Format[Checked]]] = [iam_table, iam_json]
_CURE: Final[Sequence[Format[Cured]]] = [cure_table, cure_json]

AUDIT: Final = _by_name(_AUDIT)
PLAN: Final = _by_name(_PLAN)
EDIT: Final = _by_name(_EDIT)
FACTS: Final = _by_name(_FACTS)
IAM: Final = _by_name(_IAM)
CURE: Final = _by_name(_CURE)
