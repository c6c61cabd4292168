from migrate.pins import devcontainer
from tests.pins.pairs import check, pins

# The arguments of the build are those of cds-snc/notification-terraform.
TEXT = """\
{
  // what we work in
  "features": {
    "ghcr.io/devcontainers/features/terraform:1": {"version": "1.9.8", "terragrunt": "0.67.3"},
    "ghcr.io/acme/features/opentofu:1": {},
    // "ghcr.io/devcontainers/features/terraform:1": {"version": "1.5"},
    "ghcr.io/devcontainers/features/node:1": {"version": "22"},
  },
  "build": {"args": {"TERRAFORM_VERSION": "1.9.5", "TERRAGRUNT_VERSION": "0.66.9", "NODE_VERSION": "22"}}
  // "TF_VERSION": "1.1.1"
}
"""


def test_finds() -> None:
    assert pins(devcontainer, ".devcontainer/devcontainer.json", TEXT) == [
        ("terraform", "1.9.5", ".", 9),
        ("terragrunt", "0.66.9", ".", 9),
        ("terraform", "1.9.8", ".", 4),
        ("terragrunt", "0.67.3", ".", 4),
        ("opentofu", "? the feature installs the newest release of the day", ".", 5),
    ]


def test_changes() -> None:
    after = TEXT
    for old in ("1.9.8", "0.67.3", "1.9.5", "0.66.9"):
        after = after.replace(old, "1.11.4")
    check(devcontainer, ".devcontainer.json", TEXT, after)
