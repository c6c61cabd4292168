import pytest

from migrate.pins import tfswitch
from tests.pins.pairs import check, pins

TOML = 'bin = "$HOME/bin/tf"\n# version = "1.0.0"\nversion = "1.9.8" # ours\n'


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".tfswitchrc", "1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("live/.tgswitchrc", "0.67.3\n", [("terragrunt", "0.67.3", "live", 1)]),
        (".tfswitch.toml", TOML, [("terraform", "1.9.8", ".", 3)]),
        (".tfswitch.toml", f'product = "opentofu"\n{TOML}', [("opentofu", "1.9.8", ".", 4)]),
        (".tfswitch.toml", 'bin = "/bin/tf"\n', []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str, str, str, int]]) -> None:
    assert pins(tfswitch, path, text) == expected


def test_changes() -> None:
    check(tfswitch, ".tfswitchrc", "1.9.8\n", "1.11.4\n")
    check(tfswitch, ".tfswitch.toml", TOML, TOML.replace("1.9.8", "1.11.4"))
