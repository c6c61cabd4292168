from migrate.pins import devcontainer
from tests.pins.pairs import check, pins

TEXT = """\
{
  // what we work in
  "features": {
    "ghcr.io/devcontainers/features/terraform:1": {"version": "1.9.8", "terragrunt": "0.67.3"},
    "ghcr.io/acme/features/opentofu:1": {},
    "ghcr.io/devcontainers/features/node:1": {"version": "22"},
  }
}
"""


def test_finds() -> None:
    assert pins(devcontainer, ".devcontainer/devcontainer.json", TEXT) == [
        ("terraform", "1.9.8", ".", 4),
        ("terragrunt", "0.67.3", ".", 4),
        ("opentofu", "? the feature installs the newest release of the day", ".", 5),
    ]


def test_changes() -> None:
    after = TEXT.replace("1.9.8", "1.11.4").replace("0.67.3", "1.11.4")
    check(devcontainer, ".devcontainer.json", TEXT, after)
