"""What is mutated: the examples of the dialects' tests, or files of real repositories that name a lock."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from types import ModuleType

from tests.dialects import (
    test_action_input,
    test_atmos,
    test_code,
    test_flags,
    test_partial,
    test_remote_state,
    test_renamed,
    test_shell,
    test_template,
    test_terraform,
    test_terraform_json,
    test_terragrunt,
    test_terramate,
)

Seed = tuple[PurePosixPath, str]

_LOCKED = re.compile(rb"dynamodb_table|use_lockfile|lock_table|dynamodbTable|backend \"s3\"")
_LARGE = 40_000
"""A longer file takes the time of many short ones and shows no more."""
_SHORT = 40
"""A shorter string of a test is a name or a reason, no file."""
_OUT = frozenset({".git", ".terraform", ".terragrunt-cache", "node_modules"})
_EXAMPLES: Mapping[str, ModuleType] = {
    "net/main.tf": test_terraform,
    "net/main.tf.json": test_terraform_json,
    "net/prod.tfbackend": test_partial,
    "net/dev.tfvars": test_renamed,
    "net/remote.tf": test_remote_state,
    "net/terragrunt.hcl": test_terragrunt,
    "net/a.tm.hcl": test_terramate,
    "net/backend.tf.j2": test_template,
    "stacks/net.yaml": test_atmos,
    ".github/workflows/net.yml": test_action_input,
    "main.ts": test_code,
    "run.sh": test_shell,
    "Makefile": test_flags,
}


def own() -> list[Seed]:
    """Every example of a dialect's test, under a name that the dialect reads."""
    return [
        (PurePosixPath(name), text)
        for name, module in _EXAMPLES.items()
        for example in vars(module).values()
        for text in _strings(example)
        if len(text) > _SHORT
    ]


def _strings(example: object) -> Iterator[str]:
    match example:
        case str():
            yield example
        case dict():
            for inner in example.values():
                yield from _strings(inner)
        case tuple() | list():
            for inner in example:
                yield from _strings(inner)
        case _:
            return


def real(folder: Path) -> Iterator[Seed]:
    """The files below a folder that name a lock, in the order of their paths; none is a symlink."""
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _OUT)
        yield from _texts(folder, (Path(at, name) for name in sorted(files)))


def _texts(folder: Path, paths: Iterable[Path]) -> Iterator[Seed]:
    for path in paths:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGE:
            continue
        data = path.read_bytes()
        if _LOCKED.search(data):
            try:
                yield PurePosixPath(path.relative_to(folder)), data.decode()
            except UnicodeDecodeError:
                continue
