"""The units that Terragrunt's stacks make, as if they stood there: copies of folders, run in other places.

What is copied from elsewhere is not here to be read: it is a unit, or units, of which no state is known,
unless `terragrunt stack generate` left a copy of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from migrate import hcl
from migrate.campaign.reading.collector import Collector
from migrate.campaign.reading.tree import Tree
from migrate.evaluation import stacks
from migrate.evaluation.evaluate import Data
from migrate.evaluation.stacks import Component
from migrate.evaluation.terragrunt import Frame, own
from migrate.grouping import grouped
from migrate.model import Link, Setting, Site, Source, Unit, Unknown
from migrate.settings import DECISIVE
from migrate.sites import Sheet
from migrate.text import Span
from migrate.wishes import TABLE

_MOST: Final = 10_000
"""Copies that are followed: ten stacks of ten in ten are a thousand."""

_OPEN: Final = tuple(name for name in DECISIVE if name not in TABLE)
"""What is not known of a unit that is not here; of a table nothing says that it names one."""

_ELSEWHERE: Final = Unknown("set in files that are not here")

Block: TypeAlias = tuple[PurePosixPath, Component]
"""A block of a stack file, and that file."""


class Copy(Struct, frozen=True):
    """A folder of the repository, where it is put, and the values that are given to what runs there."""

    source: PurePosixPath
    folder: PurePosixPath
    values: Data | Unknown | None


class Unread(Struct, frozen=True):
    """What a block makes in a folder and is not known; `by` is the stack file where it is generated."""

    block: Block
    folder: PurePosixPath
    by: PurePosixPath
    why: str

    @property
    def name(self) -> str:
        return f"{self.block[1].kind}.{self.block[1].name}"


def take_stacks(collected: Collector, tree: Tree) -> Mapping[str, tuple[Unit, ...]]:
    """Put into the tree what stack files copy, and beside the other links those of the copies.

    Gives the units that are not known, by the site that stands for the block which makes them.
    """
    files = [path for path in collected.sources if path.name == stacks.FILE]
    if not files:
        return {}
    others = list(_of_other_kinds(collected.sites, tree))
    left = (one for one in _copy_all(files, tree) if not any(map(one.folder.is_relative_to, others)))
    unread = grouped(left, lambda one: (one.block[0], one.name))
    collected.links = list(_linked(collected.links, tree))
    units = {}
    for (path, _), several in unread.items():
        site = _site(collected.sources[path], several[0])
        collected.sites.append(site)
        units[site.id] = tuple(Unit(folder, {}) for folder in dict.fromkeys(one.folder for one in several))
    return units


def _of_other_kinds(sites: Iterable[Site], tree: Tree) -> Iterator[PurePosixPath]:
    """The folders with a file for all units below that keeps their state elsewhere than in S3, below none
    that keeps it there. What is copied into them includes that file; for what may still set a state of its
    own the gate `table-known` asks a person, as for other repositories.
    """
    in_s3 = {site.path.parent for site in sites if site.dialect == "terragrunt"}
    for path, text in tree.holding("remote_state"):
        items = hcl.parse(text).items if path.suffix == ".hcl" else ()
        speaks = "remote_state" in (i.name if isinstance(i, hcl.Argument) else i.type for i in items)
        if speaks and in_s3.isdisjoint((path.parent, *path.parent.parents)):
            yield path.parent


def _copy_all(files: Sequence[PurePosixPath], tree: Tree) -> list[Unread]:
    """Copy what is known; gives the rest. Of a stack file that others are copies of, what it lacks where it
    is written counts for nothing: it may be meant for these alone.
    """

    @cache
    def below(folder: PurePosixPath) -> list[PurePosixPath]:
        return [file.relative_to(folder) for file in files if file.is_relative_to(folder)]

    first = sorted(files, key=lambda file: len(file.parts))  # what makes copies is above those it left
    pending = deque(file for file in first if not tree.lacks_values(file))
    seen, unread = set[PurePosixPath](), []
    while pending:
        path = pending.popleft()
        for made in _made(path, tree) if path not in seen else ():
            match made:
                case Unread():
                    unread.append(made)
                case Copy(source, folder, values):
                    tree.copy(source, folder, values)
                    pending += [folder / file for file in below(tree.real(folder))]
        seen.add(path)
    return [one for one in unread if one.by not in files or not any(tree.copies_of(one.by))]


def _made(path: PurePosixPath, tree: Tree) -> Iterator[Copy | Unread]:
    """What a stack file makes where it stands, or where it is itself a copy."""
    frame = own(tree, path)
    if frame is None:
        return
    blueprint = own(tree, tree.real(path)) or frame
    for block, component in _components(path, frame, tree):
        source, folder = stacks.origin(component, frame, blueprint), stacks.destination(component, frame)
        why = component.more or _unknown(component, source, folder, tree)
        if source and folder and not why:
            yield Copy(source, folder, stacks.handed(component, frame))
        elif component.more or not _is_there(folder, component, tree):
            name = f'{component.kind} "{component.name}"'.removesuffix(' ""')
            at = folder if folder and component.kind != "include" else path.parent
            yield Unread(block, at, path, f"{name}: {why}")


def _components(path: PurePosixPath, frame: Frame, tree: Tree) -> Iterator[tuple[Block, Component]]:
    """Each component with the block of the stack file that brings it. What is off by `enabled` counts: a
    release that does not know the word makes it.
    """
    real = tree.real(path)
    for component in stacks.components(frame.text):
        inner = (component,) if component.kind != "include" else _included(component, frame, tree)
        yield from (((real, component), one) for one in inner)
    beside = tree.text(path.parent / stacks.BESIDE)
    block = Component("include", stacks.BESIDE, Span(0, 0), {})
    yield from (((real, block), one) for one in stacks.components(beside or ""))


def _included(component: Component, frame: Frame, tree: Tree) -> Iterable[Component]:
    file = stacks.included(component, frame)
    text = tree.text(file) if file else None
    missing = (replace(component, more="the file that it names is not here"),)
    return missing if text is None else stacks.components(text)


def _unknown(
    component: Component, source: PurePosixPath | None, folder: PurePosixPath | None, tree: Tree
) -> str:
    """Why a component is not copied; empty where it can be."""
    if folder is None:
        return "where it is put is not known from source"
    if source is None or not _is_there(source, component, tree):
        return "its source is not in this repository"
    if tree.real(source) in map(tree.real, folder.parents):
        return "it is put into itself, again and again"
    return "there are more copies than are followed" if len(tree.copies) >= _MOST else ""


def _is_there(folder: PurePosixPath | None, component: Component, tree: Tree) -> bool:
    return folder is not None and tree.text(folder / component.file) is not None


def _linked(links: Iterable[Link], tree: Tree) -> Iterator[Link]:
    """Each link where its file is, and where copies of it are; none of a unit that is for copies alone."""
    for link in links:
        path = link.origin.path
        copies = list(tree.copies_of(path)) if path.suffix == ".hcl" else []
        if not (copies and tree.lacks_values(path)):
            yield link
        yield from (replace(link, origin=replace(link.origin, path=copy)) for copy in copies)


def _site(source: Source, one: Unread) -> Site:
    component = one.block[1]
    nowhere = Span(component.span.start, component.span.start)
    settings = [Setting(name, _ELSEWHERE, nowhere, nowhere) for name in _OPEN]
    return Sheet(source, "terragrunt").site("code", one.name, component.span, settings, one.why)
