"""SARIF 2.1.0: the audit's findings for code scanning, one run for each repository.

A finding keeps its fingerprint while lines move; a repository keeps its run's id, which hosts take as the
category of an upload. Text of a repository becomes plain text: in a message of SARIF, brackets make links.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import quote

from migrate import __version__
from migrate.report import Audit, Checkout, Finding, Unreadable
from migrate.reports import rule_text, spelling
from migrate.reports.spelling import Json
from migrate.rules import ALL

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT: Final = "%SRCROOT%"
_LINKING: Final = str.maketrans({"\\": "\\\\", "[": "\\[", "]": "\\]"})


def render(report: Audit, /) -> str:
    runs: list[Json] = [_run(checkout, report) for checkout in report.checkouts]
    document: Json = {"$schema": _SCHEMA, "version": "2.1.0", "runs": runs}
    return json.dumps(document, indent=1) + "\n"


def _run(checkout: Checkout, report: Audit) -> Json:
    findings = [finding for finding in report.findings if _repository(finding, report) == checkout.id]
    unread = [item for item in report.unreadable if item.repo == checkout.id]
    rules = sorted({finding.rule for finding in findings})
    run: dict[str, Json] = {
        "tool": {
            "driver": {
                "name": "tfrelock",
                "semanticVersion": __version__,
                "rules": [_rule(name) for name in rules],
            }
        },
        "automationDetails": {"id": f"tfrelock/{checkout.id}/"},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not unread,
                "toolExecutionNotifications": [_notification(item) for item in unread],
            }
        ],
        "results": list(_results(findings, rules)),
    }
    if checkout.commit and "/" in checkout.id:
        run["versionControlProvenance"] = [_provenance(checkout)]
    return run


def _repository(finding: Finding, report: Audit) -> str:
    """A finding that has no place, of which there is none today, goes with the first repository."""
    return finding.where.repo if finding.where else report.checkouts[0].id


def _provenance(checkout: Checkout) -> Json:
    known: dict[str, Json] = {
        "repositoryUri": f"https://{quote(checkout.id)}",
        "revisionId": checkout.commit,
        "mappedTo": {"uriBaseId": _ROOT},
    }
    return {**known, "branch": spelling.printable(checkout.branch)} if checkout.branch else known


def _rule(name: str) -> Json:
    about = ALL[name]
    first, _, _ = about.WHY.partition(". ")
    return {
        "id": name,
        "shortDescription": {"text": f"{first.rstrip('.')}."},
        "fullDescription": {"text": about.WHY},
        "help": {"text": rule_text.render(name), "markdown": f"{about.WHY}\n\n**Remedy.** {about.REMEDY}"},
        "defaultConfiguration": {"level": about.SEVERITY},
        "properties": {"tags": ["terraform", "state-lock"], "problem.severity": _PROBLEM[about.SEVERITY]},
    }


_PROBLEM: Final = {"error": "error", "warning": "warning", "note": "recommendation"}
"""What GitHub calls them."""


def _results(findings: Iterable[Finding], rules: Sequence[str]) -> Iterator[Json]:
    """The same thing twice in one file is told apart by counting, as GitHub's own fingerprints are."""
    counted: Counter[str] = Counter()
    for finding in findings:
        counted[finding.id] += 1
        yield {
            "ruleId": finding.rule,
            "ruleIndex": rules.index(finding.rule),
            "level": finding.severity,
            "message": {"text": _message(finding)},
            "locations": [_location(finding)] if finding.where else [],
            "fingerprints": {"tfrelock/v1": f"{finding.id}:{counted[finding.id]}"},
            "partialFingerprints": {"primaryLocationLineHash": f"{finding.id}:{counted[finding.id]}"},
            "properties": {
                "state": spelling.printable(finding.state or ""),
                "outcome": finding.outcome.value,
                "by": finding.by,
                "blocks": list(finding.blocks),
            },
        }


def _message(finding: Finding) -> str:
    said = finding.message.rstrip(".")
    about = f" ({finding.state})" if finding.state else ""
    return _plain(f"{said[:1].upper()}{said[1:]}{about}. {finding.remedy}")


def _plain(text: str) -> str:
    return spelling.printable(text).translate(_LINKING)


def _location(finding: Finding) -> Json:
    assert finding.where is not None  # noqa: S101  the caller looked
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(str(finding.where.path)),
            "region": {"startLine": max(1, finding.where.line)},
        }
    }


def _artifact(path: str) -> Json:
    """Bytes of a name that are no UTF-8 are percent signs in a URI."""
    return {"uri": quote(path.encode("utf-8", "surrogateescape")), "uriBaseId": _ROOT}


def _notification(item: Unreadable) -> Json:
    where: dict[str, Json] = {"artifactLocation": _artifact(str(item.path))}
    if item.line:
        where["region"] = {"startLine": item.line}
    return {
        "level": "error",
        "message": {"text": _plain(item.why)},
        "locations": [{"physicalLocation": where}],
    }
