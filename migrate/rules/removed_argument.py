"""A top-level assume-role argument that Terraform 1.10 removed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from migrate.model import Engine, Fix, Known, Outcome, Severity, Site, Unknown, Verdict, World

NAME: Final = "removed-argument"
SEVERITY: Final[Severity] = "warning"
FIX: Final[Fix] = "none"
BLOCKS: Final[tuple[str, ...]] = ("pin", "dual-lock")
WHY: Final = (
    "Terraform 1.10 removed role_arn, session_name, external_id and the assume_role_* arguments from "
    "the top level of the S3 backend; init fails on them. OpenTofu still takes them."
)
REMEDY: Final = (
    "Move them into assume_role = { … } (role_arn, session_name, external_id, duration, policy …) "
    "before the floor is raised past 1.10."
)


REMOVED: Final = (
    "role_arn",
    "session_name",
    "external_id",
    "assume_role_duration_seconds",
    "assume_role_policy",
    "assume_role_policy_arns",
    "assume_role_tags",
    "assume_role_transitive_tag_keys",
)
"""hashicorp/terraform#35721, upgrade guide of 1.10."""


def check(world: World, /) -> Iterable[Verdict]:
    engines: set[Engine] = {backend.engine for backend in world.stack.backends}
    sites = {s.id: s for b in world.stack.backends if b.engine == "terraform" for s in b.inputs}
    if engines != {"opentofu"}:
        sites |= {site.id: site for site in world.stack.readers}
    for site in sites.values():
        given = {setting.name for setting in site.settings}
        names = [name for name in REMOVED if name in given]
        if names:
            because = said(names)
            yield Verdict(NAME, str(world.stack.id), Outcome.BROKEN, because, REMEDY, where=site.place)


def said(names: Iterable[str]) -> str:
    return f"{', '.join(names)}: removed in Terraform 1.10"


def block(site: Site, names: Iterable[str]) -> str:
    """What to write instead: the same values in `assume_role`, ready to paste."""
    lines = [f"  {_INSIDE.get(name, name)} = {_spelled(site, name)}" for name in names]
    return "write instead:\nassume_role = {\n" + "\n".join(lines) + "\n}"


_INSIDE: Final = {
    "assume_role_duration_seconds": "duration",
    "assume_role_policy": "policy",
    "assume_role_policy_arns": "policy_arns",
    "assume_role_tags": "tags",
    "assume_role_transitive_tag_keys": "transitive_tag_keys",
}


def _spelled(site: Site, name: str) -> str:
    setting = site.setting(name)
    match setting.value if setting else None:
        case Known(str(text)):
            return f'"{text}"'
        case Unknown(why=expression):
            return expression
        case _:
            return "…"
