"""Made-up trees of a given size: one of all kinds of files, and a Terragrunt monorepo."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from msgspec import Struct

_RESOURCE: Final = """\
resource "acme_queue" "q{n}" {{
  name = "queue-{n}"

  tags = {{
    team  = "core"
    order = "{n}"
  }}
}}

"""

_BACKEND: Final = """\
terraform {{
{version}  backend "s3" {{
    bucket         = "acme-state"
    key            = "roots/{n}.tfstate"
    region         = "eu-west-1"
    dynamodb_table = "acme-locks" # one for all
    encrypt        = true
  }}
}}

"""

_ROOT: Final = """\
locals {
  account = read_terragrunt_config(find_in_parent_folders("account.hcl"))
  region  = read_terragrunt_config(find_in_parent_folders("region.hcl"))
}

remote_state {
  backend = "s3"

  generate = {
    path      = "backend.tf"
    if_exists = "overwrite_terragrunt"
  }

  config = {
    bucket         = "acme-state"
    key            = "${path_relative_to_include()}/terraform.tfstate"
    region         = "eu-west-1"
    dynamodb_table = "acme-locks"
    encrypt        = true
  }
}
"""

_UNIT: Final = """\
include "root" {{
  path = find_in_parent_folders("root.hcl")
}}

terraform {{
  source = "${{get_repo_root()}}/modules//queue{n}"
}}

inputs = {{
  name = "queue-{n}"
  size = {n}
}}
"""

_VERSION: Final = 'terraform {\n  required_version = ">= 1.5"\n}\n'

_BESIDE: Final = (
    ("{n}.yaml", "jobs:\n  plan:\n    steps:\n      - run: make plan\n" * 25),
    ("{n}.json", '{"name": "acme", "values": [1, 2, 3], "on": true}\n' * 40),
    ("Makefile", "plan:\n\t./run.sh plan\n" * 40),
    ("{n}.sh", "#!/bin/sh\nset -eu\necho plan\n" * 40),
    ("{n}.md", "# Notes\n\nWhat stands here is written for people.\n" * 25),
)


class Tree(Struct, frozen=True):
    """Where it is, how many files and how many backends it holds."""

    root: Path
    files: int
    backends: int


def mixed(root: Path, files: int) -> Tree:
    """70 % `.tf`; 5 % of all have a backend, a third of these with `required_version` in a file beside it."""
    chance = random.Random(1)
    backends = 0
    for number in range(files):
        folder = root / f"team{number // 500}" / f"service{number // 20}"
        folder.mkdir(parents=True, exist_ok=True)
        drawn = chance.random()
        if drawn < 0.05:
            backends += 1
            _write_root(folder / f"root{number}", number, beside=number % 3 == 0)
        elif drawn < 0.70:
            (folder / f"{number}.tf").write_text(_resources(number))
        else:
            name, text = _BESIDE[number % len(_BESIDE)]
            (folder / name.format(n=number)).write_text(text)
    return Tree(root, files, backends)


def monorepo(root: Path, units: int) -> Tree:
    """Terragrunt units of many accounts and regions, their backends made by one file that all include."""
    folders = {root}
    for number in range(units):
        account = root / "live" / f"account{number // 500}"
        region = account / f"region{number // 50 % 10}"
        unit = region / f"service{number // 5 % 10}" / f"part{number % 5}"
        unit.mkdir(parents=True)
        (unit / "terragrunt.hcl").write_text(_UNIT.format(n=number))
        for folder, name in ((account, "account"), (region, "region")):
            if folder not in folders:
                (folder / f"{name}.hcl").write_text(f'locals {{\n  {name} = "{folder.name}"\n}}\n')
                folders.add(folder)
    (root / "live" / "root.hcl").write_text(_ROOT)
    for number in range(units // 10):
        module = root / "modules" / f"queue{number}"
        module.mkdir(parents=True)
        (module / "main.tf").write_text(_resources(number))
        (module / "README.md").write_text("# Queue\n\nA queue and who may write to it.\n" * 10)
    return Tree(root, units + len(folders) + 2 * (units // 10), backends=units)


def _write_root(folder: Path, number: int, *, beside: bool) -> None:
    folder.mkdir()
    version = "" if beside else '  required_version = ">= 1.5"\n\n'
    (folder / "main.tf").write_text(_BACKEND.format(n=number, version=version) + _resources(number))
    if beside:
        (folder / "versions.tf").write_text(_VERSION)


def _resources(number: int) -> str:
    return "".join(_RESOURCE.format(n=number * 10 + at) for at in range(12))
