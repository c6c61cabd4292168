"""OpenTofu's early evaluation: the values of variables and locals in a backend, which Terraform refuses."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import hcl
from migrate.campaign.reading.tree import Tree
from migrate.evaluation.opentofu import READ, SPEAKS, Directory, directory
from migrate.model import Known, Run, Setting, Site, Unit, Unknown
from migrate.settings import taken
from migrate.spelling.command_line import is_filled, values
from migrate.spelling.commands import PROSE


def early_units(
    sites: Iterable[Site],
    aliases: Mapping[PurePosixPath, Iterable[PurePosixPath]],
    files: Tree,
    runs: Collection[Run] = (),
) -> Mapping[str, tuple[Unit, ...]]:
    """By the id of a site whose backend has such expressions, each directory that its file serves, and their
    values there. A variable that a run or the environment may set otherwise is left out: it is not known.

    `aliases` are the symlinks that lead to a file, `runs` all runs of engines in the repository.
    """
    found: dict[str, tuple[Unit, ...]] = {}
    set_: Set[str] | None = None
    for site in sites:
        asked = [setting for setting in site.settings if _is_early(setting)]
        if site.dialect == "terraform" and asked:
            set_ = {*_in_environments(files), *_by_wrappers(files)} if set_ is None else set_
            roots = sorted({site.root, *(link.parent for link in aliases.get(site.path, ()))})
            found[site.id] = tuple(Unit(root, _values(root, asked, files, runs, set_)) for root in roots)
    return found


def _is_early(setting: Setting) -> bool:
    return setting.by_name and isinstance(setting.value, Unknown) and bool(SPEAKS.search(setting.value.why))


def _values(
    root: PurePosixPath, asked: Iterable[Setting], files: Tree, runs: Iterable[Run], set_: Set[str]
) -> Mapping[str, str | bool | None]:
    texts = {name: files.text(root / name) or "" for name in files.names(root) if name.endswith(READ)}
    scope = _unchosen(directory(texts), root, texts, runs, set_)
    found = dict[str, str | bool | None]()
    for setting in asked:
        written = setting.value.why if isinstance(setting.value, Unknown) else ""
        fact = scope.setting(written)
        said = taken(setting.name, fact.value, written) if isinstance(fact, Known) else fact
        if isinstance(said, Known):
            found[setting.name] = said.value
    return found


def _in_environments(files: Tree) -> Iterator[str]:
    """The variables that something here sets by the environment, for whatever it runs."""
    for path, text in files.holding("TF_VAR_"):
        if path.suffix.lower() not in PROSE:
            yield from _SET.findall(text)


_SET: Final = re.compile(r"\bTF_VAR_(\w+)")


def _by_wrappers(files: Tree) -> Iterator[str]:
    """The variables that Terragrunt's `inputs` set, for whichever module; `EVERY` where not all are named
    there, or are in files and arguments that it gives, and where Atmos makes a file of them.
    """
    for path, text in files.holding(""):
        if path.name.endswith(".hcl"):
            for argument in hcl.parse(text).arguments if "inputs" in text else ():
                if argument.name == "inputs":
                    yield from _names(argument.value)
            if _GIVES.search(text):
                yield EVERY
        elif path.name.endswith(".hcl.json") or path.stem == "atmos":
            yield EVERY


EVERY: Final = "*"
_GIVES: Final = re.compile(r"\b(?:required|optional)_var_files\b|[\"']-var(?:-file)?[=\"' ]")


def _names(value: hcl.Value) -> Iterator[str]:
    items = value.items if isinstance(value, hcl.Object) else ()
    yield from (EVERY if item.name is None else item.name for item in items)
    if not isinstance(value, hcl.Object):
        yield EVERY


def _unchosen(
    scope: Directory, root: PurePosixPath, texts: Collection[str], runs: Iterable[Run], set_: Set[str]
) -> Directory:
    """The scope without the variables `set_` elsewhere, or by a run which may work in `root`: with `-var`, or
    out of a file that is not among `texts`.
    """
    said = [r.said for r in runs if not isinstance(r.directory, Known) or r.directory.value == root]
    given = {one.partition("=")[0] for words in said for one in values(words, "var")} | set_
    others = (file for words in said for file in values(words, "var-file") if not _is_beside(file, texts))
    every = EVERY in given or any(others)
    kept = {} if every else {n: e for n, e in scope.variables.items() if n not in given}
    return replace(scope, variables=kept)


def _is_beside(file: str, texts: Collection[str]) -> bool:
    """Whether what it sets is weighed already: a file of the directory, or by a pattern one of them."""
    name = file.removeprefix("./")
    by_pattern = "/" not in name and is_filled(name) and any(one.endswith(".tfvars") for one in texts)
    return name in texts or by_pattern
