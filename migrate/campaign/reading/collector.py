"""Collects what the plugs find in the files of one repository, file by file as a walk gives them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from migrate.campaign.reading.one_file import Taken, taken
from migrate.files import Item, Left, Linked, Noted, Opened, Read, Unreadable
from migrate.model import Definition, Link, Pin, Problem, RepoId, Run, Site, Source

if TYPE_CHECKING:  # most commands look at no policy, and should not pay for their imports
    from migrate.policies import PolicySource
    from migrate.spelling.written import Written

_PACKAGE: Final = ".pkg"
"""Hermit's links to itself say all that they say by their names."""


class Collector(Struct):
    """What has been found so far in one repository."""

    repo: RepoId
    asked: tuple[PolicySource, ...] = ()
    """The kinds of policies that are looked for."""
    sites: list[Site] = field(default_factory=list)
    pins: list[Pin] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    policies: list[Written] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    sources: dict[PurePosixPath, Source] = field(default_factory=dict)
    marks: set[PurePosixPath] = field(default_factory=set)
    aliases: dict[PurePosixPath, list[PurePosixPath]] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)

    def take(self, item: Item | Taken) -> None:
        match item:
            case Taken():
                self._add(item)
            case Read():
                self._add(taken(self.asked, self.repo, item))
            case Unreadable():
                self.unreadable.append(item)
            case Noted(path):
                self.marks.add(path)
            case Linked(path, target):
                self.aliases.setdefault(target, []).append(path)
                if path.suffix == _PACKAGE:
                    self._add(taken(self.asked, self.repo, Read(path, path.name.encode())))
            case Left():
                self.left.append(item)
            case Opened():
                pass

    def _add(self, found: Taken) -> None:
        match found.read:
            case Unreadable() as unreadable:
                self.unreadable.append(unreadable)
            case Source() as source:
                self.sources[found.path] = source
            case None:
                pass
        if found.marks:
            self.marks.add(found.path)
        self.sites += found.sites
        self.pins += found.pins
        self.runs += found.runs
        self.definitions += found.definitions
        self.policies += found.policies
        self.links += found.links
        self.problems += found.problems

    def order(self) -> None:
        """Sort all by file; what one file gave stays in its order."""
        for found in (
            self.sites,
            self.pins,
            self.runs,
            self.definitions,
            self.policies,
            self.unreadable,
            self.left,
        ):
            found.sort(key=lambda one: one.path.parts)  # as paths sort, at a tenth of the time
        self.links.sort(key=lambda link: link.origin.path.parts)
        self.problems.sort(key=lambda problem: problem.where.path.parts)
        self.sources = {
            path: self.sources[path] for path in sorted(self.sources, key=lambda path: path.parts)
        }
        self.aliases = {target: sorted(links) for target, links in sorted(self.aliases.items())}
