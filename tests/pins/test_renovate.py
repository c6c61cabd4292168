from migrate.pins import renovate
from tests.pins.pairs import pins

TEXT = """\
{
  "extends": ["config:recommended"],
  "packageRules": [
    {"matchDepNames": ["hashicorp/terraform"], "allowedVersions": "<1.10"},
    {"matchDepNames": ["node"], "allowedVersions": "<23"},
    {
      "matchManagers": ["asdf", "terraform-version"],
      "allowedVersions": "~1.9"
    },
    {"matchDepNames": ["terraform"], "enabled": false}
  ]
}
"""


def test_finds_the_rule_that_would_undo_a_pin() -> None:
    assert pins(renovate, ".github/renovate.json", TEXT) == [
        ("terraform", "? Renovate allows hashicorp/terraform <1.10 and goes back to it", ".", 4),
        ("terraform", "? Renovate allows terraform ~1.9 and goes back to it", ".", 8),
    ]
