"""Terragrunt's stacks: what a `terragrunt.stack.hcl` file makes of folders of units, and where.

As `terragrunt stack generate` does (terragrunt pkg/config/stack.go at 1.1.3): a `unit` or a `stack` is a copy
of the folder that its `source` names, below `.terragrunt-stack` beside the stack file. There its own paths
begin, and those of what it includes.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from migrate import hcl
from migrate.evaluation.evaluate import Data, Made
from migrate.evaluation.terragrunt import TOP, Frame, alone
from migrate.model import Unknown
from migrate.text import Span

FILE: Final = "terragrunt.stack.hcl"
UNIT: Final = "terragrunt.hcl"
BESIDE: Final = "terragrunt.autoinclude.stack.hcl"
"""What is read with a stack file that it stands beside."""

VALUES: Final = "terragrunt.values.hcl"
"""The values that a unit or a stack was given, beside its file."""

REMEDY: Final = (
    "Run terragrunt stack generate, and audit the working tree again: the copies it leaves are read."
)
"""What makes known what a stack copies from elsewhere."""

_FOLDER: Final = ".terragrunt-stack"
_KINDS: Final = frozenset({"unit", "stack", "include"})
_TRUE: Final = (True, "true")
_VALUE: Final = re.compile(r"(?<![\w.])values\.")
_OWN: Final = re.compile(r"\bfor\s+(?:\w+\s*,\s*)?values\b")
"""What gives another meaning to the name."""

_FORGIVING: Final = ("try", "can")
_MAKING: Final = frozenset({"remote_state", "generate", "include", "unit", "stack"})
"""What in an `autoinclude` may change which states there are; most declare dependencies alone."""


class Component(Struct, frozen=True):
    """One block of a stack file: `kind` is `unit`, `stack` or `include`, `arguments` are expressions.

    `more` is what in it is not followed and may change which states there are; empty where nothing is.
    """

    kind: str
    name: str
    span: Span
    arguments: Mapping[str, str]
    more: str = ""

    @property
    def file(self) -> str:
        """What the copied folder must hold."""
        return UNIT if self.kind == "unit" else FILE


@lru_cache(maxsize=256)
def components(text: str) -> tuple[Component, ...]:
    """The blocks of a stack file in order, and behind them what is no HCL."""
    tree = hcl.blocks(text, _KINDS, tuple(_KINDS))
    broken = (Component("part", "", error, {}, "it is no HCL") for error in tree.errors[:1])
    return (*(_component(text, block) for block in tree.blocks), *broken)


def _component(text: str, block: hcl.Block) -> Component:
    arguments = {str(one.name): one.value.span.of(text) for one in block.arguments}
    more = (f"its {inner.type} block" for inner in block.blocks if _counts(inner))
    return Component(block.type, "".join(block.labels), block.span, arguments, next(more, ""))


def _counts(inner: hcl.Block) -> bool:
    named = {item.name if isinstance(item, hcl.Argument) else item.type for item in inner.items}
    return inner.type != "autoinclude" or not named.isdisjoint(_MAKING)


def destination(one: Component, frame: Frame) -> PurePosixPath | None:
    """The folder that a unit or stack is put in; None where that is not known or not allowed.

    `frame` is that of the stack file, at the place where this is generated.
    """
    path, bare = _said(one, "path", frame), _said(one, "no_dot_terragrunt_stack", frame)
    if frame.config is None or not isinstance(path, str) or isinstance(bare, Unknown):
        return None
    below = posixpath.normpath(path)
    if TOP in path or below.startswith(("/", "..")):
        return None
    beside = frame.config.parent
    return (beside if bare in _TRUE else beside / _FOLDER) / below


def origin(one: Component, frame: Frame, blueprint: Frame) -> PurePosixPath | None:
    """The folder of the repository that its `source` names, if it is one.

    `blueprint` is the frame of the stack file where it is written: with `update_source_with_cas` sources are
    seen from there, else from where it is generated.
    """
    seen = blueprint if _said(one, "update_source_with_cas", frame) in _TRUE else frame
    return seen.path(one.arguments.get("source", ""))


def handed(one: Component, frame: Frame) -> Data | Unknown | None:
    """The values that the copy is given; None where the block gives none."""
    return _said(one, "values", frame)


def included(one: Component, frame: Frame) -> PurePosixPath | None:
    """The file that an `include` of a stack file names: its blocks count as if they stood there."""
    return frame.path(one.arguments.get("path", ""))


def _said(one: Component, name: str, frame: Frame) -> Data | Unknown | None:
    written = one.arguments.get(name)
    return None if written is None else frame.value(written)


@lru_cache(maxsize=256)
def needs_values(text: str) -> bool:
    """Whether a file speaks of values that it must be given: without them it cannot be run."""
    given = "values." in text and not _OWN.search(text)
    return given and any(_need(text, item) for item in hcl.parse(text).items)


def _need(text: str, part: hcl.Item | hcl.Value | Span) -> bool:
    match part:
        case hcl.Block(items=parts) | hcl.Object(parts) | hcl.List(parts):
            return any(_need(text, one) for one in parts)
        case hcl.Template(parts) | hcl.Heredoc(pieces=parts):
            return any(_need(text, one) for one in parts)
        case hcl.Argument(value=value):
            return _need(text, value)
        case hcl.Call(name, arguments):
            return name not in _FORGIVING and any(_need(text, one) for one in arguments)
        case hcl.Choice(condition, yes, no):
            return any(_need(text, one) for one in (condition, yes, no))
        case hcl.Other(span):
            return _VALUE.search(span.of(text)) is not None
        case hcl.Literal() | Span():
            return False


def written(text: str) -> Made:
    """What a file of values holds."""
    frame = alone(text)
    arguments = hcl.parse(text).arguments
    return Made({str(one.name): frame.value(one.value.span.of(text)) for one in arguments}, whole=True)
