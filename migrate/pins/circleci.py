"""CircleCI's orbs: the release that an executor's `tag` chooses, or that nothing does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.model import Pin, Source
from migrate.plug import Found
from migrate.spelling import orbs, version_keys
from migrate.spelling.choice import Sheet
from migrate.spelling.version_names import tool_of

NAME: Final = "circleci"
edit: Final = version_keys.edit


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml") and ".circleci" in path.parts


def find(source: Source, /) -> Found[Pin]:
    """Executors of the orb and its `install`; a version under a key that is called so is another's."""
    sheet = Sheet(source, NAME)
    return Found(tuple(pin for document in yamltree.parse(source.text) for pin in _pins(sheet, document)))


def _pins(sheet: Sheet, document: yamltree.Node) -> Iterator[Pin]:
    engines = orbs.engines(document)
    for route, node in yamltree.walk(document) if engines else ():
        executor = yamltree.at(node, "name") or node if route[-1:] == ("executor",) else None
        if isinstance(executor, yamltree.Scalar):
            tool, tag = engines.get(executor.value.partition("/")[0]), yamltree.scalar(node, "tag")
            if tool and tag:
                yield version_keys.Choice(tool, route, tag).pin(sheet)
            elif tool:
                yield sheet.unknown(tool, executor.span, _default(executor))
    for _, name, given in orbs.named(document) if engines else ():
        orb, _, command = name.value.partition("/")
        keys = [member.key.value for member in yamltree.members(given)]
        if orb in engines and command == "install" and not any(map(tool_of, keys)):
            yield sheet.unknown(engines[orb], name.span, _default(name))


def _default(name: yamltree.Scalar) -> str:
    return f"{name.value} brings the release that its orb chooses"
