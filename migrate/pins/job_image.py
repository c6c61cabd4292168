"""Jobs of a pipeline that run an engine in an image which does not say that it carries one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Pin, Source, Suggestion
from migrate.plug import Found, Sources
from migrate.spelling import images, runs
from migrate.spelling.choice import Sheet
from migrate.spelling.runs import Script
from migrate.spelling.version_names import scope
from migrate.spelling.yaml_scripts import scripts
from migrate.text import Span

NAME: Final = "job_image"

_FILE: Final = re.compile(
    r"(?i)(?:.*/)?\.?(?:azure|bitbucket|buildkite|ci|circleci|codefresh|drone|github/workflows|gitlab|woodpecker)"
    r"[\w.-]*(?:/.*)?\.ya?ml"
)
_SCRIPTS: Final = ("before_script", "script", "commands", "run", "command", "bash")
_INSTALLS: Final = re.compile(
    r"\b(?:tfenv|tofuenv|tgenv|tenv|t[fg]switch|asdf|mise|devbox|hermit|nix|nix-shell)\b"
    r"|setup-(?:terraform|opentofu)|\.com/terraform/|(?:opentofu|terragrunt)/(?:install|releases)|install-opentofu"
    r"|\b(?:add|get|install|-S\w*)\b[^\n;&|]*\b(?:terraform|tofu|opentofu|terragrunt)\b"
)
"""A file that installs an engine: that runs, and is found as a pin of its own, whatever the image holds."""

_ASIDE: Final = frozenset({"fmt", "validate", "get", "graph", "providers", "test"})
"""Commands that touch no state."""


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return _FILE.fullmatch(str(path)) is not None


def find(source: Source, /) -> Found[Pin]:
    """Of each image once; one that a variable names is known when it runs."""
    if _INSTALLS.search(source.text):
        return Found()
    sheet = Sheet(source, NAME, scope(source.path))
    found = {pin.span: pin for document in yamltree.parse(source.text) for pin in _pins(sheet, document)}
    said = [pin.span for pin in images.find(sheet)] if found else []
    return Found(tuple(pin for span, pin in found.items() if not any(span.overlaps(one) for one in said)))


def edit(sources: Sources, found: Pin, wish: str, /) -> Suggestion:
    return Suggestion(found.place, f"an image with {wish}", "what the image carries is not said here")


def _pins(sheet: Sheet, document: yamltree.Node) -> Iterator[Pin]:
    for route, _, parts in scripts(sheet.source.text, document, _SCRIPTS):
        image = _image(document, route)
        ran = runs.Sheet(sheet.source, NAME).found([Script(parts)]).items if image else ()
        engine = next((run.engine for run in ran if run.command not in _ASIDE), None)
        if image and engine:
            why = f"{image.value} runs {engine}, and does not say which release"
            tool = None if engine == "terragrunt" else engine
            yield sheet.unknown(tool, Span(image.span.start, image.span.end), why)


def _image(document: yamltree.Node, route: yamltree.Route) -> yamltree.Scalar | None:
    """The image of the job, else of the pipeline."""
    for length in range(len(route), -1, -1):
        for key in (("image",), ("container",), ("docker", 0), ("default", "image")):
            value = yamltree.at(document, *route[:length], *key)
            for one in (value, yamltree.at(value, "name"), yamltree.at(value, "image")):
                if isinstance(one, yamltree.Scalar) and re.search(r"[/:@$]", one.value):
                    return one
    return None
