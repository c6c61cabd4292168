"""Container images that carry an engine, and what their tags say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Refusal
from migrate.plug import Edits
from migrate.spelling.choice import Sheet, replaced
from migrate.spelling.version_names import PACKAGES, tool_of
from migrate.text import Span
from migrate.versions import Malformed, Tool, chosen

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
_DIGEST: Final = re.compile(rf"{_PATH}@sha256:")
_VARIABLE: Final = re.compile(r"[$<{%]")
_NAMED: Final = re.compile(r"\$[({]?(?P<name>\w+)[:})]?")
_SETS: Final = r"""(?m)^[^#\n]*?\bNAME\b["']?[ \t]*[?:]?[:=][ \t]*["']?(?P<to>v?\d[\w.-]*)"""
_MOVING: Final = frozenset(
    {"latest", "light", "full", "minimal", "stable", "edge", "nightly", "beta", "main"}
)


def find(sheet: Sheet, root: PurePosixPath) -> Iterator[Pin]:
    """Every image with an engine in it."""
    text = sheet.source.text
    for image in _TAGGED.finditer(text):
        tool, span = _tool(image), Span(*image.span("tag"))
        if image["path"].endswith("features/"):
            continue
        if tool is None:
            why = f"{image['image']}:{image['tag']} does not say which engine it carries"
            yield sheet.unknown(None, span, why, root)
        elif _VARIABLE.search(image["tag"]):
            yield from _filled(sheet, tool, image, root)
        else:
            yield _tagged(sheet, tool, image, root)
    for pattern, why in ((_BARE, "has no tag: the newest image of the day"), (_DIGEST, _NO_RELEASE)):
        for image in pattern.finditer(text):
            span = Span(*image.span("name"))
            yield sheet.unknown(_tool(image), span, f"{image['image']} {why}", root)


_NO_RELEASE: Final = "is named by a digest, which does not say the release"


def _tagged(sheet: Sheet, tool: Tool, image: re.Match[str], root: PurePosixPath) -> Pin:
    tag, span = image["tag"], Span(*image.span("tag"))
    if not isinstance(chosen(tag), Malformed):
        return sheet.pin(tool, span, root)
    is_what = "is a tag that moves from release to release"
    why = is_what if tag in _MOVING else "does not say which release it carries"
    return sheet.unknown(tool, span, f"{image['image']}:{tag} {why}", root)


def _filled(sheet: Sheet, tool: Tool, image: re.Match[str], root: PurePosixPath) -> Iterator[Pin]:
    """What this file sets the variable of a tag to. One that is called after its tool is a pin of its own."""
    named = _NAMED.match(image["tag"])
    if named and tool_of(named["name"]):
        return
    sets = re.finditer(_SETS.replace("NAME", named["name"]), sheet.source.text) if named else ()
    spans = [Span(*found.span("to")) for found in sets]
    yield from (sheet.pin(tool, span, root) for span in spans)
    if not spans:
        why = f"the tag of {image['image']} is filled in when it runs"
        yield sheet.unknown(tool, Span(*image.span("tag")), why, root)


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
