"""What the step moves into `assume_role`, Terraform before 1.10 takes in both places and after it in one."""

from pathlib import Path
from typing import Final

import pytest

from migrate.demo.cloud import REGION
from migrate.demo.stage import BUCKET, NOBODY_TO_ASK
from migrate.terraform import run
from tests.dialects.test_assume_role import ALL_AFTER, CHANGES
from tests.real.lab import HELD, NEW, OLD, Lab, edit, terraform

pytestmark = pytest.mark.terraform

ROLE: Final = "arn:aws:iam::123456789012:role/tf"
ROOT: Final = f"""\
terraform {{
  backend "s3" {{
    bucket       = "{BUCKET}"
    key          = "assumed.tfstate"
    region       = "{REGION}"
    role_arn     = "{ROLE}"
    session_name = "ci"
    external_id  = "x1"
    # an hour
    assume_role_duration_seconds    = 3600
    assume_role_policy_arns         = ["arn:aws:iam::aws:policy/ReadOnlyAccess"]
    assume_role_tags                = {{ team = "net" }}
    assume_role_transitive_tag_keys = ["team"]

{NOBODY_TO_ASK}
  }}
}}
{HELD}"""
READER: Final = f"""\
data "terraform_remote_state" "net" {{
  backend = "s3"
  config = {{
    bucket                       = "{BUCKET}"
    key                          = "assumed.tfstate"
    region                       = "{REGION}"
    role_arn                     = "{ROLE}"
    assume_role_duration_seconds = 900
    skip_credentials_validation  = true
    skip_requesting_account_id   = true
  }}
}}

output "read" {{
  value = data.terraform_remote_state.net.outputs.made
}}
"""


def test_both_sides_of_1_10_take_what_was_moved(lab: Lab, tmp_path: Path) -> None:
    root, app = tmp_path / "net", tmp_path / "app"
    for folder, text in ((root, ROOT), (app, READER)):
        folder.mkdir()
        (folder / "main.tf").write_text(text)
    old, new = lab.checkout(root, OLD), lab.checkout(root, NEW[0])
    assert old.init("-reconfigure").code == 0
    refused = new.init("-reconfigure")
    assert refused.code == 1
    assert 'An argument named "role_arn" is not expected here' in refused.err
    assert {file["path"] for file in edit(tmp_path, "assume-role")["files"]} == {"net/main.tf", "app/main.tf"}
    for checkout in (old, new):
        assert (done := checkout.init("-reconfigure")).code == 0, done.err
    assert new.apply().code == 0
    for release in (OLD, *NEW):
        reader = lab.checkout(app, release)
        assert reader.init("-reconfigure").code == 0
        assert (done := reader.apply()).code == 0, done.err


def test_what_is_moved_is_as_fmt_would_leave_it(tmp_path: Path) -> None:
    texts = [after for _, path, _, after in CHANGES if path.endswith(".tf")]
    assert ALL_AFTER in texts
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.tf").write_text(text)
    assert run(terraform(NEW[0]), ["fmt", "-check", "-diff"], tmp_path, {}).out == ""
