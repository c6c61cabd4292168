"""What Terragrunt's releases do to the migration, on top of the engine they run.

Read, but for what 0.99.0 does with `use_lockfile` as a text and with a missing table: that was tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from migrate.versions.engines.fact import EngineFact
from migrate.versions.release import Release

FACTS: Final[Sequence[EngineFact]] = [
    EngineFact(
        name="lockfile-missing",
        tool="terragrunt",
        until=Release(0, 82, 4),
        bearing="lacks",
        what="does not know use_lockfile in remote_state",
        consequence="it was never tried with the argument",
        sources=("gruntwork-io/terragrunt#4485",),
    ),
    EngineFact(
        name="lockfile-bool-as-text",
        tool="terragrunt",
        since=Release(0, 99, 0),
        until=Release(1, 0, 0),
        bearing="avoid",
        what="refuses use_lockfile where a ternary or merge turns it into text",
        consequence="init fails before the engine runs",
        sources=(
            "gruntwork-io/terragrunt#5475",
            "gruntwork-io/terragrunt#5646",
            "gruntwork-io/terragrunt#5665",
        ),
    ),
    EngineFact(
        name="table-made-unasked",
        tool="terragrunt",
        until=Release(0, 87, 0),
        bearing="know",
        what="makes the table that remote_state names where it is missing, on any run",
        consequence="a table that was deleted comes back as long as one file names it",
        sources=("gruntwork-io/terragrunt#4070", "gruntwork-io/terragrunt#4703"),
    ),
    EngineFact(
        name="output-warning-fatal",
        tool="terragrunt",
        until=Release(1, 0, 4),
        bearing="know",
        what="fails on warnings around the JSON of output",
        consequence="dependencies break with Terraform 1.15.0 and 1.15.1 while the table is named",
        sources=("gruntwork-io/terragrunt#6001", "gruntwork-io/terragrunt#6029"),
    ),
]
