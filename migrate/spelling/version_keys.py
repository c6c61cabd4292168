"""Versions under keys of YAML: `terraform_version: 1.9.8`, lists of a matrix, `name`/`value` pairs, defaults.

An expression that names another key of the same file is followed to the values there, where that key stands
below what the expression says: `inputs.version` leads to no `version` that an action is given. Every other
one is chosen elsewhere, or when it runs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from migrate import yamltree
from migrate.model import Known, Pin
from migrate.plug import Edits, Sources
from migrate.spelling.choice import Sheet, replaced
from migrate.spelling.version_names import chooses
from migrate.text import Span
from migrate.versions import Tool

# `${{ inputs.version }}`, `$(version)`, `$[[ inputs.version ]]`, `<< parameters.version >>`, `$VERSION`
_REFERENCE: Final = re.compile(
    r"(?:\$\{\{|\$\[\[|<<|\$\(|\$\{?)\s*(?:(?:[\w-]+\.)*(?P<of>[\w-]+)\.)?(?P<name>[\w-]+)\s*(?:\}\}|\]\]|>>|\)|\})?"
)
_VARIABLES: Final = ("variables", "environment", "env", "parameters", "params", "matrix", "args")
"""Keys below which variables stand that an expression names without a prefix: `$VERSION`."""
_INDIRECT: Final = frozenset({"default", "Default", "value", "Value", "include", "exclude"})
# A version that YAML reads as a number without its last zero: 1.10 is 1.1.
_NUMBER: Final = re.compile(r"\d+\.\d*0")


class Choice(Struct, frozen=True):
    """A version at the end of a route of keys."""

    tool: Tool
    route: yamltree.Route
    scalar: yamltree.Scalar

    def pin(self, sheet: Sheet) -> Pin:
        """The pin it makes."""
        if self.scalar.style == "plain" and _NUMBER.fullmatch(self.scalar.value):
            why = f"{self.scalar.value} without quotes is the number {float(self.scalar.value):g} to YAML"
            return sheet.unknown(self.tool, self.scalar.span, why)
        asked = _REFERENCE.fullmatch(self.scalar.value)
        if asked and asked["of"] == "inputs":
            why = f"{sheet.source.path.name} is told {asked['name']} by what calls it"
            return sheet.asked(self.tool, self.scalar.span, why, asked["name"])
        return sheet.pin(self.tool, self.scalar.span, _names(self.route)[1])


def choices(documents: Iterable[yamltree.Node]) -> Iterator[Choice]:
    """Every choice of a version in a file, each place once."""
    scalars = [
        (route, scalar)
        for document in documents
        for route, node in [*yamltree.walk(document), *_pairs(document)]
        for scalar in [node.node if isinstance(node, yamltree.Alias) else node]
        if isinstance(scalar, yamltree.Scalar) and scalar.style != "block"
    ]
    named: dict[_Names, list[_Placed]] = defaultdict(list)
    for route, scalar in scalars:
        if not _REFERENCE.search(scalar.value):
            named[_names(route)].append((route, scalar))
    seen: set[Span] = set()
    for route, scalar in scalars:
        tool = None if _is_another(route) else _tool(*_names(route), scalar.value)
        if tool and scalar.value:
            for choice in (Choice(tool, *placed) for placed in _followed(named, route, scalar)):
                if choice.scalar.span not in seen:
                    seen.add(choice.scalar.span)
                    yield choice


def _is_another(route: yamltree.Route) -> bool:
    """What a job gives out chooses nothing; what Atmos lists is read with the names of its registry."""
    return "outputs" in route or route[-3:-1] == ("dependencies", "tools")


def _tool(above: str, key: str, value: str) -> Tool | None:
    """Whose version a value is by its key; `version` says it with the key above."""
    return chooses(above, value) if key == "version" else chooses(key, value)


_Placed: TypeAlias = tuple[yamltree.Route, yamltree.Scalar]
_Names: TypeAlias = tuple[str, str]


def _pairs(document: yamltree.Node) -> Iterator[_Placed]:
    """The values of `- name: X` with `value: Y`, or `default: Y`, as if they stood under the key X."""
    for route, node in yamltree.walk(document):
        name = _first(node, "name", "Name")
        value = _first(node, "value", "default", "Value")
        if name and value:
            yield (*route, name.value), value


def _first(node: yamltree.Node, *keys: str) -> yamltree.Scalar | None:
    return next((value for key in keys if (value := yamltree.scalar(node, key))), None)


def _names(route: yamltree.Route) -> _Names:
    """The last two keys that say what a value is: not its place in a list, not `default`."""
    names = [step for step in route if isinstance(step, str) and step not in _INDIRECT]
    return names[-2] if names[1:] else "", names[-1] if names else ""


def _followed(
    named: Mapping[_Names, Sequence[_Placed]], route: yamltree.Route, scalar: yamltree.Scalar
) -> Sequence[_Placed]:
    """The values that an expression stands for, just below the key that it says; itself where it is none, or
    leads nowhere in this file.
    """
    if reference := _REFERENCE.fullmatch(scalar.value):
        above = (reference["of"],) if reference["of"] else _VARIABLES
        found = [placed for key in above for placed in named.get((key, reference["name"]), ())]
        return found or [(route, scalar)]
    return [(route, scalar)]


def edit(sources: Sources, found: Pin, wish: str, /) -> Edits:
    """The version becomes `wish`; in quotes where it would else be a number that loses its last zero."""
    before = sources[found.path].text[found.span.start - 1 : found.span.start]
    bare = before not in ("'", '"', "v") and found.version != Known(wish)
    return replaced(sources, found, f'"{wish}"' if bare and _NUMBER.fullmatch(wish) else wish)
