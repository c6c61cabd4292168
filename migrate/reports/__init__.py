"""How a report is written. To add a format: its module, its line in a table, its test; the command line reads
the tables.

A format is a plain module with `render(report) -> str`, or one for people at a terminal with `lines(report)`,
which are laid out for that. It does no I/O, and its output is the same every time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from migrate.model import Directory
    from migrate.report import Audit, CampaignReport, Edited, Plan
    from migrate.weighed import Asked, Checked, Cured

R = TypeVar("R")


class Format(Struct, Generic[R], frozen=True):
    """One way to write one kind of report, by the name of its module: of many formats a run imports one.

    It `fits` what it writes to a terminal, where there is one.
    """

    module: str
    fits: bool = False

    def render(self, report: R, /, columns: int | None = None) -> str:
        """The report as text. `columns` is the width of the terminal; None: for a file or a pipe."""
        module = import_module(f"{__name__}.{self.module}")
        if not self.fits:
            return str(module.render(report))
        return str(import_module(f"{__name__}.layout").laid(module.lines(report), columns))


AUDIT: Final[Mapping[str, Format[Audit]]] = {
    "table": Format("audit_table", fits=True),
    "json": Format("audit_json"),
    "csv": Format("csv"),
    "markdown": Format("markdown"),
    "sarif": Format("sarif"),
    "html": Format("audit_html"),
    "github": Format("github_lines"),
}
"""By what `--format` calls them; the first is the default."""
PLAN: Final[Mapping[str, Format[Plan]]] = {
    "table": Format("plan_table", fits=True),
    "json": Format("plan_json"),
    "html": Format("plan_html"),
}
EDIT: Final[Mapping[str, Format[Edited]]] = {"diff": Format("diff"), "json": Format("edit_json")}
FACTS: Final[Mapping[str, Format[Asked]]] = {
    "table": Format("facts_table", fits=True),
    "json": Format("facts_json"),
}
IAM: Final[Mapping[str, Format[Checked]]] = {
    "table": Format("iam_table", fits=True),
    "json": Format("iam_json"),
}
CURE: Final[Mapping[str, Format[Cured]]] = {"table": Format("cure_table"), "json": Format("cure_json")}
CAMPAIGN: Final[Mapping[str, Format[CampaignReport]]] = {
    "table": Format("campaign_table", fits=True),
    "json": Format("campaign_json"),
}
REINIT: Final[Mapping[str, Format[Sequence[Directory]]]] = {
    "table": Format("reinit_table", fits=True),
    "json": Format("reinit_json"),
}
