"""What stands in a repository according to programs that are not ours: HashiCorp's parser and ripgrep."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TypeAlias, TypedDict

from msgspec import Struct

from tests import hashicorp

TOKENS = ("dynamodb_table", "lock_table", "dynamodbTable", "use_lockfile")
# The folders the program leaves out and says so: git's own, tools' caches, vendored copies.
OUT = frozenset({".git", ".terraform", ".terragrunt-cache", "node_modules"})
RG = str(Path(sys.executable).parent / "rg")

Trees: TypeAlias = Mapping[str, hashicorp.Attributes]


class Token(Struct, frozen=True, order=True):
    path: str
    line: int
    text: str


class _Text(TypedDict):
    text: str


class _Submatch(TypedDict):
    match: _Text


class _Match(TypedDict):
    path: _Text
    line_number: int
    submatches: list[_Submatch]


class _Message(TypedDict):
    type: str
    data: _Match


def tokens(folder: Path) -> list[Token]:
    """Every exact token that names a lock, as ripgrep counts them over all files, hidden and ignored too."""
    patterns = [word for token in TOKENS for word in ("-e", token)]
    command = [RG, "--hidden", "--no-ignore", "-g", "!.git", "-ow", "--json", *patterns, "."]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    return sorted(token for line in told.splitlines() for token in _tokens(json.loads(line)))


def _tokens(message: _Message) -> Iterator[Token]:
    if message["type"] != "match":
        return
    path = PurePosixPath(message["data"]["path"]["text"])
    if not OUT.intersection(path.parts):
        for found in message["data"]["submatches"]:
            yield Token(str(path), message["data"]["line_number"], found["match"]["text"])


def trees(folder: Path) -> Trees:
    """The Terraform and Terragrunt files that HashiCorp's parser can read and that may hold a backend."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in {".tf", ".tofu", ".hcl"})
    told = [path for path in paths if _may_hold_a_backend(folder, path)]
    answers = hashicorp.parse(told)
    return {
        str(path.relative_to(folder)): found["tree"]
        for path, found in zip(told, answers, strict=True)
        if "tree" in found
    }


def _may_hold_a_backend(folder: Path, path: Path) -> bool:
    if path.is_symlink() or not path.is_file() or not OUT.isdisjoint(path.relative_to(folder).parts):
        return False
    return b"s3" in path.read_bytes()
