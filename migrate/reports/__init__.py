"""How a report is written. To add a format: its module, its name in a list, its test; the command line reads
the lists.

A format is a plain module with a NAME and a `render(report) -> str`; one for people at a terminal takes the
columns of that, too. It does no I/O, and its output is the same every time. Of many formats a run writes one:
only that is imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from migrate.model import Directory
    from migrate.report import Audit, CampaignReport, Edited, Plan
    from migrate.weighed import Asked, Checked, Cured

R = TypeVar("R")
R_contra = TypeVar("R_contra", contravariant=True)


class Format(Protocol[R_contra]):
    """One way to write one kind of report."""

    @property
    def NAME(self) -> str: ...
    def render(self, report: R_contra, /) -> str: ...


class Fitting(Protocol[R_contra]):
    """A format that fits what it writes to a terminal; to a file or a pipe where `columns` is None."""

    @property
    def NAME(self) -> str: ...
    def render(self, report: R_contra, /, columns: int | None = None) -> str: ...


class Late(Struct, Generic[R], frozen=True):
    """A format that is imported when it is used. A test holds all three against the module itself."""

    NAME: str
    module: str
    fits: bool = False

    def render(self, report: R, /, columns: int | None = None) -> str:
        render = import_module(f"{__name__}.{self.module}").render
        text: str = render(report, columns) if self.fits else render(report)
        return text


def _by_name(formats: Sequence[Late[R]]) -> Mapping[str, Fitting[R]]:
    return {format_.NAME: format_ for format_ in formats}


_AUDIT: Final[Sequence[Late[Audit]]] = [
    Late("table", "audit_table", fits=True),
    Late("json", "audit_json"),
    Late("csv", "csv"),
    Late("markdown", "markdown"),
    Late("sarif", "sarif"),
    Late("html", "audit_html"),
    Late("github", "github_lines"),
]
_PLAN: Final[Sequence[Late[Plan]]] = [
    Late("table", "plan_table", fits=True),
    Late("json", "plan_json"),
    Late("html", "plan_html"),
]
_EDIT: Final[Sequence[Late[Edited]]] = [Late("diff", "diff"), Late("json", "edit_json")]
_FACTS: Final[Sequence[Late[Asked]]] = [Late("table", "facts_table", fits=True), Late("json", "facts_json")]
_IAM: Final[Sequence[Late[Checked]]] = [Late("table", "iam_table", fits=True), Late("json", "iam_json")]
_CURE: Final[Sequence[Late[Cured]]] = [Late("table", "cure_table"), Late("json", "cure_json")]
_CAMPAIGN: Final[Sequence[Late[CampaignReport]]] = [
    Late("table", "campaign_table", fits=True),
    Late("json", "campaign_json"),
]

_REINIT: Final[Sequence[Late[Sequence[Directory]]]] = [
    Late("table", "reinit_table", fits=True),
    Late("json", "reinit_json"),
]

AUDIT: Final = _by_name(_AUDIT)
PLAN: Final = _by_name(_PLAN)
EDIT: Final = _by_name(_EDIT)
FACTS: Final = _by_name(_FACTS)
IAM: Final = _by_name(_IAM)
CURE: Final = _by_name(_CURE)
CAMPAIGN: Final = _by_name(_CAMPAIGN)
REINIT: Final = _by_name(_REINIT)
