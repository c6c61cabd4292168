"""Terraform code in a text of another kind: what a script writes to a file in a heredoc, what a manifest of
Crossplane or of a Terraform controller gives its runner, a playbook or a ConfigMap its file.

It is edited where it stands. Where a script puts a backend together from escaped parts, `shell` tells of it.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from migrate import marked
from migrate.mentions import looks_like
from migrate.model import LockWish, Refusal, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.sites import Sheet
from migrate.spelling import inlaid
from migrate.templating import Template

NAME: Final = "inlaid"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return looks_like(path, "") == "pipeline" or (not path.suffix and head.startswith(b"#!"))


def find(source: Source, /) -> Found[Site]:
    sheet, template = Sheet(source, NAME), Template(source.text)
    blocks = inlaid.blocks(template.shown)
    return Found(sheet.found(s for block in blocks for s in marked.sites(sheet, template, block)).items)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    return marked.edit(sources[found.path], found, wish)
