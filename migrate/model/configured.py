"""Configurations that no single block holds: those of Terragrunt's units, and of maps in many files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from migrate.model.facts import Fact
from migrate.model.found import Scalar


class Unit(Struct, frozen=True):
    """A directory in which Terragrunt runs a configuration, and what settings of it come to there."""

    directory: PurePosixPath
    values: Mapping[str, Scalar]


class Layer(Struct, frozen=True):
    """One map of a configuration that maps of several files make together: the site of that name in the file.

    Where `name` is empty, anything may come in between there, for the reason `why`.
    """

    path: PurePosixPath
    name: str
    why: str = ""


class Layered(Struct, frozen=True):
    """A configuration of `layers`, of which later ones win, in the directory `root`.

    `prefix` is its `workspace_key_prefix` where no layer says one. `filled`: it takes the place of an empty
    backend block there. `said` are arguments with what they come to in that directory.
    """

    root: PurePosixPath
    layers: tuple[Layer, ...]
    prefix: Fact[str] | None = None
    units: int = 1
    """How many pairs of a stack and a component are configured so."""
    filled: bool = True
    said: tuple[tuple[str, Scalar], ...] = ()
