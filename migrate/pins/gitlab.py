"""GitLab CI: templates and components of GitLab's own that bring an engine and are told no version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Pin, Source, Suggestion
from migrate.plug import Found, Sources
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import scope

NAME: Final = "gitlab"

_FILE: Final = re.compile(r"(?i)(?:.*/)?\.?gitlab(?:[\w.-]*|(?:-ci)?/.*)\.ya?ml")
_TEMPLATE: Final = re.compile(r"(?:.*/)?Terraform(?:/(?!Module)[\w-]+)?(?:\.latest)?\.gitlab-ci\.yml")
_COMPONENT: Final = re.compile(r"\S*/components/opentofu/[\w-]+@\S+")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Pin]:
    """A version that a component is told stands under a key that says so, and is another's."""
    sheet = Sheet(source, NAME, scope(source.path))
    return Found(tuple(pin for document in yamltree.parse(source.text) for pin in _pins(sheet, document)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Suggestion:
    text = f"opentofu_version: {wish}" if found.engine == "opentofu" else f"a job with an image of {wish}"
    return Suggestion(found.place, text, "what is included is told no version")


def _pins(sheet: Sheet, document: yamltree.Node) -> Iterator[Pin]:
    for _, node in yamltree.walk(yamltree.at(document, "include")):
        template, component = yamltree.scalar(node, "template"), yamltree.scalar(node, "component")
        told = yamltree.at(node, "inputs", "opentofu_version") is not None
        if template and _TEMPLATE.fullmatch(template.value):
            why = f"{template.value} brings an image that GitLab chooses"
            yield sheet.unknown("terraform", template.span, why)
        if component and _COMPONENT.fullmatch(component.value) and not told:
            why = f"{component.value} brings the release that the component chooses"
            yield sheet.unknown("opentofu", component.span, why)
