"""One row for each backend and reader: the inventory for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from migrate.model import Backend, Site, Stack
from migrate.report import Audit
from migrate.reports import spelling

_HEAD = ("state", "role", "lock", "table", "repository", "path", "line", "engine", "required_version")


def render(report: Audit, /) -> str:
    """RFC 4180, with a quote before what a spreadsheet would take for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEAD)
    for stack in report.estate.stacks:
        writer.writerows([_safe(cell) for cell in row] for row in _rows(stack))
    return out.getvalue()


def _safe(cell: str) -> str:
    text = spelling.printable(cell)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _rows(stack: Stack) -> Iterator[tuple[str, ...]]:
    for backend in stack.backends:
        yield _writer(stack, backend)
    for reader in stack.readers:
        yield _reader(stack, reader)


def _writer(stack: Stack, backend: Backend) -> tuple[str, ...]:
    table = spelling.value(backend.table.name) if backend.table else None
    place = backend.place
    return (
        str(stack.id),
        "writer",
        spelling.lock(backend.lock),
        table or "",
        backend.repo,
        str(place.path),
        str(place.line),
        backend.engine,
        spelling.required_version(backend) or "",
    )


def _reader(stack: Stack, site: Site) -> tuple[str, ...]:
    table = spelling.literal(site, "dynamodb_table") or ""
    return (
        str(stack.id),
        "reader",
        spelling.own_lock(site),
        table,
        site.repo,
        str(site.path),
        str(site.line),
        "",
        "",
    )
