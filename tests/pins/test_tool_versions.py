from migrate.pins import tool_versions
from tests.pins.pairs import check, pins

TEXT = """\
# what we work with
nodejs 22.14.0
  terraform   1.9.8 v1.8.5   # the second is a fallback
opentofu/opentofu 1.8.1
terragrunt latest
terraform-docs 0.16.0
#terraform 1.0.0
"""


def test_finds() -> None:
    assert pins(tool_versions, "net/.tool-versions", TEXT) == [
        ("terraform", "1.9.8", "net", 3),
        ("terraform", "1.8.5", "net", 3),
        ("opentofu", "1.8.1", "net", 4),
        ("terragrunt", "? .tool-versions says latest, which is chosen at run time", "net", 5),
    ]


def test_changes() -> None:
    after = TEXT.replace("1.9.8", "1.11.4").replace("1.8.5", "1.11.4").replace("1.8.1", "1.11.4")
    check(tool_versions, ".tool-versions", TEXT, after)
