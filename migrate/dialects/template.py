"""Templates of Terraform code: Jinja, Go templates, ERB, sources of `templatefile` and of `envsubst`."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate import hcl, marked
from migrate.mentions import TEMPLATE
from migrate.model import LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.sites import Sheet, unread
from migrate.templating import Template

NAME: Final = "template"

_TYPES: Final = ("terraform", "data")
_HOLDING: Final = ("backend", "terraform_remote_state")

_UNREAD: Final = "a template: what it writes here is known only when it is rendered"
_LOOK: Final = "look at what it writes, and change it by hand in the same steps"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix.lower() in TEMPLATE or "{{" in str(path)


def find(source: Source, /) -> Found[Site]:
    """The backends and readers that can be read, then every line that names a lock setting elsewhere."""
    sheet, template = Sheet(source, NAME), Template(source.text)
    tree = hcl.blocks(template.shown, _TYPES, _HOLDING)
    sites = [site for block in tree.blocks for site in marked.sites(sheet, template, block)]
    return Found(sheet.found([*sites, *unread(sheet, (s.span for s in sites), _UNREAD)]).items)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    if not found.settings:
        return Refusal(found.place, _UNREAD, _LOOK)
    return marked.edit(sources[found.path], found, wish)
