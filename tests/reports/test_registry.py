"""Each format stands in the table of its kind of report, with its own module."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from migrate.model import Directory
from migrate.report import Audit, CampaignReport, Edited, Plan
from migrate.reports import (
    AUDIT,
    CAMPAIGN,
    CURE,
    EDIT,
    FACTS,
    IAM,
    PLAN,
    REINIT,
    Format,
    audit_html,
    audit_json,
    audit_table,
    campaign_json,
    campaign_table,
    csv,
    cure_json,
    cure_table,
    diff,
    edit_json,
    facts_json,
    facts_table,
    github_lines,
    iam_json,
    iam_table,
    markdown,
    plan_html,
    plan_json,
    plan_table,
    reinit_json,
    reinit_table,
    sarif,
)
from migrate.reports.layout import Line
from migrate.weighed import Asked, Checked, Cured

_SPEAKS = re.compile(r"(?m)^def (?:render|lines)\(report: ")
R = TypeVar("R")
R_contra = TypeVar("R_contra", contravariant=True)


class Rendering(Protocol[R_contra]):
    """What the module of a format has."""

    def render(self, report: R_contra, /) -> str: ...


class Listing(Protocol[R_contra]):
    """What that of a format has which fits a terminal."""

    def lines(self, report: R_contra, /) -> Iterator[Line]: ...


Written = Rendering[R] | Listing[R]


audit: Sequence[Written[Audit]] = [audit_table, audit_json, csv, markdown, sarif, audit_html, github_lines]
plan: Sequence[Written[Plan]] = [plan_table, plan_json, plan_html]
edit: Sequence[Written[Edited]] = [diff, edit_json]
facts: Sequence[Written[Asked]] = [facts_table, facts_json]
iam: Sequence[Written[Checked]] = [iam_table, iam_json]
cure: Sequence[Written[Cured]] = [cure_table, cure_json]
campaign: Sequence[Written[CampaignReport]] = [campaign_table, campaign_json]
reinit: Sequence[Written[Sequence[Directory]]] = [reinit_table, reinit_json]


def registered(formats: Mapping[str, Format[R]]) -> list[tuple[str, bool]]:
    """The module of each, and whether it fits a terminal."""
    return [(one.module, one.fits) for one in formats.values()]


def own(modules: Sequence[Written[R]]) -> list[tuple[str, bool]]:
    return [(_module(one), hasattr(one, "lines")) for one in modules]


def _module(one: object) -> str:
    return str(getattr(one, "__name__", "")).rpartition(".")[2]


def test_each_list_names_its_modules() -> None:
    assert registered(AUDIT) == own(audit)
    assert registered(PLAN) == own(plan)
    assert registered(EDIT) == own(edit)
    assert registered(FACTS) == own(facts)
    assert registered(IAM) == own(iam)
    assert registered(CURE) == own(cure)
    assert registered(CAMPAIGN) == own(campaign)
    assert registered(REINIT) == own(reinit)


def test_no_format_stands_in_no_list() -> None:
    folder = Path(audit_json.__file__).parent
    there = {path.stem for path in folder.glob("*.py") if _SPEAKS.search(path.read_text("utf-8"))}
    kinds = (audit, plan, edit, facts, iam, cure, campaign, reinit)
    listed = [module for formats in kinds for module, _ in own(formats)]
    assert sorted(listed) == sorted(there)
