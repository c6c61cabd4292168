"""The unified diff of an edit, as `git apply` takes it: what `edit` prints.

Of several repositories each has a line of its own before its files, which `git apply` reads over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from migrate.patch import diff
from migrate.report import Edited
from migrate.reports.spelling import printable


def render(report: Edited, /) -> str:
    return "".join(_parts(report))


def _parts(report: Edited) -> Iterator[str]:
    several = len({*report.repositories, *(file.repo for file in report.files)}) > 1
    for repo, files in groupby(report.files, key=lambda file: file.repo):
        if several:
            yield f"# {printable(repo)}\n"
        yield from (diff(file.before, file.after, str(file.path)) for file in files)
