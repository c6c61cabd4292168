from migrate.pins import prototools
from tests.pins.pairs import check, pins

TEXT = """\
node = "22.1.0"
terraform = "1.9.8" # pinned
"asdf:opentofu" = '~1.9'
terragrunt = "latest"

[settings]
terraform = "1.0.0"
"""


def test_finds() -> None:
    assert pins(prototools, "net/.prototools", TEXT) == [
        ("terraform", "1.9.8", "net", 2),
        ("opentofu", "~1.9", "net", 3),
        ("terragrunt", "? .prototools says latest, which is chosen at run time", "net", 4),
    ]


def test_changes() -> None:
    before = 'terraform   =  "1.9.8" # pinned\n\n[env]\nterraform = "1.9.8"\n'
    check(prototools, ".prototools", before, before.replace("1.9.8", "1.11.4", 1))
