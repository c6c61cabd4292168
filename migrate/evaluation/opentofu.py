"""OpenTofu's early evaluation: variables and locals in a backend, as the files of one directory give them.

A default counts, and over it `terraform.tfvars`, and over that `*.auto.tfvars` in order. A variable that
another `.tfvars` file of the directory sets is not known: whoever runs it chooses. Since OpenTofu 1.8;
Terraform refuses both in a backend.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate import hcl, jsontree
from migrate.evaluation.evaluate import Data, evaluated
from migrate.evaluation.files import is_hidden, is_override
from migrate.model import Fact, Known, Scalar, Unknown

SPEAKS: Final = re.compile(r'(?:\$\{|^)[^"{}]*\b(?:var|local)\.[^\W\d]')
"""What an expression holds that only OpenTofu takes in a backend."""

READ: Final = (".tf", ".tofu", ".tfvars", ".tfvars.json")
"""How the files end that `directory` is to be given."""

_BLOCKS: Final = re.compile("variable|locals")
_DEEPEST: Final = 30


class Directory(Struct, frozen=True):
    """The scope of a backend block: name → expression of variables and of locals."""

    variables: Mapping[str, str]
    locals: Mapping[str, str]
    depth: int = 0

    def look(self, name: str, /) -> Data | Unknown:
        match name:
            case "var":
                return _Names(self, self.variables, "var")
            case "local":
                return _Names(self, self.locals, "local")
            case _:
                return Unknown(name)

    def call(self, name: str, arguments: tuple[Data, ...], /) -> Data | Unknown:
        return Unknown(f"{name}()")

    def setting(self, expression: str) -> Fact[Scalar]:
        """What an argument of the backend comes to."""
        match evaluated(expression, self):
            case (str() | bool() | None) as scalar:
                return Known(scalar)
            case _:
                return Unknown(expression)


class _Names(Struct, frozen=True):
    scope: Directory
    expressions: Mapping[str, str]
    kind: str

    def look(self, name: str, /) -> Data | Unknown:
        expression = self.expressions.get(name)
        if expression is None or self.scope.depth > _DEEPEST:
            return Unknown(f"{self.kind}.{name}")
        return evaluated(expression, replace(self.scope, depth=self.scope.depth + 1))


def directory(files: Mapping[str, str]) -> Directory:
    """The scope that the files of a directory make, by name: code that OpenTofu reads, and `.tfvars`."""
    names: dict[str, str] = {}
    variables: dict[str, str] = {}
    for text in _code(files):
        for block in hcl.blocks(text, ("variable", "locals"), _BLOCKS).blocks:
            written = {str(one.name): one.value.span.of(text) for one in block.arguments}
            if block.type == "locals":
                names |= written
            elif "default" in written:
                variables["".join(block.labels)] = written["default"]
    return Directory(_given(files, variables), names)


def _code(files: Mapping[str, str]) -> Iterator[str]:
    """The files of code that OpenTofu reads, those last that override the others."""
    paths = {PurePosixPath(name): text for name, text in files.items() if name.endswith((".tf", ".tofu"))}
    for path in sorted(paths, key=lambda path: (is_override(path), path)):
        if not is_hidden(path, paths):
            yield paths[path]


def _given(files: Mapping[str, str], defaults: Mapping[str, str]) -> Mapping[str, str]:
    """Variables with what is set over their defaults; without those that someone chooses at every run, or
    that JSON sets.
    """
    values = {name: _assigned(files[name]) for name in sorted(files) if name.endswith(".tfvars")}
    values |= {name: _keys(files[name]) for name in files if name.endswith(".tfvars.json")}
    automatic = [name for name in values if name.endswith(".auto.tfvars")]
    found = dict(defaults) | values.pop("terraform.tfvars", {})
    for name in automatic:
        found |= values.pop(name)
    chosen = {one for given in values.values() for one in given}
    return {name: expression for name, expression in found.items() if name not in chosen}


def _keys(text: str) -> dict[str, str]:
    read = jsontree.parse(text)
    return {m.key.value: "" for m in read.members} if isinstance(read, jsontree.Object) else {}


def _assigned(text: str) -> dict[str, str]:
    return {str(one.name): one.value.span.of(text) for one in hcl.parse(text).arguments}
