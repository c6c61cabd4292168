"""Terramate's source and its copies: one change, as `terramate generate` would leave them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.estates import Files, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]

SOURCE = """\
generate_hcl "backend.tf" {
  content {
    terraform {
      backend "s3" {
        region         = "eu-west-1"
        bucket         = "acme-state"
        key            = terramate.stack.id
        dynamodb_table = "acme-locks"
      }
    }
  }
}
"""
COPY = """\
// TERRAMATE: GENERATED AUTOMATICALLY DO NOT EDIT

terraform {
  backend "s3" {
    bucket         = "acme-state"
    dynamodb_table = "acme-locks"
    key            = "%s"
    region         = "eu-west-1"
  }
}
"""
BOTH = '    region         = "eu-west-1"\n    use_lockfile   = true\n'
LOCKFILE = """\
  backend "s3" {
    bucket       = "acme-state"
    key          = "net"
    region       = "eu-west-1"
    use_lockfile = true
  }
"""
FILES: Files = {
    "imports/backend.tm.hcl": SOURCE,
    "net/backend.tf": COPY % "net",
    "app/backend.tf": COPY % "app",
}
RETIRE = ("edit", "--phase", "retire", "--force", "all are dual", "--write")


def test_source_and_copies_change_together(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", FILES)
    first = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    again = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (first.code, again.code, again.out) == (0, 0, "")
    assert "\n        use_lockfile   = true\n" in (repo.path / "imports/backend.tm.hcl").read_text()
    assert all(BOTH in (repo.path / name).read_text() for name in FILES if name.endswith(".tf"))


def test_and_retire_together(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", FILES)
    run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    ran = run(capsys, *RETIRE, repo.path)
    assert ran.code == 0
    assert LOCKFILE in (repo.path / "net/backend.tf").read_text()
    assert not any("dynamodb_table" in (repo.path / name).read_text() for name in FILES)


@pytest.mark.parametrize(
    ("only", "place"), [("imports/*", "imports/backend.tm.hcl:4"), ("net/*", "net/backend.tf:4")]
)
def test_none_of_them_changes_without_the_others(
    only: str, place: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", FILES)
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", "--only", only, repo.path)
    assert (ran.code, ran.out) == (5, "")
    assert f"{place}: it changes together with " in ran.err
    assert ", which --only leaves out → name both in --only" in ran.err


HELD: dict[str, Files] = {
    "no source": {"net/backend.tf": COPY % "net"},
    "a source of other arguments": {**FILES, "imports/backend.tm.hcl": SOURCE.replace("region ", "encrypt")},
    "two sources, as near": {**FILES, "mixins/backend.tm.hcl": SOURCE},
}


@pytest.mark.parametrize("files", HELD.values(), ids=HELD)
def test_a_copy_of_no_known_source_stays(files: Files, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", files)
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (ran.code, (repo.path / "net/backend.tf").read_text()) == (5, COPY % "net")
    assert "→ edit its generate_hcl block; to regenerate: terramate generate" in ran.err


def test_a_copy_that_no_generator_wrote_stays(new_repo: New, capsys: Capture) -> None:
    broken = (COPY % "app").replace("    region", '    dynamodb_table = "twice"\n    region')
    repo = new_repo("net", {**FILES, "app/backend.tf": broken})
    run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (repo.path / "app/backend.tf").read_text() == broken


def test_the_nearest_source_is_that_of_a_copy(new_repo: New, capsys: Capture) -> None:
    far = SOURCE.replace("acme-locks", "acme-other")
    nested = {f"live/{name}": text for name, text in FILES.items()}
    repo = new_repo("net", {**nested, "imports/backend.tm.hcl": far})
    run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert BOTH in (repo.path / "live/net/backend.tf").read_text()
