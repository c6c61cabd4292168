"""Wherever a root spells its backend, what this program writes there is what Terraform takes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from migrate.demo.cloud import REGION
from migrate.demo.stage import BUCKET, TABLE
from tests.corpus.program import Edit
from tests.real.lab import BOTH, HELD, LOCKFILE_ONLY, NEW, Lab, edit, locks_in

pytestmark = pytest.mark.terraform

SETTINGS: Final = {"bucket": BUCKET, "key": "KEY", "region": REGION, "dynamodb_table": TABLE, "encrypt": True}
OURS: Final = {"skip_credentials_validation": True, "skip_requesting_account_id": True}


def lines(settings: Mapping[str, object]) -> str:
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())


def block(*settings: Mapping[str, object]) -> str:
    inside = "".join(map(lines, settings))
    return f'terraform {{\nbackend "s3" {{\n{inside}}}\n}}\n'


def without(*names: str) -> Mapping[str, object]:
    return {name: value for name, value in SETTINGS.items() if name not in names}


PIPELINE: Final = "init:\n\tterraform init -backend-config=net.s3.tfbackend\n"
LOCK: Final = {"dynamodb_table": TABLE, "encrypt": True}

SPELLINGS: Final[Mapping[str, tuple[Mapping[str, str], str]]] = {
    "json": ({"main.tf.json": json.dumps({"terraform": {"backend": {"s3": SETTINGS | OURS}}}, indent=2)}, ""),
    "json list": ({"main.tf.json": json.dumps({"terraform": [{"backend": [{"s3": SETTINGS | OURS}]}]})}, ""),
    "one line each": ({"main.tf": block(SETTINGS, OURS)}, ""),
    "override": (
        {"main.tf": 'terraform {\n  backend "local" {}\n}\n', "backend_override.tf": block(SETTINGS, OURS)},
        "",
    ),
    "a whole partial file": (
        {"main.tf": 'terraform {\n  backend "s3" {}\n}\n', "net.s3.tfbackend": lines(SETTINGS | OURS)},
        "net.s3.tfbackend",
    ),
    "the lock in a partial file": (
        {"main.tf": block(without(*LOCK), OURS), "net.s3.tfbackend": lines(LOCK), "Makefile": PIPELINE},
        "net.s3.tfbackend",
    ),
    "the state in a partial file": (
        {"main.tf": block(LOCK, OURS), "net.s3.tfbackend": lines(without(*LOCK))},
        "net.s3.tfbackend",
    ),
}


def made(edited: Edit) -> list[str]:
    """The files that the edit changes, but for the init in the Makefile."""
    return [file["path"] for file in edited["files"] if file["path"] != "Makefile"]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_edited_backend_locks_where_it_says(spelling: str, lab: Lab, tmp_path: Path) -> None:
    """From the table to both locks and on to the lockfile, each time with the init its owner would run."""
    files, partial = SPELLINGS[spelling]
    key = f"spelled/{spelling.replace(' ', '-')}.tfstate"
    for name, text in {**files, "held.tf": HELD}.items():
        (tmp_path / name).write_text(text.replace("KEY", key))
    options = ("-reconfigure", *([f"-backend-config={partial}"] if partial else []))
    checkout = lab.checkout(tmp_path, NEW[0])
    assert len(made(edit(tmp_path, "dual-lock"))) == 1
    assert checkout.init(*options).code == 0
    assert locks_in(checkout, lab, key) == BOTH
    assert len(made(edit(tmp_path, "retire", "--force", "a test"))) == 1
    assert checkout.init(*options).code == 0
    assert locks_in(checkout, lab, key) == LOCKFILE_ONLY
