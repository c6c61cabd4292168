"""What a finding advises, done to the letter: the finding is gone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

import pytest

from tests.cli.estates import TABLE, UNLOCKED, Files, reader, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

OLD_ROLE: Final = TABLE.replace(
    "    region", '    role_arn       = "arn:aws:iam::111122223333:role/s"\n    region'
)
JENKINS: Final = "node('terraform') {\n  sh 'terraform init -input=false'\n}\n"
PINNED: Final = '  required_version = ">= 1.11.0"\n'
ADVISED: Final[dict[str, tuple[str, Files]]] = {
    "a reader": ("reader-names-table", {"app.tf": reader()}),
    "a constraint": ("floor-open", {"main.tf": TABLE.replace("1.11.0", "1.5")}),
    "no constraint": ("floor-open", {"main.tf": TABLE.replace(PINNED, "")}),
    "a partial file": (
        "floor-open",
        {"main.tf": 'terraform {\n  backend "s3" {}\n}\n', "ci.tfbackend": 'bucket = "b"\nkey = "k"\n'},
    ),
    "a version file": ("binary-below-floor", {"main.tf": TABLE, ".terraform-version": "1.9.8\n"}),
    "a bad release": ("release-to-avoid", {"main.tf": TABLE, ".terraform-version": "1.15.0\n"}),
    "old arguments": ("removed-argument", {"main.tf": OLD_ROLE}),
    "no lock": ("no-lock", {"main.tf": UNLOCKED}),
    "the table alone": ("table-only", {"main.tf": TABLE}),
    "a kept directory": ("needs-reconfigure", {"main.tf": TABLE, "Jenkinsfile": JENKINS}),
}
EDIT: Final = re.compile(r"tfrelock (edit (?:--[a-z-]+ ?(?:(?:pin|readers|dual-lock|assume-role) )?)+)")


def remedies(capsys: Capture, repo: Repo, rule: str) -> list[str]:
    found = json.loads(run(capsys, "audit", "--format", "json", repo.path).out)["findings"]
    return [one["remedy"] for one in found if one["rule"] == rule]


@pytest.mark.parametrize(("rule", "files"), ADVISED.values(), ids=ADVISED)
def test_what_a_finding_advises_cures_it(rule: str, files: Files, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", files)
    edits = [edit for remedy in remedies(capsys, repo, rule) for edit in EDIT.findall(f"{remedy} ")]
    assert edits
    for edit in edits:
        ran = run(capsys, *edit.split(), "--write", repo.path)
        assert ran.code == 0, ran.err
    assert remedies(capsys, repo, rule) == []
