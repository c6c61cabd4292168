"""Renovate: a rule that holds an engine at older releases and would undo a pin. Reported, never edited.

Dependabot has no such rule: it can ignore an engine's updates, and never goes back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source, Suggestion
from migrate.plug import Sources, collected
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import PACKAGES
from migrate.text import Span

NAME: Final = "renovate"

_RULE: Final = re.compile(r"\{[^{}]*\}")
_ALLOWED: Final = re.compile(r"""["']?allowedVersions["']?\s*:\s*["'](?P<text>[^"'\n]*)["']""")
_ABOUT: Final = re.compile(
    r"""["'](?P<tool>(?:hashicorp/)?terraform|opentofu(?:/opentofu)?|(?:gruntwork-io/)?terragrunt)(?:-version)?["']"""
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return "renovate" in path.name and path.suffix in (".json", ".json5", "")


@collected
def find(source: Source, /) -> Iterator[Pin]:
    sheet = Sheet(source, NAME)
    for rule in _RULE.finditer(source.text):
        allowed = _ALLOWED.search(source.text, *rule.span())
        about = _ABOUT.search(source.text, *rule.span())
        if allowed and about:
            why = f"Renovate allows {about['tool']} {allowed['text']} and goes back to it"
            span = Span(*allowed.span("text"))
            yield sheet.unknown(PACKAGES[about["tool"]], span, why)


def edit(sources: Sources, found: Pin, wish: str, /) -> Suggestion:
    return Suggestion(found.place, f"allow {wish} and newer", "the rule would undo the pin")
