"""What an edit adds to a Terraform file is as `terraform fmt` leaves it."""

from pathlib import Path

import pytest

from tests.corpus import fmt
from tests.policies import test_json_in_hcl, test_policy_document

AFTER = [row[2] for row in (*test_policy_document.CHANGES, *test_json_in_hcl.CHANGES)]

pytestmark = [
    pytest.mark.terraform,
    pytest.mark.skipif(not fmt.TERRAFORM.is_dir(), reason="Terraform 1.11.4 is not set up"),
]


def test_terraform_fmt_has_nothing_to_say(tmp_path: Path) -> None:
    names = [f"{number}.tf" for number in range(len(AFTER))]
    for name, text in zip(names, AFTER, strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    verdicts = fmt.verdicts(tmp_path, names)
    assert set(verdicts.values()) == {"formatted"}, verdicts
