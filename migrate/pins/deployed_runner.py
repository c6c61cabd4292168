"""What Terraform's code deploys to run Terraform: Atlantis, CodeBuild projects, stacks of Spacelift, env0,
the account factory of Control Tower.

Versions in the environment of a service, images with an engine, and arguments of resources that run roots.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling import images
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import scope, tool_of
from migrate.text import Span
from migrate.versions import Tool

NAME: Final = "deployed_runner"
edit: Final = images.edit

_VALUE: Final = r"(?:\"(?P<text>[^\"$\n]+)\"|(?P<other>[^\s,}]+))"
_SET: Final = re.compile(rf"\b(?P<name>\w*_VERSION)\"?\s*[=:]\s*{_VALUE}")
_PAIRED: Final = re.compile(rf"\"(?P<name>\w*_VERSION)\"\s*,?\s*\"?value\"?\s*[=:]\s*{_VALUE}")
_SERVICE: Final = re.compile(
    r"\bspacelift_stack\b|\benv0_(?:template|environment)\b|control_tower_account_factory"
)
_ARGUMENT: Final = re.compile(
    rf"(?m)^[ \t]*(?P<name>(?:terraform|opentofu|terragrunt)_version)[ \t]*=[ \t]*{_VALUE}"
)
_TOFU: Final = re.compile(r"(?m)^[ \t]*terraform_workflow_tool[ \t]*=[ \t]*\"OPEN_TOFU\"")
_READ_ELSEWHERE: Final = (".tfvars", ".hcl")
"""What is set in these is read as in a script."""


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    own = path.name.endswith("devcontainer.json")
    return path.suffix in (".tf", ".tofu", ".json", *_READ_ELSEWHERE) and not own


def find(source: Source, /) -> Found[Pin]:
    """In a map, or in a list of names and values; what is no literal is Unknown with its text."""
    sheet, code = Sheet(source, NAME, scope(source.path)), source.path.suffix in (".tf", ".tofu")
    alone = source.path.suffix not in _READ_ELSEWHERE
    pins = [pin for pattern in (_PAIRED, *([_SET] if alone else [])) for pin in _set(sheet, pattern)]
    if code:
        pins += images.find(sheet)
        pins += _set(sheet, _ARGUMENT) if _SERVICE.search(source.text) else ()
    return Found(tuple(sorted(pins, key=lambda pin: pin.span)))


def _set(sheet: Sheet, pattern: re.Pattern[str]) -> Iterator[Pin]:
    for found in pattern.finditer(sheet.code):
        tool = _tool(sheet, found["name"])
        if tool and found["other"]:
            why = f"{found['name']} is {found['other']}"
            yield sheet.unknown(tool, Span(*found.span("other")), why)
        elif tool:
            yield sheet.pin(tool, Span(*found.span("text")))


def _tool(sheet: Sheet, name: str) -> Tool | None:
    """Spacelift calls OpenTofu's version Terraform's, too."""
    tool = tool_of(name)
    return "opentofu" if tool == "terraform" and _TOFU.search(sheet.code) else tool
