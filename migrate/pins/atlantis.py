"""Atlantis: `terraform_version` of a project, for its directory, or of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import yamltree
from migrate.model import Pin, Source
from migrate.plug import Edits, Found, Sources
from migrate.spelling import version_keys
from migrate.spelling.choice import Sheet

NAME: Final = "atlantis"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.name in ("atlantis.yaml", "atlantis.yml", "repos.yaml")


def find(source: Source, /) -> Found[Pin]:
    """`terraform_distribution: opentofu` beside a version makes it one of OpenTofu."""
    return Found(tuple(_pins(source)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    return version_keys.edit(sources[found.path].text, found, wish)


def _pins(source: Source) -> Iterator[Pin]:
    sheet = Sheet(source, NAME)
    for document in yamltree.parse(source.text):
        for choice in version_keys.choices([document]):
            beside = yamltree.at(document, *choice.route[:-1])
            tofu = _said(beside, "terraform_distribution") == "opentofu"
            root = PurePosixPath(_said(beside, "dir"))
            yield (replace(choice, tool="opentofu") if tofu else choice).pin(sheet, root)


def _said(project: yamltree.Node | None, key: str) -> str:
    value = yamltree.at(project, key)
    return value.value if isinstance(value, yamltree.Scalar) else ""
