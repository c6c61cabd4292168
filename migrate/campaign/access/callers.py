"""What source says of the callers of each state, as facts of the estate: the gate of the dual lock asks."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from msgspec.structs import replace

from migrate.campaign.access.questions import questions
from migrate.campaign.access.roles import from_source
from migrate.campaign.access.verdicts import check
from migrate.campaign.reading.inventory import Inventory
from migrate.campaign.reading.narrowing import Narrowing
from migrate.iam.holder import Row
from migrate.iam.judge import Answer
from migrate.iam.locks import Class
from migrate.model import Estate, RepoId, Shown

_WORDS = {
    Class.OK: "may lock",
    Class.OK_AS_STATE: "may lock whenever it may write the state",
    Class.STUCK_LOCK: "stuck lock",
    Class.CANNOT_LOCK: "cannot lock",
    Class.PARTIAL_WORKSPACES: "cannot lock or release in every workspace",
    Class.UNKNOWN: "not known",
}


def with_callers(estate: Estate, inventories: Sequence[Inventory]) -> Estate:
    """The estate with what the given policies say of its locks; examples are nobody's roles."""
    known = from_source(inventories, Narrowing(examples=False))
    found = check(known.holders, questions(estate, Narrowing()), known.around) if known.holders else None
    return replace(estate, shown=tuple(_shown(found.rows))) if found else estate


def concerned(estate: Estate, repo: RepoId, states: Container[str], *, granting: bool) -> tuple[Shown, ...]:
    """What a proposal tells of roles: those of its states; where it grants, every role made there."""
    return tuple(one for one in estate.shown if one.state in states or (granting and one.where.repo == repo))


def _shown(rows: Sequence[Row]) -> Iterator[Shown]:
    for row in rows:
        outcome, where = row.verdict.outcome, row.holder.where
        able = outcome in (Class.OK, Class.OK_AS_STATE)
        open_ = outcome is Class.UNKNOWN or bool(row.assumed) or row.holder.kind == "policy"
        told = None if open_ else able
        if where:
            yield Shown(str(row.state), str(row.holder), told, _because(row), where)


def _because(row: Row) -> str:
    """The class, and what of it is in the way."""
    wrong = [one for one in row.verdict.findings if one.decision.answer is not Answer.ALLOWED]
    actions = ", ".join(dict.fromkeys(one.need.request.action for one in wrong))
    words = _WORDS[row.verdict.outcome]
    taken = f", if {row.assumed[0]} is the state's bucket" if row.assumed else ""
    return f"{words}: {actions}{taken}" if actions else f"{words}{taken}"
