"""GitHub workflows and actions: inputs of set-up actions and reusable workflows, variables, matrices.

Actions of dflook choose by `required_version` and version files, which are pins of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import yamltree
from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling import version_keys
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import tool_of
from migrate.versions import Tool

NAME: Final = "github_workflow"
edit: Final = version_keys.edit

_SETUP: Final = re.compile(r"[\w.-]+/setup-(terraform|opentofu)@.*")
_OUTPUT: Final = re.compile(r"\$\{\{\s*steps\.([\w-]+)\.outputs\.[\w-]+\s*\}\}")
_VERSION_FILE: Final = re.compile(r"\.(?:terraform|opentofu|terragrunt)-version\b|\.tool-versions\b")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    workflow = path.parts[:2] == (".github", "workflows")
    return path.suffix in (".yml", ".yaml") and (workflow or path.stem == "action")


def find(source: Source, /) -> Found[Pin]:
    """For the directory that the job works in where it says one, else for all roots."""
    sheet = Sheet(source, NAME)
    return Found(tuple(pin for document in yamltree.parse(source.text) for pin in _pins(sheet, document)))


def _pins(sheet: Sheet, document: yamltree.Node) -> Iterator[Pin]:
    for choice in version_keys.choices([document]):
        if not _reads_version_file(document, choice.scalar.value):
            yield replace(choice.pin(sheet), root=_directory(document, choice.route))
    for route, step in yamltree.walk(document):
        uses = yamltree.scalar(step, "uses")
        if uses and (setup := _SETUP.fullmatch(uses.value)) and _says_nothing(step):
            tool: Tool = "opentofu" if setup[1] == "opentofu" else "terraform"
            why = f"{uses.value} installs the newest release of the day"
            yield replace(sheet.unknown(tool, uses.span, why), root=_directory(document, route))


def _says_nothing(step: yamltree.Node) -> bool:
    """Whether a set-up step names neither a version nor a file with one."""
    return not any(tool_of(name.removesuffix("_file")) for name in _keys(yamltree.at(step, "with")))


def _keys(node: yamltree.Node | None) -> Iterator[str]:
    """The keys of a mapping, with those of what is merged into it."""
    match node:
        case yamltree.Alias(node=aliased):
            yield from _keys(aliased)
        case yamltree.Mapping(members):
            for member in members:
                yield member.key.value
                yield from _keys(member.value) if member.key.value == "<<" else ()
        case _:
            pass


def _reads_version_file(document: yamltree.Node, expression: str) -> bool:
    """Whether it is the output of a step that reads a version file: then that file chooses."""
    output = _OUTPUT.fullmatch(expression)
    if output is None:
        return False
    steps = [step for _, step in yamltree.walk(document) if yamltree.text(step, "id") == output[1]]
    return any(_VERSION_FILE.search(yamltree.text(step, "run")) for step in steps)


def _directory(document: yamltree.Node, route: yamltree.Route) -> PurePosixPath:
    """Where the steps beside it run: the job's default, else the workflow's, else anywhere."""
    for outer in (route[:2], ()):
        said = yamltree.scalar(document, *outer, "defaults", "run", "working-directory")
        if said:
            return PurePosixPath() if "$" in said.value else PurePosixPath(said.value)
    return PurePosixPath()
