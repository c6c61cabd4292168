"""Atlantis: `terraform_version` of a project, for its directory, or of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import yamltree
from migrate.model import Pin, Source
from migrate.plug import collected
from migrate.spelling import version_keys
from migrate.spelling.choice import Sheet

NAME: Final = "atlantis"
edit: Final = version_keys.edit

_GLOB: Final = re.compile(r"[^/]*[*?\[{].*")
"""What one `dir` for many begins to leave open: the pin holds for all below what is before."""


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in ("atlantis.yaml", "atlantis.yml", "repos.yaml")


@collected
def find(source: Source, /) -> Iterator[Pin]:
    """Of every version the project it stands in, and those that are merged with it.

    `terraform_distribution: opentofu` beside a version makes it one of OpenTofu.
    """
    sheet = Sheet(source, NAME)
    for document in yamltree.parse(source.text):
        for choice in version_keys.choices([document]):
            yield _pin(sheet, choice, yamltree.at(document, *choice.route[:-1]))
        for route, project in yamltree.walk(document):
            version = _said(project, "terraform_version")
            if version and yamltree.at(project, "terraform_version") is None:
                yield _pin(sheet, version_keys.Choice("terraform", route, version), project)


def _pin(sheet: Sheet, choice: version_keys.Choice, project: yamltree.Node | None) -> Pin:
    distribution, folder = _said(project, "terraform_distribution"), _said(project, "dir")
    tofu = distribution is not None and distribution.value == "opentofu"
    root = PurePosixPath(_GLOB.split(folder.value, maxsplit=1)[0] if folder else "")
    return replace((replace(choice, tool="opentofu") if tofu else choice).pin(sheet), root=root)


def _said(project: yamltree.Node | None, key: str) -> yamltree.Scalar | None:
    """What a project says itself, else what it is merged with."""
    merged = yamltree.at(project, "<<")
    borrowed = yamltree.at(merged.node, key) if isinstance(merged, yamltree.Alias) else None
    return yamltree.scalar(yamltree.at(project, key) or borrowed)
