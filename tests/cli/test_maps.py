"""Terragrunt: a map in one file, the `remote_state` of many others: edited where it stands, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.estates import Files, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

COMMON = """\
locals {
  org = "acme"
  backend_map = {
    bucket         = "${local.org}-state"
    dynamodb_table = "acme-locks" # shared
    encrypt        = true
  }
}
"""
BOTH = COMMON.replace("# shared\n", "# shared\n    use_lockfile   = true\n")
LOCKFILE = """\
locals {
  org = "acme"
  backend_map = {
    bucket       = "${local.org}-state"
    use_lockfile = true
    encrypt      = true
  }
}
"""
ROOT = """\
locals {
  common = read_terragrunt_config(find_in_parent_folders("common.hcl"))
}
remote_state {
  backend = "s3"
  config  = merge(local.common.locals.backend_map, { key = "${path_relative_to_include()}/t" })
}
"""
UNIT = 'include "root" {\n  path = find_in_parent_folders("root.hcl")\n}\n'
FILES: Files = {
    "common.hcl": COMMON,
    "root.hcl": ROOT,
    "live/app/terragrunt.hcl": UNIT,
    "live/net/terragrunt.hcl": UNIT,
}
RETIRE = ("edit", "--phase", "retire", "--force", "all are dual", "--write")
SHORT = ROOT.replace('"))', '")).locals').replace("local.common.locals.", "local.common.")
BEHIND = ROOT.replace(
    "local.common.locals.backend_map, { key",
    '{ dynamodb_table = "old", key',
).replace('/t" })', '/t" }, local.common.locals.backend_map)')
NEAR = {**FILES, "live/common.hcl": COMMON.replace("acme-locks", "live-locks")}


def states(repo: Repo, capsys: Capture) -> list[tuple[str, str, str]]:
    """Of each state its key, its lock and its table."""
    report = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)
    return [
        (s["id"].removeprefix("s3://acme-state/"), s["lock"], s["table"]["name"]) for s in report["states"]
    ]


@pytest.mark.parametrize(
    ("files", "table"),
    [
        (FILES, "acme-locks"),
        ({**FILES, "root.hcl": SHORT}, "acme-locks"),
        ({**FILES, "root.hcl": BEHIND}, "acme-locks"),
        (NEAR, "live-locks"),
        ({**FILES, "app.hcl": "inputs = {\n  backend_map = {}\n}\n"}, "acme-locks"),
    ],
    ids=[
        "the locals of a file",
        "a file's locals by name",
        "over arguments",
        "the nearest file",
        "beside an argument of that name",
    ],
)
def test_the_map_is_what_its_readers_have(files: Files, table: str, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", files)
    assert states(repo, capsys) == [("live/app/t", "table", table), ("live/net/t", "table", table)]


def test_one_edit_where_the_map_stands(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", FILES)
    assert run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path).code == 0
    assert (repo.path / "common.hcl").read_text() == BOTH
    assert run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path).out == ""
    assert run(capsys, *RETIRE, repo.path).code == 0
    assert (repo.path / "common.hcl").read_text() == LOCKFILE
    assert (repo.path / "root.hcl").read_text() == ROOT
    assert run(capsys, *RETIRE, repo.path).out == ""


REFUSED: dict[str, Files] = {
    "another reader": {
        "app.hcl": 'remote_state {\n  backend = "s3"\n  config = {}\n}\ninputs = local.x.backend_map\n'
    },
    "another local of its file": {
        "common.hcl": COMMON.replace("  org", "  other = local.backend_map\n  org")
    },
    "a local of the file that reads it": {
        "root.hcl": ROOT.replace("  common =", "  x = local.common.locals.backend_map\n  common =")
    },
    "a map that is no literal": {
        "common.hcl": COMMON.replace("= {", "= merge({").replace("  }\n}", "  })\n}")
    },
    "in the midst of arguments": {"root.hcl": ROOT.replace("(local.c", '({ region = "r" }, local.c')},
    "a file that is not here": {"root.hcl": ROOT.replace('"common.hcl"', '"gone.hcl"')},
}


@pytest.mark.parametrize("files", REFUSED.values(), ids=REFUSED.keys())
def test_else_it_is_refused_with_the_place(files: Files, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {**FILES, **files})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    why = "the table may come out of local.common.locals.backend_map → edit the map it comes from"
    assert (ran.code, repo.git("status", "--short"), f": {why}" in ran.err) == (5, "", True)


def test_a_map_that_nobody_reads_stays_a_mention(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"common.hcl": COMMON})
    report = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)
    assert (report["sites"], report["summary"]["unaccounted"]) == ([], 1)
