"""What is said of a verdict on a lock, in every format: what decided, what is not known, what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from migrate.iam.address import Workspace, Workspaces
from migrate.iam.doubt import Doubt
from migrate.iam.holder import Row
from migrate.iam.judge import Answer, Decision
from migrate.iam.layers import Kind
from migrate.iam.locks import GOOD, Class, Finding
from migrate.iam.policy import Statement

_MEANS: Final = {
    Class.STUCK_LOCK: "the lock would be created and never released",
    Class.CANNOT_LOCK: "its next plan would be refused",
    Class.PARTIAL_WORKSPACES: "some workspaces would not be locked or released",
}

ASK: Final = "tfrelock iam check --self, run as that role"
_SETTLE: Final = {
    Kind.SESSION: "see what the session leaves of the lock, then state callers-may-lock in facts",
    Kind.KEY: "tfrelock iam check --live, as one who may read the key's policy and grants",
}
"""What settles a doubt that no question to S3 does, by the layer that is not all here."""


def means(row: Row) -> str:
    """What follows from the class, in one clause; empty where nothing does."""
    return _MEANS.get(row.verdict.outcome, "")


def remedy(row: Row) -> str:
    """What to do about it; empty where all is well."""
    if row.verdict.outcome in GOOD:
        return "" if row.is_known else ASK
    if row.verdict.outcome is Class.UNKNOWN:
        about = {one.name for one in row.verdict.doubts}
        return next((settle for layer, settle in _SETTLE.items() if layer.value in about), ASK)
    if any(one.decision.statement and one.decision.answer is Answer.DENIED for one in row.verdict.findings):
        return "except the lock from that Deny: a further Allow cannot help"
    return "tfrelock edit --phase iam" if row.holder.by == "source" else "tfrelock iam diff"


def told(row: Row) -> tuple[Finding, ...]:
    """The answers about one lock that tell the most: those of the first workspace that is not well.

    Where the verdict is not known, those about what is not.
    """
    asked, unknown = row.verdict.asked, row.verdict.outcome is Class.UNKNOWN
    open_ = [one for one in asked if one.decision.answer is not Answer.ALLOWED]
    doubtful = [one for one in open_ if unknown and one.decision.answer is Answer.UNKNOWN]
    wrong = next(iter((*doubtful, *open_)), None)
    about = (wrong or asked[0]).need.request.resource if asked else None
    return tuple(one for one in asked if one.need.request.resource == about)


def reason(decision: Decision) -> str:
    """What decided, and where it stands."""
    match decision.answer:
        case Answer.ALLOWED:
            return f"allowed by {_statement(decision.statement)}" if decision.statement else "allowed"
        case Answer.DENIED if decision.statement:
            return f"denied by {_statement(decision.statement)}"
        case Answer.DENIED:
            return f"nothing in the {decision.layer} allows it"
        case Answer.PARTLY:
            return "allowed for some of them only"
        case Answer.UNKNOWN:
            return "not known: " + "; ".join(dict.fromkeys(map(doubt, decision.doubts)))


def _statement(one: Statement) -> str:
    return str(one) if one.sid else f"a statement {one}"


def doubt(one: Doubt) -> str:
    """What is not known, by its name, and what it stands in."""
    told = {
        "layer": f"the whole of the {one.name} ({one.element})",
        "account": one.name,
        "principal": f"whether {one.name} means the caller",
        "operator": f"the operator {one.name}",
        "policy": f"it hangs on {one.name}",
        "tangle": "its patterns are too tangled to compare",
    }
    inside = f" in {one.element}" if one.element else ""
    return told.get(one.kind, f"{one.name}{inside}")


def open_names(row: Row) -> str:
    """The names of what is not known about a lock."""
    names = dict.fromkeys(doubt.name for one in row.verdict.asked for doubt in one.decision.doubts)
    return " and ".join(names)


def workspace(one: Workspace) -> str:
    """A workspace as a text: its name, or the word for all of them."""
    return one.value if isinstance(one, Workspaces) else one


def elsewhere(row: Row) -> Iterator[str]:
    """What is to be said of named workspaces that may not be used, where it is not what is said already."""
    found = row.elsewhere.workspaces.get(Workspaces.EVERY) if row.elsewhere else None
    if found and found not in (*GOOD, Class.NOT_A_LOCKER, row.verdict.outcome):
        yield f"named workspaces, if any is used: {found.value}"
