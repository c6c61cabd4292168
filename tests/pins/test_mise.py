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
    ("text", "expected"),
    [
        ('[tasks.a]\ntools = { terraform = "1.9.8", node = "22" }\n', [("terraform", "1.9.8", "net", 2)]),
        ('[tasks.a]\ntools.tofu = "1.8.1"\n', [("opentofu", "1.8.1", "net", 2)]),
        ('[tasks."a:b".tools]\nterragrunt = "0.67.1"\n', [("terragrunt", "0.67.1", "net", 2)]),
        ('[tasks.a.tools.terraform]\nversion = "1.9.8"\n', [("terraform", "1.9.8", "net", 2)]),
        (
            '[tasks]\na = { run = "x", tools={ "aqua:hashicorp/terraform" = { version = "1.9.8" } } }\n',
            [("terraform", "1.9.8", "net", 2)],
        ),
        ('[tasks.a]\n# tools = { terraform = "1.9.8" }\n', []),
        ('[tasks.a]\nterraform = "1.9.8"\nmytools = { terraform = "1.9.8" }\n', []),
    ],
)
def test_the_tools_of_a_task(text: str, expected: list[tuple[str, str, str, int]]) -> None:
    assert pins(mise, "net/mise.toml", text) == expected


def test_a_script_that_is_a_task() -> None:
    text = (
        '#!/bin/sh\n#MISE tools={terraform="1.9.8"}\n# [MISE] tools={tofu="1.8.1"}\ntools={terraform="1.1"}\n'
    )
    assert pins(mise, "mise-tasks/apply", text) == [
        ("terraform", "1.9.8", ".", 2),
        ("opentofu", "1.8.1", ".", 3),
    ]
    check(mise, "mise-tasks/apply", '#MISE tools={terraform="1.9.8"}\n', '#MISE tools={terraform="1.11.4"}\n')


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
    before = '[tasks.a]\ntools = { terraform = "1.9.8", node = "1.9.8" }\n'
    check(mise, "mise.toml", before, before.replace("1.9.8", "1.11.4", 1))
