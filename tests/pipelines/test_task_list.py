import pytest

from migrate.model import Refusal
from migrate.pipelines import task_list as plug
from tests.pipelines.reading import check, reconfigured, runs

NPM = """\
{
  "name": "terraform init",
  "scripts": {
    "init": "cd live && terraform init",
    "apply": "sh -c \\"terraform apply -lock=false\\""
  }
}
"""
MISE = """\
[tasks]
[tasks.init]
run = "terraform init"
[tasks.all]
run = ['tofu plan', "tofu apply"]
[tasks.long]
run = \"\"\"
#!/usr/bin/env bash
terraform -chdir=live apply -lock=false
\"\"\"
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "net/package.json",
            NPM,
            ["4: terraform init @ net/live", "5: terraform apply -lock=false @ net"],
        ),
        (
            "devbox.json",
            '{"shell": {"scripts": {"a": ["tofu init", "tofu plan"]}}}\n',
            ["1: opentofu init @ .", "1: opentofu plan @ ."],
        ),
        (
            "mise.toml",
            MISE,
            [
                "3: terraform init @ .",
                "5: opentofu plan @ .",
                "5: opentofu apply @ .",
                "9: terraform apply -lock=false @ live",
            ],
        ),
        (
            "net/Procfile",
            "release: terraform apply -auto-approve\n",
            ["1: terraform apply -auto-approve @ net"],
        ),
    ],
)
def test_runs(path: str, text: str, expected: list[str]) -> None:
    assert runs(plug, path, text) == expected


def test_changes_where_nothing_is_escaped() -> None:
    check(plug, "mise.toml", MISE, MISE.replace("terraform init", "terraform init -reconfigure"))
    escaped = '{"scripts": {"init": "sh -c \\"terraform init\\""}}\n'
    assert isinstance(reconfigured(plug, "package.json", escaped), Refusal)


def test_tox() -> None:
    text = (
        "[testenv:deploy]\ncommands =\n    terraform init\n    tofu plan\n[testenv]\ncommands = tofu init\n"
    )
    assert runs(plug, "tox.ini", text) == [
        "3: terraform init @ .",
        "4: opentofu plan @ .",
        "6: opentofu init @ .",
    ]
