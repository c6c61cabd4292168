"""Container images that carry an engine, and what their tags say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Refusal
from migrate.plug import Edits
from migrate.spelling.choice import Sheet, replaced
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span
from migrate.versions import Tool

_PATH: Final = (
    r"(?<![\w./-])(?P<image>(?P<path>(?:[\w.-]+(?::\d+)?/)+)(?P<name>terraform|opentofu|tofu|terragrunt))"
)
_TAGGED: Final = re.compile(
    rf"{_PATH}:(?P<tag>v?\d+(?:\.\d+)*(?:-(?:rc|beta|alpha)[\d.]*)?(?![\w.])|[^\s\"'@,;)\]}}]+)(?P<digest>@)?"
)
_BARE: Final = re.compile(
    rf"(?im)^[ \t-]*(?:FROM[ \t]+(?:--\S+[ \t]+)?|(?:image|name):[ \t]*[\"']?){_PATH}"
    r"(?=[\"']?[ \t]*(?:$|as\b))"
)
_VARIABLE: Final = re.compile(r"[$<{%]")


def find(sheet: Sheet, root: PurePosixPath) -> Iterator[Pin]:
    """Every image with an engine in it. A tag that is a variable is chosen where that is set."""
    text = sheet.source.text
    for image in _TAGGED.finditer(text):
        tool, span = _tool(image), Span(*image.span("tag"))
        if image["path"].endswith("features/") or _VARIABLE.search(image["tag"]):
            continue
        if tool is None:
            why = f"{image['image']}:{image['tag']} does not say which engine it carries"
            yield sheet.unknown(None, span, why, root)
        else:
            yield sheet.pin(tool, span, root)
    for image in _BARE.finditer(text):
        why = f"{image['image']} has no tag: the newest image of the day"
        yield sheet.unknown(_tool(image), Span(*image.span("name")), why, root)


def edit(text: str, found: Pin, wish: str) -> Edits | Refusal:
    """The tag becomes `wish`, its flavour stays; an image named by its digest is not ours to change."""
    if re.compile(r"[\w.-]*@").match(text, found.span.end):
        return Refusal(
            found.place, "the image is held by a digest", f"go to {wish} with the digest of that image"
        )
    return replaced(found, wish)


def _tool(image: re.Match[str]) -> Tool | None:
    """Whose version the tag is: of `alpine/terragrunt` Terraform's, of other Terragrunt images who knows."""
    if image["name"] == "terragrunt":
        return "terraform" if image["path"].endswith("alpine/") else None
    return PACKAGES[image["name"]]
