"""Which maps of Atmos' stack files make the backend of a component together, in the order in which they win.

As Atmos merges them: what a file imports, in its order, and then the file; of that the backend of all
components, then those of the components that one inherits from, then its own. Whatever is imported and is not
here may say anything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from heapq import merge
from operator import itemgetter
from pathlib import PurePosixPath
from posixpath import dirname
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.campaign.reading.tree import Tree
from migrate.evaluation.atmos import (
    CONFIGS,
    ENDINGS,
    TEMPLATES,
    Component,
    Config,
    Import,
    Manifest,
    fits,
    manifest,
)
from migrate.evaluation.atmos import config as configured
from migrate.model import Fact, Known, Layer, Layered, Site, Unknown

T = TypeVar("T")

_DEEPEST: Final = 50
_S3: Final = "backend.s3"
_ALL: Final = "terraform"
_ONE: Final = "components.terraform."
_ANY: Final = ""

Step: TypeAlias = tuple[PurePosixPath, str]
"""A file of the merge; or one that brings something that is not known, and why."""
Named: TypeAlias = frozenset[tuple[PurePosixPath, str]]
"""The maps that are sites: their file and name."""


def layers(sites: Iterable[Site], files: Tree) -> tuple[Layered, ...]:
    """Every configuration of a component in a stack, those of the same layers once."""
    named = frozenset(
        (site.path, site.name)
        for site in sites
        if site.dialect == "atmos" and site.role == "generator" and site.settings
    )
    if not named:
        return ()
    found = Counter[Layered]()
    paths = {path: str(path) for path, _ in sorted(files.holding(":")) if path.name.endswith(ENDINGS)}
    for path in paths:
        read = configured(path, files.text(path) or "") if path.name in CONFIGS else None
        if read:
            top = read.top
            below = {path: said[len(top) :] for path, said in paths.items() if said.startswith(top)}
            found.update(
                one for stack in _Base(read, files, below).stacks() for one in stack.configurations(named)
            )
    return tuple(replace(one, units=count) for one, count in found.items())


class _Base(Struct, frozen=True, dict=True):
    """The stack files of one configuration, each with its path below the base of the stacks."""

    config: Config
    files: Tree
    paths: Mapping[PurePosixPath, str]
    merged: dict[PurePosixPath, tuple[Step, ...]] = field(default_factory=dict)

    def stacks(self) -> Iterator[_Stack]:
        for path, below in self.paths.items():
            if self._is_stack(below):
                yield _Stack(self, self._steps(path))

    def read(self, path: PurePosixPath) -> Manifest:
        return manifest(dirname(self._below(path)) or ".", self.files.text(path) or "")

    def _below(self, path: PurePosixPath) -> str:
        return str(path).removeprefix(self.config.top)

    def _is_stack(self, path: str) -> bool:
        included = any(fits(pattern, path) for pattern in self.config.included)
        return included and not any(fits(pattern, path) for pattern in self.config.excluded)

    def _steps(self, path: PurePosixPath, depth: int = 0) -> tuple[Step, ...]:
        """A file behind all that it imports, each once: what comes again says again what it said."""
        if path not in self.merged:
            self.merged[path] = ((path, _ROUND),)  # what is found as long as this is not done
            listed = self.read(path).imports if depth < _DEEPEST else (_TOO_DEEP,)
            steps = [step for one in listed for step in self._imported(path, one, depth + 1)]
            self.merged[path] = (*_last(steps), (path, ""))
        return self.merged[path]

    def _imported(self, path: PurePosixPath, one: Import, depth: int) -> Iterator[Step]:
        files = list(self._named(one.path)) if one.path else []
        for file in files:
            yield from self._steps(file, depth)
        if not files and not one.optional and not (one.path and self._is_bare(one.path)):
            yield path, f"{one.written}, which {path} imports"

    def _named(self, path: str) -> Iterator[PurePosixPath]:
        """The files of an import; none where it is a template."""
        if "*" in path or "?" in path:
            yield from (known for known, below in self.paths.items() if fits(path, below))
            return
        endings = ("",) if PurePosixPath(path).suffix else (*ENDINGS, *TEMPLATES)
        named = [self.config.stacks / f"{path}{end}" for end in endings]
        first = next((one for one in named if self.files.text(one) is not None), None)
        template = self.config.stacks / f"{path}.tmpl"
        if first and not first.name.endswith(TEMPLATES) and self.files.text(template) is None:
            yield first

    def _is_bare(self, glob: str) -> bool:
        """Whether it means files that say nothing of backends, components and imports."""
        folder = (self.config.stacks / glob).parent
        return any(fits(glob, self._below(folder / name)) for name in self.files.names(folder))


_ROUND: Final = "what imports itself"
_TOO_DEEP: Final = Import(None, "more than can be followed")


def _last(found: Iterable[T]) -> list[T]:
    """Each once, where it came last."""
    return list(dict.fromkeys(reversed(list(found))))[::-1]


class _Stack(Struct, frozen=True, dict=True):
    """One stack: its files as they are merged."""

    base: _Base
    steps: tuple[Step, ...]
    lines: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: defaultdict[str, list[tuple[int, Layer]]] = field(default_factory=lambda: defaultdict(list))

    def configurations(self, named: Named) -> Iterator[Layered]:
        """Of a component that is a base for others alone there is none."""
        for name, component in self._components.items():
            layers = tuple(self._layers(name, named))
            if not component.abstract and self._may_be_s3(name) and any(layer.name for layer in layers):
                fills = self.base.config.generates
                yield Layered(self._root(name), layers, self._prefix(name), filled=fills)

    def _root(self, name: str) -> PurePosixPath:
        """Where its code is; of several that it may be, one with files."""
        config, files = self.base.config, self.base.files
        literal = (one for one in self._codes(name) if "{{" not in one and ".." not in one)
        folders = [config.components / one for one in literal]
        return next((one for one in folders if files.names(one)), (*folders, config.components)[0])

    def _prefix(self, name: str) -> Fact[str]:
        own = self._components[name].name
        said = (own,) if own else tuple(dict.fromkeys(self._codes(name)))
        if len(said) > 1 or "{{" in said[0]:
            return Unknown(f"workspace_key_prefix of {name}")
        return Known(said[0].replace("/", self.base.config.separator))

    def _codes(self, name: str) -> tuple[str, ...]:
        """What names its code: of old `metadata` was its own alone, now it is inherited."""
        own = self._components[name]
        line = [self._components.get(one, _BARE) for one in self._line(name)]
        inherited = tuple(one.directory for one in reversed(line) if one.directory)
        return (own.directory,) if own.directory else (own.base or name, *inherited[:1])

    def _may_be_s3(self, name: str) -> bool:
        said = [read.backend_type for _, read in self._read]
        said += [self._components.get(one, _BARE).backend_type for one in self._line(name)]
        last = next((one for one in reversed(said) if one), "s3")
        return last == "s3" or "{{" in last

    @cached_property
    def _read(self) -> tuple[tuple[Step, Manifest], ...]:
        """Each file as it is; of one that something unknown comes in by, nothing."""
        return tuple((step, Manifest() if step[1] else self.base.read(step[0])) for step in self.steps)

    @cached_property
    def _components(self) -> Mapping[str, Component]:
        merged: dict[str, Component] = {}
        for _, read in self._read:
            for name, said in read.components.items():
                merged[name] = _over(merged.get(name, _BARE), said)
        return merged

    def _layers(self, name: str, named: Named) -> Iterator[Layer]:
        yield from self._of(_ALL, named)
        for one in self._line(name):
            if one not in self._components:
                yield Layer(self.steps[-1][0], "", f"{one}, which {name} inherits from")
            yield from self._of(f"{_ONE}{one}", named)

    def _of(self, route: str, named: Named) -> Iterator[Layer]:
        """The maps of one part of all files, and what may come in between them."""
        places = self._places(named)
        return (layer for _, layer in merge(places[_ANY], places[route], key=itemgetter(0)))

    def _places(self, named: Named) -> dict[str, list[tuple[int, Layer]]]:
        """What each part is made of, with the number of the file: asked once for all components."""
        if not self.places:
            for at, ((path, why), read) in enumerate(self._read):
                parts: dict[str, Manifest | Component] = {_ALL: read}
                parts |= {f"{_ONE}{name}": said for name, said in read.components.items()}
                opaque = [_ANY] if why or read.opaque else [part for part in parts if parts[part].opaque]
                for part in opaque:
                    self.places[part].append((at, Layer(path, "", why or f"an alias in {path}")))
                for part in parts if not why else ():
                    if (path, f"{part}.{_S3}") in named:
                        self.places[part].append((at, Layer(path, f"{part}.{_S3}")))
        return self.places

    def _line(self, name: str, depth: int = 0) -> tuple[str, ...]:
        """The components that one is made of, each once, itself the last."""
        if name not in self.lines:
            self.lines[name] = (name,)  # what is found as long as this is not done
            component = self._components.get(name, _BARE)
            bases = (component.base, *(component.inherits or ())) if depth < _DEEPEST else (_MORE,)
            found = [one for base in bases if base for one in self._line(base, depth + 1)]
            self.lines[name] = (*(one for one in _last(found) if one != name), name)
        return self.lines[name]


_BARE: Final = Component()
_MORE: Final = "more than can be followed"


def _over(below: Component, above: Component) -> Component:
    """What two files say of one component; the later one wins, name by name."""
    return Component(
        inherits=below.inherits if above.inherits is None else above.inherits,
        base=above.base or below.base,
        directory=above.directory or below.directory,
        name=above.name or below.name,
        backend_type=above.backend_type or below.backend_type,
        abstract=below.abstract if above.abstract is None else above.abstract,
        opaque=above.opaque or below.opaque,
    )
