"""Templates of Terraform code: Jinja, Go templates, ERB, sources of `templatefile` and of `envsubst`.

Some have the name of the code that comes out of them: such a `.tf` is a template if marks make it no HCL.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate import hcl, marked
from migrate.mentions import TEMPLATE
from migrate.model import LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.sites import Sheet, Trouble, unread
from migrate.templating import Template

NAME: Final = "template"

_TYPES: Final = ("terraform", "data")
_HOLDING: Final = ("backend", "terraform_remote_state")

_CODE: Final = (".tf", ".tofu")
_UNREAD: Final = "a template: what it writes here is known only when it is rendered"
_LOOK: Final = "look at what it writes, and change it by hand in the same steps"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix.lower() in (*TEMPLATE, *_CODE) or "{{" in str(path)


def find(source: Source, /) -> Found[Site]:
    """The backends and readers that can be read, then every line that names a lock setting elsewhere."""
    is_code = source.path.suffix in _CODE and "{{" not in str(source.path)
    if is_code and not marked.is_template(source):
        return Found()
    sheet, template = Sheet(source, NAME), Template(source.text)
    tree = hcl.blocks(template.shown, _TYPES, _HOLDING)
    sites = [site for block in tree.blocks for site in marked.sites(sheet, template, block)]
    found = sheet.found([*sites, *unread(sheet, (s.span for s in sites), _UNREAD)])
    problem = sheet.template(Trouble(at) for at in tree.errors) if is_code else None
    return Found(found.items, problems=(problem,) if problem else ())


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    if not found.settings:
        return Refusal(found.place, _UNREAD, _LOOK)
    return marked.edit(sources[found.path], found, wish)
