"""Atmos: one edit in the file where a setting stands, for all components that it is merged into."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.estates import Files, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

CONFIG = "stacks:\n  base_path: stacks\n  included_paths: ['orgs/**/*']\n"
DEFAULTS = """\
terraform:
  backend_type: s3
  backend:
    s3:
      bucket: acme-state
      key: terraform.tfstate
      region: eu-west-1
      dynamodb_table: acme-locks
"""
STACK = """\
import:
- _defaults

components:
  terraform:
    net:
      vars: {}
    app:
      backend:
        s3:
          role_arn: null
"""
OVER = STACK.replace("role_arn: null", "dynamodb_table: acme-app-locks # its own")
VERSIONS = 'terraform {\n  required_version = ">= 1.11.0"\n}\n'
FILES: Files = {
    "atmos.yaml": CONFIG,
    "stacks/_defaults.yaml": DEFAULTS,
    "stacks/orgs/eu.yaml": STACK,
    "stacks/orgs/us.yaml": STACK,
    "components/terraform/net/versions.tf": VERSIONS,
    "components/terraform/app/versions.tf": VERSIONS,
}
RETIRE = ("edit", "--phase", "retire", "--force", "all are dual", "--write")


def test_one_edit_for_the_components_of_all_stacks(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", FILES)
    first = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (first.code, repo.git("status", "--short").split()) == (0, ["M", "stacks/_defaults.yaml"])
    assert (repo.path / "stacks/_defaults.yaml").read_text() == DEFAULTS + "      use_lockfile: true\n"
    assert run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path).out == ""
    assert run(capsys, *RETIRE, repo.path).code == 0
    assert (repo.path / "stacks/_defaults.yaml").read_text() == DEFAULTS.replace(
        "dynamodb_table: acme-locks", "use_lockfile: true"
    )


def test_where_a_component_names_a_table_of_its_own_it_is_edited_there(
    new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {**FILES, "stacks/orgs/eu.yaml": OVER})
    assert run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path).code == 0
    beside = "dynamodb_table: acme-app-locks # its own\n          use_lockfile: true"
    assert (repo.path / "stacks/orgs/eu.yaml").read_text() == STACK.replace("role_arn: null", beside)
    assert run(capsys, *RETIRE, repo.path).code == 0
    assert (repo.path / "stacks/orgs/eu.yaml").read_text() == STACK.replace(
        "role_arn: null", "use_lockfile: true"
    )
    assert "dynamodb_table" not in (repo.path / "stacks/_defaults.yaml").read_text()


def test_a_map_that_names_no_lock_or_only_the_table_is_edited_as_its_imports_say(
    new_repo: New, capsys: Capture
) -> None:
    unlocked = DEFAULTS.replace("      dynamodb_table: acme-locks\n", "")
    repo = new_repo("net", {**FILES, "stacks/_defaults.yaml": unlocked})
    assert run(capsys, "edit", "--phase", "dual-lock", "--include-unlocked", "--write", repo.path).code == 0
    key, adopted = "key: terraform.tfstate\n", repo.path / "stacks/_defaults.yaml"
    assert adopted.read_text() == unlocked.replace(key, f"{key}      use_lockfile: true\n")
    named = OVER.replace("dynamodb_table", "encrypt: true\n          dynamodb_table")
    own = new_repo(
        "own", {**FILES, "stacks/_defaults.yaml": adopted.read_text(), "stacks/orgs/eu.yaml": named}
    )
    assert run(capsys, *RETIRE, own.path).code == 0
    assert (own.path / "stacks/orgs/eu.yaml").read_text() == STACK.replace("role_arn: null", "encrypt: true")


def test_a_lock_that_an_import_may_change_keeps_the_table(new_repo: New, capsys: Capture) -> None:
    """The lockfile beside the table is as good for it as before; without the table it might have no lock."""
    unread = STACK.replace("- _defaults", "- _defaults\n- catalog/{{ .vars.stage }}")
    repo = new_repo("net", {**FILES, "stacks/orgs/eu.yaml": unread})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (ran.code, repo.git("status", "--short").split()) == (5, ["M", "stacks/_defaults.yaml"])
    assert "the table may come out of catalog/{{ .vars.stage }}, which stacks/orgs/eu.yaml imports" in ran.err
    assert run(capsys, *RETIRE, repo.path).code == 5
    assert "dynamodb_table: acme-locks" in (repo.path / "stacks/_defaults.yaml").read_text()


def test_the_floor_is_that_of_the_components(new_repo: New, capsys: Capture) -> None:
    old = VERSIONS.replace("1.11.0", "1.5")
    repo = new_repo("net", {**FILES, "components/terraform/app/versions.tf": old})
    ran = run(capsys, "audit", "--format", "sarif", repo.path)
    assert "components/terraform/app/versions.tf" in ran.out
    assert "components/terraform/net/versions.tf" not in ran.out
