from migrate.pins import terragrunt_constraint
from tests.pins.pairs import check, pins

TEXT = """\
terraform_version_constraint  = ">= 1.5"
terragrunt_version_constraint = "~> 0.60"
# terraform_version_constraint = ">= 1.0"
locals {
  note = "terraform_version_constraint"
}
"""


def test_finds() -> None:
    assert pins(terragrunt_constraint, "live/root.hcl", TEXT) == [
        (None, ">= 1.5", "live", 1),
        ("terragrunt", "~> 0.60", "live", 2),
    ]
    text = "terraform_version_constraint = local.constraint\n"
    assert pins(terragrunt_constraint, "terragrunt.hcl", text) == [(None, "? local.constraint", ".", 1)]


def test_changes() -> None:
    before = 'terraform_version_constraint = ">= 1.5" # ours\n'
    check(terragrunt_constraint, "root.hcl", before, before.replace(">= 1.5", ">= 1.11"), ">= 1.11")
