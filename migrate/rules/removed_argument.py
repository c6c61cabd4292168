"""A top-level assume-role argument that Terraform 1.10 removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from migrate.estate.runs import strays
from migrate.model import Engine, Estate, Fix, Outcome, Severity, Site, Verdict, World
from migrate.wishes import assume

NAME: Final = "removed-argument"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "safe"
BLOCKS: Final[tuple[str, ...]] = ("pin", "dual-lock")
WHY: Final = (
    "Terraform 1.10 removed role_arn, session_name, external_id and the assume_role_* arguments from "
    "the top level of the S3 backend; init fails on them. OpenTofu still takes them."
)
REMEDY: Final = (
    "tfrelock edit --phase assume-role moves them into assume_role = { … }, which releases from 1.6 on take: "
    "before the floor is raised past 1.10."
)


def check(world: World, /) -> Iterable[Verdict]:
    engines: set[Engine] = {backend.engine for backend in world.stack.backends}
    sites = {s.id: s for b in world.stack.backends if b.engine == "terraform" for s in b.inputs}
    if engines != {"opentofu"}:
        sites |= {site.id: site for site in world.stack.readers}
    for site in sites.values():
        yield from _of(site, str(world.stack.id))


def check_estate(estate: Estate, /) -> Iterable[Verdict]:
    """What flags say of which the root is not known."""
    for site in strays(estate):
        yield from _of(site, str(site.path))


def _of(site: Site, subject: str) -> Iterator[Verdict]:
    gone = assume.removed(site)
    if gone:
        yield Verdict(NAME, subject, Outcome.BROKEN, assume.told(gone), REMEDY, where=site.place)
