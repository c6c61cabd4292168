"""Each format stands in the list of its kind of report, under its own name and with its own module."""

from collections.abc import Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import TypeVar

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
from migrate.weighed import Asked, Checked, Cured

R = TypeVar("R")

audit: Sequence[Format[Audit]] = [audit_table, audit_json, csv, markdown, sarif, audit_html, github_lines]
plan: Sequence[Format[Plan]] = [plan_table, plan_json, plan_html]
edit: Sequence[Format[Edited]] = [diff, edit_json]
facts: Sequence[Format[Asked]] = [facts_table, facts_json]
iam: Sequence[Format[Checked]] = [iam_table, iam_json]
cure: Sequence[Format[Cured]] = [cure_table, cure_json]
campaign: Sequence[Format[CampaignReport]] = [campaign_table, campaign_json]
reinit: Sequence[Format[Sequence[Directory]]] = [reinit_table, reinit_json]


Said = tuple[str, str, bool]
"""What a format says of itself: its name, its module, and whether it fits a terminal."""


def registered(formats: Mapping[str, Format[R]]) -> list[Said]:
    return [(one.NAME, getattr(one, "module", ""), getattr(one, "fits", False)) for one in formats.values()]


def own(modules: Sequence[Format[R]]) -> list[Said]:
    return [(one.NAME, _module(one), "columns" in signature(one.render).parameters) for one in modules]


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
    there = {path.stem for path in folder.glob("*.py") if "\nNAME = " in path.read_text("utf-8")}
    kinds = (audit, plan, edit, facts, iam, cure, campaign, reinit)
    listed = [module for formats in kinds for _, module, _ in own(formats)]
    assert sorted(listed) == sorted(there)
