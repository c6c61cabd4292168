"""What other programs must say of an edit, with HashiCorp's parser and real `terraform fmt`."""

import hashlib

import pytest

from tests import hashicorp
from tests.corpus import edits, fmt
from tests.corpus.program import Edit, FileEdit, Refusal
from tests.corpus.sites import site

pytestmark = [
    pytest.mark.skipif(not hashicorp.MODULES.is_dir(), reason="HashiCorp's parser is not set up"),
    pytest.mark.skipif(not fmt.TERRAFORM.is_dir(), reason="Terraform 1.11.4 is not set up"),
    pytest.mark.terraform,
]

BEFORE = b"""\
terraform {
  backend "s3" {
    bucket         = "acme-state"
    dynamodb_table = "acme-locks"
  }
}
"""
AFTER = BEFORE.replace(b'-locks"\n', b'-locks"\n    use_lockfile   = true\n')


def report(after: bytes, refusals: list[Refusal]) -> Edit:
    file: FileEdit = {
        "path": "net/main.tf",
        "sha256_before": hashlib.sha256(BEFORE).hexdigest(),
        "sha256_after": hashlib.sha256(after).hexdigest(),
        "reverse": "",
        "proof": {},
    }
    return {"files": [file] if after != BEFORE else [], "refusals": refusals, "suggestions": []}


def broken(after: bytes, made: Edit) -> set[str]:
    sites = [site("writer", table="acme-locks")]
    found = edits.broken_by("dual-lock", sites, {"net/main.tf": BEFORE}, {"net/main.tf": after}, made)
    return {one.promise for one in found}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (AFTER, set()),
        (AFTER.replace(b"   = true", b" = true"), {"format changed"}),
        (AFTER.replace(b"acme-state", b"acme"), {"line changed", "attribute changed"}),
        (AFTER.replace(b"\n", b"\r\n"), {"line ends changed", "line changed"}),
        (AFTER.replace(b"true", b"= true"), {"no longer parses", "format changed"}),
        (b"# use_lockfile\n" + BEFORE, {"neither edited nor refused"}),
        (BEFORE, {"neither edited nor refused"}),
    ],
)
def test_broken_by(after: bytes, expected: set[str]) -> None:
    assert broken(after, report(after, [])) == expected


def test_what_is_refused_need_not_be_edited() -> None:
    refusal: Refusal = {"path": "net/main.tf", "line": 2, "why": "generated"}
    assert broken(BEFORE, report(BEFORE, [refusal])) == set()


def test_a_change_that_the_report_leaves_out_is_a_broken_promise() -> None:
    assert broken(AFTER, report(BEFORE, [])) == {"misreported"}


def test_a_file_that_comes_or_goes_differs() -> None:
    assert edits.differing({"a": b"", "b": b"1"}, {"b": b"1", "c": b""}) == ["a", "c"]
