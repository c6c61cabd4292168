import pytest

from migrate.pins import mise
from tests.pins.pairs import check, pins

TEXT = """\
tools.terragrunt = "0.50.0"
[env]
TF_VERSION = "1.0.0"

[tools]
node = "22"
terraform = "1.9.8"        # pinned
"aqua:opentofu/opentofu" = ['1.8.1', "1.7"]
terragrunt = { version = "0.67.3", os = ["linux"] }

[tools."asdf:terraform"]
version = "1.5.7"

[tasks.plan]
terraform = "1.0.0"
"""


def test_finds() -> None:
    assert pins(mise, "net/mise.toml", TEXT) == [
        ("terragrunt", "0.50.0", "net", 1),
        ("terraform", "1.9.8", "net", 7),
        ("opentofu", "1.8.1", "net", 8),
        ("opentofu", "1.7", "net", 8),
        ("terragrunt", "0.67.3", "net", 9),
        ("terraform", "1.5.7", "net", 12),
    ]


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("mise.toml", "."),
        ("net/.mise.toml", "net"),
        ("net/mise.ci.local.toml", "net"),
        (".rtx.toml", "."),
        (".config/mise.toml", "."),
        (".config/mise/config.toml", "."),
        ("net/.mise/config.ci.toml", "net"),
        ("net/mise/conf.d/tools.toml", "net"),
    ],
)
def test_the_directory_it_holds_for(path: str, root: str) -> None:
    assert pins(mise, path, '[tools]\nterraform = "1.9"\n') == [("terraform", "1.9", root, 2)]


def test_changes() -> None:
    before = '[tools]\n  terraform = "1.9.8" # pinned\nopentofu = "latest"\n'
    check(mise, "mise.toml", before, before.replace("1.9.8", "1.11.4"))
