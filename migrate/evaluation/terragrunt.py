"""Terragrunt's names and functions, for one unit: what an expression means differs by who includes its file.

Paths are those of the repository below `TOP`, which stands for a folder of some machine: a setting that holds
it is not known. The functions as in terragrunt's pkg/config/config_helpers.go.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.evaluation.around import Files, NoFiles
from migrate.evaluation.config import Config, read
from migrate.evaluation.evaluate import Data, Made, evaluated
from migrate.evaluation.functions import Words
from migrate.model import Fact, Known, Scalar, Unknown

TOP: Final = "\0"
_DEEPEST: Final = 30  # a chain of locals that goes on longer goes round


class Frame(Struct, frozen=True):
    """Where an expression stands and for whom it is evaluated.

    `text` is the whole file that it stands in. `config` is the file at work for Terragrunt: the unit, also
    within what it includes; a file that is read is at work itself. `included` is the file that the unit
    includes and the expression stands in.
    """

    files: Files
    text: str
    config: PurePosixPath | None
    included: PurePosixPath | None = None
    unit: PurePosixPath | None = None
    depth: int = 0
    asked: set[str] = field(default_factory=set)
    """`unit`, once something was asked that only this unit can answer; its neighbours share the rest."""

    @property
    def here(self) -> Config:
        """The file that the expression stands in; most expressions ask nothing of it."""
        return read(self.text)

    def look(self, name: str, /) -> Data | Unknown:
        match name:
            case "local":
                if self.included is None:
                    self._ask_unit()
                return Locals(self)
            case "include":
                return Made({label: self._exposed(path) for label, path in self.here.includes.items()})
            case "values" if self.config and not self.included:
                self._ask_unit()
                return self.files.values(self.config.parent)
            case _:
                return Unknown(name)

    def call(self, name: str, arguments: tuple[Data, ...], /) -> Data | Unknown:
        function = _FUNCTIONS.get(name)
        words = tuple(word for word in arguments if isinstance(word, str))
        if function is None or self.config is None or len(words) < len(arguments):
            return Unknown(f"{name}()")
        if name in _OF_THE_FOLDER:
            self._ask_unit()
        return function(self, self.config, words)

    def value(self, expression: str) -> Data | Unknown:
        if self.depth > _DEEPEST:
            return Unknown(expression)
        return evaluated(expression, replace(self, depth=self.depth + 1))

    def setting(self, expression: str) -> Fact[Scalar]:
        """What an argument of the configuration comes to."""
        match self.value(expression):
            case str() as text if TOP in text:
                return Unknown(expression)
            case (str() | bool() | None) as scalar:
                return Known(scalar)
            case Unknown() as unknown:
                return unknown
            case _:
                return Unknown(expression)

    def path(self, expression: str) -> PurePosixPath | None:
        """The file of the repository that an expression names."""
        found = self.value(expression)
        return self.within(found) if isinstance(found, str) else None

    def within(self, written: str) -> PurePosixPath | None:
        """A path as written, from the top of the repository; None where it leads out."""
        if not written.startswith(TOP):
            self._ask_unit()
            written = posixpath.join(f"{TOP}/{self.config.parent}" if self.config else TOP, written)
        whole = posixpath.normpath(written)
        return PurePosixPath(whole[2:]) if whole.startswith(f"{TOP}/") else None

    def _ask_unit(self) -> None:
        if self.config == self.unit:
            self.asked.add("unit")

    def _exposed(self, expression: str) -> Data | Unknown:
        path = self.path(expression)
        frame = including(self.files, self.config, path) if path and self.config else None
        return Made({"locals": Locals(frame)}) if frame else Unknown(expression)


class Locals(Struct, frozen=True):
    """`local` of one file."""

    frame: Frame

    def look(self, name: str, /) -> Data | Unknown:
        expression = self.frame.here.locals.get(name)
        return Unknown(f"local.{name}") if expression is None else self.frame.value(expression)


_LAST: Final = re.compile(r"(.+)\.([^\W\d][\w-]*)", re.DOTALL)


def origin(frame: Frame, expression: str) -> tuple[PurePosixPath, str] | None:
    """The file and the local in it that an expression is another name for, through whatever files it goes."""
    parts = _LAST.fullmatch(expression.strip())
    whole = frame.value(parts[1]) if parts and frame.depth <= _DEEPEST else None
    if parts is None or not isinstance(whole, Locals):
        return None
    there = whole.frame
    behind = origin(replace(there, depth=frame.depth + 1), there.here.locals.get(parts[2], ""))
    path = there.included or there.config
    return behind or ((path, parts[2]) if path and parts[2] in there.here.locals else None)


def alone(text: str) -> Frame:
    """One file with nothing around it: its own locals are all that is known."""
    return Frame(NoFiles(), text, None)


def own(files: Files, unit: PurePosixPath) -> Frame | None:
    """The file of a unit itself."""
    text = files.text(unit)
    return None if text is None else Frame(files, text, unit, None, unit)


def including(files: Files, unit: PurePosixPath, included: PurePosixPath) -> Frame | None:
    """A file that the unit includes."""
    text = files.text(included)
    return None if text is None else Frame(files, text, unit, included, unit)


def _folder(config: PurePosixPath) -> str:
    return f"{TOP}/{config.parent}" if config.parent.name else TOP


def _find(frame: Frame, config: PurePosixPath, words: Words) -> Data | Unknown:
    name, other = (*(words or ("terragrunt.hcl",)), "")[:2]
    above = config.parent.parent
    found = frame.files.nearest(above, name) if above != config.parent else None
    return f"{TOP}/{found}" if found else other or Unknown(f"{name} in the folders above")


def _read(frame: Frame, config: PurePosixPath, words: Words) -> Data | Unknown:
    path = frame.within(words[0]) if words else None
    text = frame.files.text(path) if path else None
    if path is None or text is None:
        return Unknown("a file that is not here")
    return Made({"locals": Locals(replace(frame, text=text, config=path, included=None))})


def _relative(of: PurePosixPath, start: PurePosixPath) -> str:
    """As `posixpath.relpath` has it, at a tenth of the time: neither path climbs."""
    shared = len(posixpath.commonprefix([of.parts, start.parts]))
    return "/".join([".."] * (len(start.parts) - shared) + list(of.parts[shared:])) or "."


def _to_include(frame: Frame, config: PurePosixPath, words: Words) -> Data | Unknown:
    included = _included(frame, words)
    return _relative(config.parent, included.parent) if included else _by_none(frame, ".")


def _from_include(frame: Frame, config: PurePosixPath, words: Words) -> Data | Unknown:
    included = _included(frame, words)
    return _relative(included.parent, config.parent) if included else _by_none(frame, ".")


def _parent(frame: Frame, config: PurePosixPath, words: Words) -> Data | Unknown:
    included = _included(frame, words)
    return _folder(included) if included else _by_none(frame, _folder(config))


def _original(frame: Frame, config: PurePosixPath, words: Words) -> Data | Unknown:
    frame.asked.add("unit")
    return _folder(frame.unit or config)


def _included(frame: Frame, words: Words) -> PurePosixPath | None:
    """The included file such a function speaks of: this one, else that of the label, else the only one."""
    if frame.included or not frame.here.includes:
        return frame.included
    paths = frame.here.includes
    wanted = words[:1] or (tuple(paths) if len(paths) == 1 else ())
    return next((frame.path(paths[label]) for label in wanted if label in paths), None)


def _by_none(frame: Frame, answer: str) -> Data | Unknown:
    """Without an include Terragrunt answers with the file itself; one that was not found may be anything."""
    return Unknown("the included file") if frame.here.includes else answer


_OF_THE_FOLDER: Final = frozenset(
    (
        *("get_parent_terragrunt_dir", "get_terragrunt_dir"),
        *("get_path_from_repo_root", "get_path_to_repo_root"),
        *("path_relative_from_include", "path_relative_to_include"),
    )
)
"""What differs between two units of one parent folder."""

_FUNCTIONS: Final[Mapping[str, Callable[[Frame, PurePosixPath, Words], Data | Unknown]]] = {
    "find_in_parent_folders": _find,
    "get_original_terragrunt_dir": _original,
    "get_parent_terragrunt_dir": _parent,
    "get_path_from_repo_root": lambda _, config, __: str(config.parent),
    "get_path_to_repo_root": lambda _, config, __: _relative(PurePosixPath(), config.parent),
    "get_repo_root": lambda _, __, ___: TOP,
    "get_terragrunt_dir": lambda _, config, __: _folder(config),
    "path_relative_from_include": _from_include,
    "path_relative_to_include": _to_include,
    "read_terragrunt_config": _read,
}
