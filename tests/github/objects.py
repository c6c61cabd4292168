"""The Git data of a GitHub of our own, made by real git: trees, commits, and branches moved with a lease."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from tests.github.openapi import Json, Tree

_BOT = ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL")


class Objects(Struct, frozen=True):
    """Those of one bare repository."""

    bare: Path

    def tree(self, body: Tree) -> str:
        """The files of a request over its base."""
        index, files = self.bare / "index.request", body["tree"]
        assert isinstance(files, list)
        env = {"GIT_INDEX_FILE": str(index)}
        self._git("read-tree", str(body["base_tree"]), env=env)
        for file in files:
            assert isinstance(file, dict)
            blob = self._git("hash-object", "-w", "--stdin", stdin=str(file["content"]))
            entry = f"{file['mode']},{blob},{file['path']}"
            self._git("update-index", "--add", "--cacheinfo", entry, env=env)
        made = self._git("write-tree", env=env)
        index.unlink()
        return made

    def commit(self, body: Tree) -> str:
        parents = body["parents"]
        assert isinstance(parents, list)
        options = [part for parent in parents for part in ("-p", str(parent))]
        who = dict.fromkeys(_BOT, "acme[bot]")
        return self._git("commit-tree", *options, str(body["tree"]), stdin=str(body["message"]), env=who)

    def move(self, update: Json, takes: frozenset[str] | None) -> str:
        """Why a branch was not moved, empty when it was; `takes` are the only new commits that may come."""
        assert isinstance(update, dict)
        name, before, after = (str(update[key]) for key in ("name", "beforeOid", "afterOid"))
        new = self._git("rev-list", after, "--not", "--branches").split()
        if takes is not None and not takes.issuperset(new):
            return "Commits must have verified signatures."
        moved = subprocess.run(
            ["git", "-C", self.bare, "update-ref", name, after, before], capture_output=True, check=False
        )
        return "A ref was not where it was expected to be." if moved.returncode else ""

    def _git(self, *arguments: str, stdin: str = "", env: Mapping[str, str] | None = None) -> str:
        done = subprocess.run(
            ["git", "-C", self.bare, *arguments],
            input=stdin.encode(),
            capture_output=True,
            env={**os.environ, **(env or {})},
            check=True,
        )
        return done.stdout.decode().strip()
