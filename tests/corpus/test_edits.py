"""What other programs must say of an edit, with HashiCorp's parser and real `terraform fmt`."""

import hashlib
from collections.abc import Mapping

import pytest

from tests import hashicorp
from tests.corpus import edits, fmt
from tests.corpus.program import Edit, Refusal

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


def report(after: Mapping[str, bytes], refusals: list[Refusal]) -> Edit:
    return {
        "files": [
            {
                "path": name,
                "diff": "",
                "sha256_before": hashlib.sha256(BEFORE).hexdigest(),
                "sha256_after": hashlib.sha256(content).hexdigest(),
                "reverse": "",
            }
            for name, content in after.items()
            if content != BEFORE
        ],
        "refusals": refusals,
    }


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (AFTER, []),
        (AFTER.replace(b"   = true", b" = true"), ["format changed"]),
        (AFTER.replace(b"acme-state", b"acme"), ["line changed", "attribute changed"]),
        (AFTER.replace(b"\n", b"\r\n"), ["line ends changed", "line changed"]),
        (BEFORE + b"# use_lockfile\n", ["neither edited nor refused"]),
        (AFTER.replace(b"true", b"= true"), ["no longer parses", "format changed"]),
    ],
)
def test_broken_by(after: bytes, expected: list[str]) -> None:
    found = edits.broken_by(
        "dual-lock", {"main.tf": BEFORE}, {"main.tf": after}, report({"main.tf": after}, [])
    )
    assert {broken.promise for broken in found} == set(expected)


def test_what_is_refused_need_not_be_edited() -> None:
    after = BEFORE + b"# use_lockfile\n"
    refusal: Refusal = {"path": "main.tf", "line": 2, "why": "generated"}
    found = edits.broken_by(
        "dual-lock", {"main.tf": BEFORE}, {"main.tf": after}, report({"main.tf": after}, [refusal])
    )
    assert found == []


def test_a_change_that_the_report_leaves_out_is_a_broken_promise() -> None:
    found = edits.broken_by("dual-lock", {"main.tf": BEFORE}, {"main.tf": AFTER}, report({}, []))
    assert [broken.promise for broken in found] == ["misreported"]


def test_a_file_that_comes_or_goes_differs() -> None:
    assert edits.differing({"a": b"", "b": b"1"}, {"b": b"1", "c": b""}) == ["a", "c"]
