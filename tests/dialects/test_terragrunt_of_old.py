"""Terragrunt up to 0.18: a variable of `terraform.tfvars` in, a writer that is not edited out."""

import pytest

from migrate.dialects import terragrunt
from migrate.model import Known, LockWish, Unknown
from tests.pairs import refusal, source

OLD = """\
region = "eu-west-1"

terragrunt = {
  remote_state {
    backend = "s3"
    config {
      bucket         = "acme-state"
      key            = "${path_relative_to_include()}/t"
      dynamodb_table = "acme-locks"
    }
  }
}
"""


@pytest.mark.parametrize(
    "text", [OLD, OLD.replace("config {", "config = {"), OLD.replace("grunt = {", "grunt={")]
)
def test_what_terragrunt_of_old_reads_is_told_and_not_edited(text: str) -> None:
    """It runs no Terraform that has a lockfile."""
    (site,) = terragrunt.find(source("live/terraform.tfvars", text)).items
    assert (site.name, site.line, {s.name: s.value for s in site.settings}) == (
        *("remote_state", 4),
        {
            "bucket": Known("acme-state"),
            "key": Unknown('"${path_relative_to_include()}/t"'),
            "dynamodb_table": Known("acme-locks"),
        },
    )
    assert refusal(terragrunt, "live/terraform.tfvars", text, LockWish.DUAL) == (
        4,
        "Terragrunt up to 0.18 reads this, and runs Terraform up to 0.11, which has no lockfile",
        "move it to a terragrunt.hcl first, as Terragrunt 0.19 and newer read it",
    )


def test_variables_for_terraform_are_none_of_terragrunts() -> None:
    for text in (
        'remote_state = "s3"\n',
        'terragrunt = "remote_state"\n',
        OLD.replace("grunt =", "grunt_x ="),
    ):
        assert terragrunt.find(source("terraform.tfvars", text)).items == ()
