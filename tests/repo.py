"""Real git repositories for tests: files, commits and branches with the same ids on every machine."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

ENVIRONMENT: Final = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "Ada Acme",
    "GIT_AUTHOR_EMAIL": "ada@acme.example",
    "GIT_AUTHOR_DATE": "2026-01-05T09:00:00+00:00",
    "GIT_COMMITTER_NAME": "Ada Acme",
    "GIT_COMMITTER_EMAIL": "ada@acme.example",
    "GIT_COMMITTER_DATE": "2026-01-05T09:00:00+00:00",
}


def not_of_git(environ: Mapping[str, str]) -> dict[str, str]:
    """Without what a hook of git is given: it names another repository."""
    return {name: value for name, value in environ.items() if not name.startswith("GIT_")}


ODD: Final = "caf\udce9" if sys.platform == "linux" else "café"
"""A name that is not UTF-8, where a file may have one."""


class Repo(Struct, frozen=True):
    path: Path

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        """What git says, without the last newline; a failure shows git's own words."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**not_of_git(os.environ), **ENVIRONMENT},
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, f"git {' '.join(arguments)}: {done.stderr.decode()}"
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Put files into the work tree byte for byte."""
        for name, content in files.items():
            file = self.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: Mapping[str, str | bytes], message: str = "Change") -> str:
        """Write and commit files, with whatever else changed in the work tree; gives the commit's id."""
        self.write(files)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Make a branch and check it out."""
        self.git("checkout", "--quiet", "-b", name, start)


def make(folder: Path, files: Mapping[str, str | bytes], origin: str = "", *, ids: str = "sha1") -> Repo:
    """A repository in `folder` whose branch `main` has one commit with `files`."""
    folder.mkdir(parents=True, exist_ok=True)
    repo = Repo(folder)
    repo.git("init", "--quiet", "--template=", "--initial-branch=main", f"--object-format={ids}")
    if origin:
        repo.git("remote", "add", "origin", origin)
    repo.commit(files, "Begin")
    return repo
