"""`tfrelock.audit/1`: the audit for programs. What has landed here changes only with a new number.

`states` lists those that are only read here, too: as many as the `states` and `only_read` of its summary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from migrate import __version__
from migrate.estate.changes import lock_of, lock_word
from migrate.estate.effective import names_table
from migrate.estate.layered import excludes
from migrate.estate.tables import locked_in
from migrate.model import Backend, Carrier, Definition, Mention, Refusal, Site, Stack, StateId, Unknown
from migrate.report import Audit, Finding
from migrate.reports import spelling
from migrate.reports.spelling import Json, dumps


def render(report: Audit, /) -> str:
    leads = _leads(report)
    shown = {site.id for site in report.sites}
    return dumps(
        {
            "schema": "tfrelock.audit/1",
            "tool": {"name": "tfrelock", "version": __version__},
            "repositories": [
                {"id": one.id, "branch": one.branch, "commit": one.commit, "dirty": one.dirty}
                for one in report.checkouts
            ],
            "summary": dict(spelling.counts(report)),
            "states": [_state(stack, report) for stack in report.estate.stacks if _ids(stack) & shown],
            "sites": [_site(site, leads, report) for site in report.sites],
            "findings": [_finding(finding) for finding in report.findings],
            "mentions": [_mention(mention) for mention in report.estate.mentions],
            "refusals": [
                spelling.refusal(held)
                for site in report.sites
                if isinstance(held := report.held.get(site.id), Refusal)
                and (names_table(site) or not site.settings)
            ],
            "tables": [_table(definition, report) for definition in report.estate.definitions],
            "unreadable": [
                {"repository": u.repo, "path": str(u.path), "line": u.line or None, "why": u.why}
                for u in report.unreadable
            ],
        }
    )


def _mention(one: Mention) -> Json:
    return {
        "repository": one.where.repo,
        "path": str(one.where.path),
        "line": one.where.line,
        "token": one.token,
        "looks_like": one.looks_like,
    }


def _ids(stack: Stack) -> set[str]:
    return {site.id for site in stack.sites}


class _Leads(Struct, frozen=True):
    """Site id → the states and the backends it leads to."""

    states: Mapping[str, list[str]]
    backends: Mapping[str, list[Backend]]


def _leads(report: Audit) -> _Leads:
    states, backends = defaultdict(list), defaultdict(list)
    for stack in report.estate.stacks:
        for site_id in sorted(_ids(stack)):
            states[site_id].append(str(stack.id))
        for backend in stack.backends:
            for site in backend.inputs:
                backends[site.id].append(backend)
    return _Leads(states, backends)


def _state(stack: Stack, report: Audit) -> Json:
    table = spelling.table(stack)
    owners = report.owners.get(str(stack.id), ())
    prefixes = {spelling.literal(site, "workspace_key_prefix") for b in stack.backends for site in b.inputs}
    return {
        "id": str(stack.id),
        "endpoint": stack.id.endpoint if isinstance(stack.id, StateId) else None,
        "lock": lock_of(stack),
        "excludes": excludes(stack),
        "workspaces": {"used": "unknown", "prefix": min(filter(None, prefixes), default="env:"), "names": []},
        "table": {
            "name": spelling.value(table.name),
            "region": spelling.value(table.region),
            "account": spelling.value(table.account),
        }
        if table
        else None,
        "backends": [_backend(backend) for backend in stack.backends],
        "readers": [reader.id for reader in stack.readers],
        "owners": list(owners),
    }


def _backend(backend: Backend) -> Json:
    return {
        "root": str(backend.root),
        "repository": backend.repo,
        "inputs": [site.id for site in backend.inputs],
        "lock": spelling.lock(backend.lock),
        "engine": backend.engine,
        "required_version": spelling.required_version(backend),
        "units": backend.units,
    }


def _site(site: Site, leads: _Leads, report: Audit) -> Json:
    held = report.held.get(site.id)
    backends = leads.backends.get(site.id, [])
    return {
        "id": site.id,
        "repository": site.repo,
        "states": list(leads.states.get(site.id, ())),
        "path": str(site.path),
        "line": site.line,
        "end_line": site.end_line,
        "dialect": site.dialect,
        "role": site.role,
        "lock": _lock(site, backends),
        "bucket": spelling.literal(site, "bucket"),
        "key": spelling.literal(site, "key"),
        "region": spelling.literal(site, "region"),
        "workspace_key_prefix": spelling.literal(site, "workspace_key_prefix"),
        "table": spelling.literal(site, "dynamodb_table") or spelling.literal(site, "lock_table"),
        "unknown": dict(spelling.expressions(site)),
        "required_version": spelling.required_version(backends[0]) if backends else None,
        "editable": held is None,
        "why_not": held.why if held else None,
        "example": site.id in report.examples,
    }


def _lock(site: Site, leads: Sequence[Backend]) -> str:
    """A writer's lock is that of its backends, and of none where it is another's; any other site's is what is
    written there.
    """
    if site.role == "writer":
        return lock_word(leads)
    return spelling.own_lock(site)


def _table(definition: Definition, report: Audit) -> Json:
    """A place in code that makes a lock table: it goes last of all, and is never edited."""
    unknown = definition.table.why if isinstance(definition.table, Unknown) else None
    return {
        "id": definition.id,
        "repository": definition.repo,
        "path": str(definition.path),
        "line": definition.line,
        "end_line": definition.end_line,
        "kind": definition.plug,
        "name": definition.name,
        "table": spelling.value(definition.table),
        "unknown": unknown,
        "states": [str(stack.id) for stack in locked_in(definition, report.estate)],
        "guards": list(definition.guards),
        "remedy": definition.remedy,
        "carriers": [_carrier(carrier) for carrier in definition.carriers],
    }


def _carrier(carrier: Carrier) -> Json:
    return {
        "kind": carrier.kind,
        "name": carrier.name,
        "path": str(carrier.place.path),
        "line": carrier.place.line,
        "followed": carrier.followed,
    }


def _finding(finding: Finding) -> Json:
    where = finding.where
    return {
        "id": finding.id,
        "repository": where.repo if where else None,
        "state": finding.state,
        "rule": finding.rule,
        "severity": finding.severity,
        "outcome": finding.outcome.value,
        "by": finding.by,
        "blocks": list(finding.blocks),
        "path": str(where.path) if where else None,
        "line": where.line if where else None,
        "message": finding.message,
        "remedy": finding.remedy,
        "fix": finding.fix,
    }
