"""The unified diff of an edit, as `git apply` takes it: what `edit` prints."""

from __future__ import annotations

from migrate.patch import diff
from migrate.report import Edited

NAME = "diff"


def render(report: Edited, /) -> str:
    return "".join(diff(file.before, file.after, str(file.path)) for file in report.files)
