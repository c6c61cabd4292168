"""Atmos: which files a stack manifest imports, and what it and its configuration say of components.

As in atmos's internal/exec/stack_processor_utils.go and stack_processor_backend.go. What a template, a YAML
function or an alias gives is not known here.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, field

from migrate import yamltree

CONFIGS: Final = ("atmos.yaml", "atmos.yml", ".atmos.yaml", ".atmos.yml")
ENDINGS: Final = (".yaml", ".yml")
TEMPLATES: Final = (".yaml.tmpl", ".yml.tmpl")
_NOT_LITERAL: Final = re.compile(r"\{\{|::|://|\A(?:git@|[\w-]+\.\w+/)|[\[\]{}\\]")


class Import(Struct, frozen=True):
    """One import. `path` is a path or glob without its ending, from the base of the stacks; None: not known
    from source, and then `written` says what stands there.
    """

    path: str | None
    written: str
    optional: bool = False


class Component(Struct, frozen=True):
    """What one file says of a Terraform component; empty and None where it says nothing.

    `opaque`: an alias or merge key may bring a backend.
    """

    inherits: tuple[str, ...] | None = None
    base: str = ""
    directory: str = ""
    name: str = ""
    backend_type: str = ""
    abstract: bool | None = None
    opaque: bool = False


class Manifest(Struct, frozen=True):
    """One stack file."""

    imports: tuple[Import, ...] = ()
    backend_type: str = ""
    opaque: bool = False
    components: Mapping[str, Component] = field(default_factory=dict)


class Config(Struct, frozen=True):
    """One configuration of Atmos; directories from the top of the repository."""

    stacks: PurePosixPath
    components: PurePosixPath
    included: tuple[str, ...]
    excluded: tuple[str, ...]
    separator: str = "-"
    generates: bool = True

    @property
    def top(self) -> str:
        """How the path of every stack file begins."""
        return f"{self.stacks}/" if self.stacks.name else ""


def config(path: PurePosixPath, text: str) -> Config | None:
    """The configuration in a file; None where it is no text, or leads out of the repository."""
    top = next(iter(yamltree.parse(text)), None)
    base = posixpath.join(str(path.parent), _text(top, "base_path"))
    components = ("components", "terraform")
    stacks = posixpath.normpath(posixpath.join(base, _text(top, "stacks", "base_path") or "stacks"))
    terraform = _text(top, *components, "base_path") or "components/terraform"
    code = posixpath.normpath(posixpath.join(base, terraform))
    if any(one.startswith(("..", "/")) or _NOT_LITERAL.search(one) for one in (stacks, code)):
        return None
    return Config(
        stacks=PurePosixPath(stacks),
        components=PurePosixPath(code),
        included=_texts(yamltree.at(top, "stacks", "included_paths")) or ("orgs/**/*",),
        excluded=_texts(yamltree.at(top, "stacks", "excluded_paths")) or ("**/_defaults.yaml",),
        separator=_text(top, *components, "workspace", "prefix_separator") or "-",
        generates=_text(top, *components, "auto_generate_backend_file") != "false",
    )


def fits(pattern: str, path: str) -> bool:
    """Whether a glob as doublestar takes it means a path; its ending may be left away.

    Each part of the path is held against each part of the glob at most once, however many stars there are.
    """
    parts = path.split("/")
    reached = {0}  # how much of the path the parts of the glob up to here may mean
    *folders, last = pattern.split("/")
    for one in folders:
        if one == "**":
            reached = set(range(min(reached, default=len(parts)), len(parts)))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and fnmatchcase(parts[at], one)}
    if last == "**":
        return bool(reached)
    ends = (last, *(f"{last}{ending}" for ending in ENDINGS))
    return len(parts) - 1 in reached and any(fnmatchcase(parts[-1], one) for one in ends)


@lru_cache(maxsize=4096)  # a few files are imported by all others
def manifest(directory: str, text: str) -> Manifest:
    """What a stack file says; `directory` is its own, from the base of the stacks."""
    top = next(iter(yamltree.parse(text)), None)
    terraform = yamltree.at(top, "terraform")
    listed = yamltree.at(top, "components", "terraform")
    members = listed.members if isinstance(listed, yamltree.Mapping) else ()
    return Manifest(
        imports=tuple(_imports(directory, yamltree.at(top, "import"))),
        backend_type=_text(terraform, "backend_type"),
        opaque=_is_opaque(terraform) or _is_opaque(yamltree.at(top, "components")) or _is_opaque(listed),
        components={member.key.value: _component(member.value) for member in members},
    )


def _imports(directory: str, listed: yamltree.Node | None) -> Iterator[Import]:
    if isinstance(listed, yamltree.Sequence):
        for item in listed.items:
            yield _import(directory, item)
    elif listed is not None:
        yield Import(None, "what it imports is no list")


def _import(directory: str, item: yamltree.Node | None) -> Import:
    written = item.value if isinstance(item, yamltree.Scalar) else _text(item, "path")
    optional = _text(item, "skip_if_missing") == "true"
    if not written or _NOT_LITERAL.search(written) or _text(item, "nested_imports") == "remote":
        return Import(None, written or "an import that is no text", optional)
    near = written.split("/")[0] in (".", "..")
    path = posixpath.normpath(posixpath.join(directory, written) if near else written)
    return Import(None if path.startswith(("..", "/")) else path, written, optional)


def _component(node: yamltree.Node | None) -> Component:
    inherits = yamltree.at(node, "metadata", "inherits")
    kind = _text(node, "metadata", "type")
    return Component(
        inherits=_texts(inherits) if inherits else None,
        base=_text(node, "component"),
        directory=_text(node, "metadata", "component"),
        name=_text(node, "metadata", "name"),
        backend_type=_text(node, "backend_type"),
        abstract=kind == "abstract" if kind else None,
        opaque=_is_opaque(node) or isinstance(inherits, yamltree.Alias),
    )


def _is_opaque(node: yamltree.Node | None) -> bool:
    """Whether it, or the backend in it, may hold more than what stands there."""
    parts = (node, yamltree.at(node, "backend"), yamltree.at(node, "metadata"))
    return any(isinstance(part, yamltree.Alias) or yamltree.at(part, "<<") is not None for part in parts)


def _text(node: yamltree.Node | None, *route: str) -> str:
    found = yamltree.at(node, *route)
    return found.value if isinstance(found, yamltree.Scalar) else ""


def _texts(node: yamltree.Node | None) -> tuple[str, ...]:
    items = node.items if isinstance(node, yamltree.Sequence) else ()
    return tuple(item.value for item in items if isinstance(item, yamltree.Scalar))
