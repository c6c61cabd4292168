"""One directory of Terraform: its resources with their places, and what names come to among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from migrate import hcl
from migrate.evaluation import opentofu
from migrate.evaluation.evaluate import Made
from migrate.evaluation.files import is_override
from migrate.model import Place, RepoId
from migrate.roles.scope import Scope
from migrate.text import Lines

_COUNTING: Final = ("count", "for_each")
_NONE: Final = ("0", False, ())
_TYPES: Final = ("resource", "data", "locals", "module")
_HOLDING: Final = re.compile(r"\baws_|\blocals\b")
CODE: Final = (".tf", ".tofu")


class Written(Struct, frozen=True):
    """An expression and the file it stands in."""

    path: PurePosixPath
    text: str
    value: hcl.Value

    def __str__(self) -> str:
        return self.value.span.of(self.text)

    def of(self, value: hcl.Value) -> Written:
        """An expression inside of it."""
        return Written(self.path, self.text, value)


class Resource(Struct, frozen=True):
    """One `resource` or `data` block; `address` as Terraform has it. `over`: what overrides say of it.

    `each`: what `each.key` and `each.value` stand for, in one of those that the block makes.
    """

    place: Place
    text: str
    address: str
    block: hcl.Block
    over: tuple[Resource, ...] = ()
    each: Mapping[str, Written] = field(default_factory=dict)

    @property
    def type(self) -> str:
        return self.address.rpartition(".")[0]

    def get(self, name: str) -> Written | None:
        """What an argument is set to."""
        instead = next((found for one in reversed(self.over) if (found := one.get(name))), None)
        value = self.block.value(name)
        at = instead or (Written(self.place.path, self.text, value) if value is not None else None)
        return self.each.get(str(at), at)

    def instances(self) -> Iterator[Resource]:
        """Each that the block makes, where its `for_each` is written out; else the block itself."""
        many = self.get("for_each")
        return (replace(self, each=each) for each in (_each(many) if many else [{}]))

    def ignores(self, name: str) -> bool:
        """Whether an argument may be changed elsewhere, and is then left as it is."""
        ignored = (one.get("ignore_changes") for one in self.inner("lifecycle"))
        return any(re.search(rf"\b(?:all|{name})\b", str(at)) for at in ignored if at)

    def inner(self, type_: str) -> Iterator[Resource]:
        """The blocks of that type in it, which those of an override replace."""
        instead = next((one for one in reversed(self.over) if any(one.inner(type_))), None)
        if instead:
            yield from instead.inner(type_)
            return
        for block in self.block.blocks:
            if block.type == type_:
                yield Resource(self.place, self.text, self.address, block)


class Module(Struct, frozen=True):
    """`locals` are those of the module with their places; `calls`: the texts of its calls of others."""

    folder: PurePosixPath
    resources: Mapping[str, Resource]
    locals: Mapping[str, Written]
    scope: Scope
    calls: Mapping[str, str]

    def of_type(self, *types: str) -> Iterator[Resource]:
        return (one for one in self.resources.values() if one.type in types)

    def made(self, *types: str) -> Iterator[tuple[Resource, str]]:
        """Those of the types that are not certainly left out, each with what it hangs on that any is made."""
        for one in self.of_type(*types):
            hangs_on = self.hangs_on(one)
            if hangs_on is not None:
                yield one, hangs_on

    def hangs_on(self, one: Resource) -> str | None:
        """What decides whether any of a resource is made; empty: one is. None: none is."""
        for name in _COUNTING:
            at = one.get(name)
            found = self.scope.value(str(at)) if at else "1"
            if found in _NONE or (isinstance(found, Made) and not found.members):
                return None
            if not isinstance(found, str | bool | tuple | Made):
                return f"{name} = {' '.join(str(at).split())}"
        return ""


def module(repo: RepoId, folder: PurePosixPath, files: Mapping[str, str], *, called: bool) -> Module:
    """The module of the files of one directory, by name. `called`: other modules set its variables, so its
    defaults say nothing.
    """
    resources: dict[str, Resource] = {}
    names: dict[str, Written] = {}
    calls: dict[str, str] = {}
    for name in sorted(files, key=lambda name: (is_override(PurePosixPath(name)), name)):
        if name.endswith(CODE):
            for block in hcl.blocks(files[name], _TYPES, _HOLDING).blocks:
                path = folder / name
                if block.type == "locals":
                    names |= {str(one.name): Written(path, files[name], one.value) for one in block.arguments}
                elif block.type == "module":
                    calls[".".join(("module", *block.labels))] = block.span.of(files[name])
                elif len(block.labels) == 2:
                    place = Place(repo, path, Lines(files[name]).line(block.span.start))
                    resource = Resource(place, files[name], _address(block), block)
                    base = resources.get(resource.address) if is_override(path) else None
                    whole = replace(base, over=(*base.over, resource)) if base else resource
                    resources[resource.address] = whole
    here = opentofu.directory(files)
    if called:
        here = opentofu.Directory({}, here.locals)
    written = {address: _attributes(one) for address, one in resources.items()}
    return Module(folder, resources, names, Scope(here, written, str(folder)), calls)


def _each(many: Written) -> Sequence[Mapping[str, Written]]:
    match many.value:
        case hcl.Call("toset", (hcl.List(items),)):
            return [dict.fromkeys(("each.key", "each.value"), many.of(item)) for item in items]
        case hcl.Object(members):
            return [{"each.value": many.of(member.value)} for member in members]
        case _:
            return [{}]


def _address(block: hcl.Block) -> str:
    return ".".join(block.labels if block.type == "resource" else (block.type, *block.labels))


def _attributes(one: Resource) -> Mapping[str, str]:
    own = {str(item.name): item.value.span.of(one.text) for item in one.block.arguments}
    return own | {name: text for over in one.over for name, text in _attributes(over).items()}
