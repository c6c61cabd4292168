"""Container images that carry an engine, and what their tags say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from migrate.model import Pin, Refusal
from migrate.plug import Edits, Sources
from migrate.spelling import filled
from migrate.spelling.choice import Sheet, replaced
from migrate.spelling.filled import FILLED
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span
from migrate.versions import Malformed, Tool, chosen

_NAMED: Final = re.compile(r"(?i)/(?:terraform|opentofu|tofu|terragrunt)(?=[:@\"'\s]|\Z)")
"""How the path of each image ends: most files hold none, and to see that takes a tenth of the time."""
_PATH: Final = (
    r"(?:(?<![\w./-])|(?<=[})>/]/))"  # what stands before it may be filled in, or `docker:/`
    r"(?P<image>(?P<path>(?:[\w.-]+(?::\d+)?/){1,9})(?P<name>terraform|opentofu|tofu|terragrunt))"
)
# `hashicorp/terraform:1.9.8-alpine`; the tag may be a variable, and a digest may follow it.
_TAGGED: Final = re.compile(
    rf"{_PATH}:(?P<tag>(?!/)v?\d+(?:\.\d+)*(?:-(?:rc|beta|alpha)[\d.]*)?(?![\w.])|{FILLED}|(?!/)[^\s\"'@,;)\]}}]+)(?P<digest>@)?"
)
# `FROM hashicorp/terraform`, `image: hashicorp/terraform`: no tag.
_BARE: Final = re.compile(
    rf"(?im)^[ \t-]*(?:FROM[ \t]+(?:--\S+[ \t]+)?|(?:image|name):[ \t]*[\"']?|COPY[ \t]+--from=){_PATH}"
    r"(?=[\"']?[ \t]*(?:$(?!\r?\n[ \t]+version:)|as\b)|[ \t]+/)"  # a `version` beside it: a tool of a list
)
# `docker run --rm -v … hashicorp/terraform`: no tag either.
_RUN: Final = re.compile(
    r"\b(?:docker|podman)[ \t]+run\b(?:[^\n\\;&|]|\\\r?\n){0,400}?[ \t\n]"
    r"(?P<image>(?P<path>(?:[\w.-]+/)?(?:hashicorp|opentofu)/)(?P<name>terraform|opentofu))(?=[\s\"'])"
)
_DIGEST: Final = re.compile(rf"{_PATH}@sha256:")
# `registry.gitlab.com/gitlab-org/terraform-images/stable:latest`, GitLab's own
_OF_GITLAB: Final = re.compile(
    r"(?:gitlab-org/terraform-images/(?!-/|releases/terraform:)|components/opentofu/gitlab-opentofu:)[\w.:/-]+"
)
# `image: acme/terraform-ci:3`
_OF_A_TEAM: Final = re.compile(
    r"(?im)^[ \t-]*+(?:FROM[ \t]+(?:--\S+[ \t]+)?"
    r"|[\"']?[\w-]*image[\"']?(?::|[ \t]*=)[ \t]*(?:&[\w-]+[ \t]+)?[\"']?)"
    r"(?P<image>(?=[^\s\"']*[/:@])(?:[\w.${}-]+(?::\d+)?/)*"
    r"(?P<name>[\w.-]*(?P<tool>terraform|terragrunt|tofu|(?<=runatlantis/)atlantis)[\w.-]*)(?![\w./-])(?:[:@][^\s\"']+)?)"
)
_OTHERS: Final = re.compile(
    r".*-(?:compliance|controller|docs|drift|exporter|ls|mirror|module|operator|provider|registry|server|ui)\b.*"
)
"""Images that are called after an engine and do not hold one: servers, linters, operators."""

_TOLD: Final = re.compile(r"(?i)default[_-]?t(?:f|erraform)[_-]?version")
_FILLED: Final = re.compile(FILLED)
_MOVING: Final = frozenset(
    {"latest", "light", "full", "minimal", "stable", "edge", "nightly", "beta", "main"}
)


def find(sheet: Sheet) -> Iterator[Pin]:
    """Every image with an engine in it."""
    if _NAMED.search(sheet.code):
        yield from _known(sheet)
    yield from _of_gitlab(sheet)
    yield from _of_a_team(sheet)


def _of_gitlab(sheet: Sheet) -> Iterator[Pin]:
    for image in _OF_GITLAB.finditer(sheet.code):
        tool: Tool = "opentofu" if "opentofu" in image[0] else "terraform"
        why = f"{image[0]} is an image of GitLab's, whose tag is that of its scripts"
        yield sheet.unknown(tool, Span(*image.span()), why)


def _of_a_team(sheet: Sheet) -> Iterator[Pin]:
    """Images that are called after an engine and are none of its own: `acme/terraform-ci:3`, and those of
    Atlantis, which run what they carry where they are told nothing else.
    """
    for image in _OF_A_TEAM.finditer(sheet.code):
        told = image["name"] in PACKAGES or (image["tool"] == "atlantis" and _TOLD.search(sheet.code))
        if not told and not _OTHERS.fullmatch(image["name"]):
            why = f"which release {image['image']} carries is known to those who build it"
            engine = PACKAGES.get(image["tool"]) if image["tool"] != "terragrunt" else None
            yield sheet.unknown(engine, Span(*image.span("image")), why)


def _known(sheet: Sheet) -> Iterator[Pin]:
    """The images that are called as an engine is."""
    for image in _TAGGED.finditer(sheet.code):
        if not image["path"].endswith("features/"):
            yield from _tagged(sheet, image)
    for pattern, why in ((_BARE, _NEWEST), (_RUN, _NEWEST), (_DIGEST, _NO_RELEASE)):
        for image in pattern.finditer(sheet.code):
            yield sheet.unknown(_tool(image), Span(*image.span("name")), f"{image['image']} {why}")


_NEWEST: Final = "has no tag: the newest image of the day"
_NO_RELEASE: Final = "is named by a digest, which does not say the release"


def _tagged(sheet: Sheet, image: re.Match[str]) -> Iterator[Pin]:
    tool, tag, span = _tool(image), image["tag"], Span(*image.span("tag"))
    if tool is None:
        why = f"{image['image']}:{tag} does not say which engine it carries"
        yield sheet.unknown(None, span, why)
    elif _FILLED.match(tag):
        why = f"the tag of {image['image']} is filled in when it runs"
        yield from filled.chosen(sheet, tool, span, why)
    elif isinstance(chosen(tag), Malformed):
        moves = "is a tag that moves from release to release"
        why = moves if tag in _MOVING else "does not say which release it carries"
        yield sheet.unknown(tool, span, f"{image['image']}:{tag} {why}")
    else:
        yield sheet.pin(tool, span)


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits | Refusal:
    """The tag becomes `wish`, its flavour stays; an image named by its digest is not ours to change."""
    if _HELD.match(sources[found.path].text, found.span.end):
        todo = f"go to {wish} with the digest of that image"
        return Refusal(found.place, "the image is held by a digest", todo)
    return replaced(sources, found, wish)


_HELD: Final = re.compile(r"[\w.-]*@")


def _tool(image: re.Match[str]) -> Tool | None:
    """Whose version the tag is: of `alpine/terragrunt` Terraform's, of other Terragrunt images who knows."""
    if image["name"] == "terragrunt":
        return "terraform" if image["path"].endswith("alpine/") else None
    return PACKAGES[image["name"]]
