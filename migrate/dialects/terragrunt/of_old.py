"""`remote_state` as Terragrunt up to 0.18 has it: in a variable `terragrunt` of `terraform.tfvars`.

It is read and never edited: these releases run Terraform up to 0.11 (terragrunt's guide for 0.19), which has
no lockfile.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from migrate import hcl
from migrate.dialects.terragrunt.reading import Reading
from migrate.model import Site
from migrate.plug import Found
from migrate.sites import Sheet, Trouble

ENDING: Final = ".tfvars"
_WHY: Final = "Terragrunt up to 0.18 reads this, and runs Terraform up to 0.11, which has no lockfile"
REMEDY: Final = "move it to a terragrunt.hcl first, as Terragrunt 0.19 and newer read it"

_VARIABLE: Final = re.compile(r"^\ufeff?terragrunt[ \t]*(=)[ \t]*\{", re.MULTILINE)


def find(sheet: Sheet) -> Found[Site]:
    """The variable is an object of blocks, as no HCL of today has it: it is read as a block."""
    text = sheet.source.text
    if not (variable := _VARIABLE.search(text)):
        return Found()
    shown = f"{text[: variable.start(1)]} {text[variable.end(1) :]}"
    tree = hcl.blocks(shown, ("terragrunt",), ("remote_state",))
    items = tuple(item for block in tree.blocks for item in block.items)
    found = sheet.found(Reading(sheet, hcl.Tree(items)).sites(), [Trouble(at) for at in tree.errors])
    return replace(found, items=tuple(replace(site, why_not=_WHY, generated=False) for site in found.items))
