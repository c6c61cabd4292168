"""Real repositories in temporary folders."""

import os
import subprocess
from pathlib import Path
from typing import Final

CLEAN: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Kim Example"),
    **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "kim@acme.example"),
    **dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "1700000000 +0000"),
}


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Run git as a person would, without this machine's configuration."""
    done = subprocess.run(
        ("git", *arguments), cwd=folder, env=os.environ | CLEAN, input=stdin, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


def make(folder: Path, files: dict[str, bytes], *options: str) -> Path:
    """A repository with one commit of `files`."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", *options)
    put(folder, files)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Begin")
    return folder


def put(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
