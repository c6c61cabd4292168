from migrate.compose import compose
from migrate.pins import terragrunt_constraint
from migrate.text import Span
from tests.pairs import source
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


ROOT = """\
# The state of all units.
remote_state {
  backend = "s3"
  config  = {}
}
# What all of them get.
inputs = {}
"""


def test_a_first_one_stands_after_the_block_with_the_backend() -> None:
    given = source("root.hcl", ROOT)
    block = Span(ROOT.index("remote_state"), ROOT.index("config"))
    edits = terragrunt_constraint.insert(given, block, ">= 1.11.0")
    assert compose(ROOT, edits[given.path]) == ROOT.replace(
        "}\n# What", '}\n\nterraform_version_constraint = ">= 1.11.0"\n# What'
    )
    assert terragrunt_constraint.insert(given, Span(0, 5), ">= 1.11.0") == {}
