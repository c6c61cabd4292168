"""The audit as people read it: what differs in its name alone is said once."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.rules import floor_open
from tests.cli.estates import TABLE, run

ROOT = """\
remote_state {
  backend = "s3"
  config = {
    bucket         = %s
    key            = "${path_relative_to_include()}/t"
    dynamodb_table = "acme-locks"
  }
}
"""
UNIT = 'include "root" {\n  path = find_in_parent_folders("root.hcl")\n}\n'


def states(folder: Path, capsys: pytest.CaptureFixture[str], bucket: str, units: int) -> list[str]:
    (folder / "root.hcl").write_text(ROOT % bucket)
    for unit in range(units):
        (folder / f"u{unit}").mkdir()
        (folder / f"u{unit}/terragrunt.hcl").write_text(UNIT)
    out = run(capsys, "audit", folder).out.splitlines()
    return [line for line in out if line.startswith("table ")]


def test_few_states_of_one_place_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert states(tmp_path, capsys, '"acme"', 2) == [
        "table  yes       s3://acme/u0/t           root.hcl:1",
        "table  yes       s3://acme/u1/t           root.hcl:1",
    ]


def test_many_states_of_one_place_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert states(tmp_path, capsys, '"acme"', 9) == [
        "table  yes       s3://acme/u0/t and 8 more           root.hcl:1"
    ]


def test_units_of_states_nobody_knows_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert states(tmp_path, capsys, 'get_env("BUCKET")', 3) == [
        "table  yes       not known from source (3 units)           root.hcl:1"
    ]


def test_what_is_said_of_more_than_two_places_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, floor in {"a": "1.5", "b": "1.6", "c": "1.7", "d": "1.11.0", "e": "1.11.0"}.items():
        block = TABLE.replace("1.11.0", floor).replace("net.tf", f"{name}.tf")
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.tf").write_text(
            block if name < "d" else block.replace('"acme-state"', "var.b")
        )
    lines = run(capsys, "audit", tmp_path).out.splitlines()
    start = lines.index("WARNING floor-open (3)  blocks dual-lock")
    assert lines[start + 1 : start + 9] == [
        "  the constraint admits Terraform 1.10.5, the floor is 1.11.0",
        "    a/main.tf:2",
        "    b/main.tf:2",
        "    c/main.tf:2",
        f"  → {floor_open.REMEDY}",
        "WARNING unresolved (2)  blocks retire",
        "  d/main.tf:4  not known from source: bucket",
        "  e/main.tf:4  not known from source: bucket",
    ]
