"""A pipeline that keeps `.terraform` from run to run, and with it the backend that it knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.estate.runs import live
from migrate.model import Estate, Fix, Outcome, Severity, Verdict

NAME: Final = "cached-terraform-dir"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("dual-lock", "retire")
WHY: Final = (
    ".terraform/terraform.tfstate holds the backend that init was last told. Out of a cache it meets the new "
    "one: init fails, or, with partial configuration, goes on locking in the old place without a word."
)
REMEDY: Final = (
    "Cache TF_PLUGIN_CACHE_DIR or .terraform/providers instead of .terraform, or run init -reconfigure with "
    "all its -backend-config every time."
)


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    for run in live(estate):
        if run.command != "cache":
            continue
        path = run.arguments[0]
        sure = ".terraform" in path
        because = (
            f"{path} is kept from run to run"
            if sure
            else f"whether {path} is a .terraform folder is not said"
        )
        yield Verdict(
            NAME, str(run.path), Outcome.BROKEN if sure else Outcome.UNKNOWN, because, where=run.place
        )
