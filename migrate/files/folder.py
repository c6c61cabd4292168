"""One folder: what stands in it, what of it is read, and what is left out."""

import os
from typing import NamedTuple

from migrate.files.items import Entry, Kind
from migrate.files.names import SKIPPED
from migrate.files.reading import FOLDER, Tree, look, reason


class Visit(NamedTuple):
    """What one folder gave, the folders in it to visit, and how many files it holds."""

    entries: list[Entry]
    deeper: list[str]
    files: int


def visit(tree: Tree, folder: str) -> Visit:
    """Read one folder of `tree`, or one file; `folder` is relative to its root, empty for the root."""
    try:
        at = os.open(f"{tree.root}/{folder}", FOLDER)
        try:
            return _visited(tree, folder, at)
        finally:
            os.close(at)
    except NotADirectoryError:
        return _one_file(tree, folder)
    except OSError as error:
        return Visit([tree.entry(folder, "unreadable", reason(error))], [], 0)


def _visited(tree: Tree, folder: str, at: int) -> Visit:
    with os.scandir(at) as listing:
        found = list(listing)
    if folder and (git := next((entry for entry in found if entry.name == ".git"), None)):
        return Visit([tree.entry(folder, _nested(tree, git))], [], 0)
    return _contents(tree, folder, at, found)


def _one_file(tree: Tree, path: str) -> Visit:
    """A PATH may name one file; it stands among the folders to visit."""
    folder, name = os.path.split(path)
    try:
        at = os.open(f"{tree.root}/{folder}", FOLDER)
    except OSError as error:
        return Visit([tree.entry(path, "unreadable", reason(error))], [], 0)
    try:
        entry = look(tree, at, name, path)
        return Visit([entry] if entry else [], [], 1)
    finally:
        os.close(at)


def _nested(tree: Tree, git: os.DirEntry[str]) -> Kind:
    if not tree.git:
        return "nested"
    return "repository" if git.is_dir() else "submodule"


def _contents(tree: Tree, folder: str, at: int, found: list[os.DirEntry[str]]) -> Visit:
    entries: list[Entry] = []
    deeper: list[str] = []
    prefix = f"{folder}/" if folder else ""
    for member in found:
        name = member.name
        path = prefix + name
        if member.is_file(follow_symlinks=False):
            entry = look(tree, at, name, path)
        elif member.is_dir(follow_symlinks=False) and name not in SKIPPED:
            entry = None
            if name != ".git":
                deeper.append(path)
        else:
            entry = _odd(tree, member, path)
        if entry is not None:
            entries.append(entry)
    return Visit(entries, deeper, len(found))


def _odd(tree: Tree, member: os.DirEntry[str], path: str) -> Entry | None:
    if member.name == ".git":
        return None
    if not member.is_symlink():
        return tree.entry(path, "copies" if member.is_dir() else "special")
    target = real_path(tree.root, path)
    if target is None:
        return tree.entry(path, "outside")
    if not SKIPPED.isdisjoint(target.split("/")):
        return tree.entry(path, "copies")
    exists = os.path.exists(os.path.join(tree.root, target))
    return tree.entry(path, "linked" if exists else "broken", target)


def real_path(root: str, path: str) -> str | None:
    """Where `path` leads, relative to `root`, symlinks followed; None when that is not in the repository, as
    no file is whose name holds what no name can (a null byte, half of a surrogate pair).
    """
    try:
        inside = os.path.relpath(os.path.realpath(os.path.join(root, path)), root)
    except ValueError:
        return None
    parts = inside.split("/")
    return None if ".." in parts or ".git" in parts else inside
