"""Tools by their names in YAML: aqua's `packages`, `dependencies.tools` and `required_version` of Atmos,
Terrateam's `engine`, an image or a repository with its `tag`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling import version_keys
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import PACKAGES, scope

NAME: Final = "listed_tool"
edit: Final = version_keys.edit

_PROGRAM: Final = re.compile(r"(?:.*/)?(?P<tool>terraform|tofu)[-_]?v?\d[\w.]*")

_FLAVOUR: Final = re.compile(r"\d-(?!rc|beta|alpha)")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml")


def find(source: Source, /) -> Found[Pin]:
    """A name with its version behind an `@` is read as a line that installs it."""
    sheet = Sheet(source, NAME, scope(source.path))
    return Found(tuple(pin for document in yamltree.parse(source.text) for pin in _pins(sheet, document)))


def _pins(sheet: Sheet, document: yamltree.Node) -> Iterator[Pin]:
    for route, node in yamltree.walk(document):
        for name, value in _versions(route, node):
            tool = PACKAGES.get(name)
            if tool and isinstance(value, yamltree.Scalar) and value.value:
                yield _pin(sheet, version_keys.Choice(tool, route, value))
        if isinstance(node, yamltree.Scalar) and route[-1:] == ("command",) and "terraform" in route:
            yield from _program(sheet, node)


def _pin(sheet: Sheet, choice: version_keys.Choice) -> Pin:
    """An image's tag may have a flavour behind the release, which an edit would lose."""
    if _FLAVOUR.search(choice.scalar.value):
        why = f"{choice.scalar.value} is a release in a flavour of its own"
        return sheet.unknown(choice.tool, choice.scalar.span, why)
    return choice.pin(sheet)


def _program(sheet: Sheet, command: yamltree.Scalar) -> Iterator[Pin]:
    if program := _PROGRAM.fullmatch(command.value):
        why = f"Atmos runs {command.value}: which release that is only its name says"
        yield sheet.unknown(PACKAGES[program["tool"]], command.span, why)


def _versions(route: yamltree.Route, node: yamltree.Node) -> Iterator[tuple[str, yamltree.Node | None]]:
    """The names of tools in one mapping, each with its version."""
    if not isinstance(node, yamltree.Mapping):
        return
    if route[-2:] == ("dependencies", "tools"):
        yield from ((member.key.value, member.value) for member in node.members)
    if "packages" in route or {"engine", "tools"} & {*route[-2:]}:
        yield yamltree.text(node, "name"), node.get("version")
    if "terraform" in route:  # Atmos puts it into an override, in the place of what the component says
        yield "terraform", node.get("required_version")
    image = yamltree.text(node, "repository") or yamltree.text(node, "repo")
    yield "/".join(image.split("/")[-2:]), node.get("tag")
