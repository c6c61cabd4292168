import pytest

from migrate.pins import devbox
from tests.pins.pairs import check, pins

LATEST = "? devbox.json says latest, which is chosen at run time"


@pytest.mark.parametrize(
    ("packages", "expected"),
    [
        ('["jq", "terraform@1.9.8"]', [("terraform", "1.9.8")]),
        ('["opentofu@1.8", "terragrunt@latest"]', [("opentofu", "1.8"), ("terragrunt", LATEST)]),
        (
            '["terraform", "terraform-docs@0.16"]',
            [("terraform", "? devbox takes the terraform of a package set")],
        ),
        (
            '["github:NixOS/nixpkgs/nixos-23.11#terraform"]',
            [("terraform", "? devbox takes the terraform of a package set")],
        ),
        ('{"terraform": "1.9.8", "jq": "1.7"}', [("terraform", "1.9.8")]),
        ('{"terraform": {"version": "1.9.8", "platforms": ["x86_64-linux"]}}', [("terraform", "1.9.8")]),
        ('[\n// "terraform@1.9.8",\n"jq"]', []),
    ],
)
def test_finds(packages: str, expected: list[tuple[str, str]]) -> None:
    scripts = '"shell": {"scripts": {"terraform": "terraform init"}}'
    found = pins(devbox, "net/devbox.json", f'{{"packages": {packages}, {scripts}}}\n')
    assert [(tool, version) for tool, version, _, _ in found] == expected
    assert {root for _, _, root, _ in found} <= {"net"}


def test_changes() -> None:
    before = '{\n  // ours\n  "packages": ["terraform@1.9.8",\n               "jq@1.9.8"]\n}\n'
    check(devbox, "devbox.json", before, before.replace("form@1.9.8", "form@1.11.4"))
