"""The Terraform code of one repository, read folder by folder as it is asked for, and who calls which."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from migrate import hcl
from migrate.campaign.reading.tree import Tree
from migrate.evaluation.opentofu import Directory, directory
from migrate.model import Link, Place, RepoId, within
from migrate.text import Lines

READ: Final = (".tf", ".tofu")
_TOP: Final = ("variable", "locals", "output", "module", "resource", "data")
_ANY: Final = re.compile("")


class Placed(Struct, frozen=True):
    """A block of the top level of the file at `path`, whose text is `text`."""

    path: PurePosixPath
    text: str
    block: hcl.Block

    @property
    def label(self) -> str:
        return ".".join(self.block.labels)


class Folders:
    """What stands in a folder, and which folders call it as a module."""

    def __init__(self, repo: RepoId, links: Iterable[Link], files: Tree) -> None:
        self.files = files
        self._repo = repo
        self._read: dict[PurePosixPath, list[Placed]] = {}
        self._callers: dict[PurePosixPath, set[PurePosixPath]] = defaultdict(set)
        for link in links:
            if link.kind == "module":
                self._callers[link.path].add(link.origin.path.parent)

    def blocks(self, folder: PurePosixPath, *types: str) -> Iterator[Placed]:
        """The blocks of a folder, of these types or all."""
        if folder not in self._read:
            self._read[folder] = [
                Placed(path, text, block)
                for path, text in self.texts(folder, READ)
                for block in hcl.blocks(text, _TOP, _ANY).blocks
            ]
        return (one for one in self._read[folder] if not types or one.block.type in types)

    def texts(self, folder: PurePosixPath, endings: tuple[str, ...]) -> Iterator[tuple[PurePosixPath, str]]:
        for name in sorted(self.files.names(folder)):
            if name.endswith(endings):
                yield folder / name, self.files.text(folder / name) or ""

    def scope(self, folder: PurePosixPath) -> Directory:
        """What variables and locals of a folder come to."""
        return directory({path.name: text for path, text in self.texts(folder, (*READ, ".tfvars"))})

    def calls(self, folder: PurePosixPath) -> Iterator[Placed]:
        """The calls of a folder as a module."""
        for caller in sorted(self._callers[folder]):
            yield from (one for one in self.blocks(caller, "module") if self.called(one) == folder)

    def called(self, call: Placed) -> PurePosixPath | None:
        """The folder that a module call leads to, where it is one of this repository."""
        source = call.block.value("source")
        target = str(source.value) if isinstance(source, hcl.Literal) else ""
        return within(call.path.parent, target) if target.startswith(("./", "../")) else None

    def place(self, path: PurePosixPath, text: str, offset: int) -> Place:
        return Place(self._repo, path, Lines(text).line(offset))
