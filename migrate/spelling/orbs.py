"""CircleCI's orbs for Terraform and OpenTofu, by the names that a file gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from migrate import yamltree
from migrate.model import Engine

_ORB: Final = re.compile(r"[\w-]+/(?:[\w-]*-)?(terraform|opentofu)(?:-[\w-]+)?@.*")


def engines(document: yamltree.Node) -> Mapping[str, Engine]:
    """The engine of every orb that runs one, by its name in this file.

    A part of a configuration, which is put together of several files, names no orb: by their usual names.
    """
    orbs = yamltree.at(document, "orbs")
    if orbs is None:
        return {"terraform": "terraform", "opentofu": "opentofu"}
    return {
        orb.key.value: "opentofu" if kind[1] == "opentofu" else "terraform"
        for orb in yamltree.members(orbs)
        if isinstance(orb.value, yamltree.Scalar) and (kind := _ORB.fullmatch(orb.value.value))
    }


def named(
    document: yamltree.Node | None,
) -> Iterator[tuple[yamltree.Route, yamltree.Scalar, yamltree.Node | None]]:
    """Every item of a list that is a name, or a name with what it is given: steps, jobs of a workflow."""
    for route, node in yamltree.walk(document):
        for item in node.items if isinstance(node, yamltree.Sequence) else ():
            match item:
                case yamltree.Scalar():
                    yield route, item, None
                case yamltree.Mapping((member,)):
                    yield route, member.key, member.value
                case _:
                    pass
