import pytest

from migrate.pins import version_file
from tests.pins.pairs import check, pins


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".terraform-version", "1.9.8\n", [("terraform", "1.9.8", ".", 1)]),
        ("net/.terraform-version", "# why\n\nv1.9.8 # until May\n", [("terraform", "1.9.8", "net", 3)]),
        ("net/.opentofu-version", "1.8", [("opentofu", "1.8", "net", 1)]),
        ("live/.terragrunt-version", "0.67.3\n", [("terragrunt", "0.67.3", "live", 1)]),
        (
            ".terraform-version",
            "latest:^1\\.5\n",
            [("terraform", "? .terraform-version says latest:^1\\.5, which is chosen at run time", ".", 1)],
        ),
        (
            ".terraform-version",
            "min-required\n",
            [("terraform", "? .terraform-version says min-required, which is chosen at run time", ".", 1)],
        ),
        (".terraform-version", "\n# nothing\n", []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str, str, str, int]]) -> None:
    assert pins(version_file, path, text) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1.9.8\n", "1.11.4\n"),
        ("# why\n v1.9.8 # until May\n", "# why\n v1.11.4 # until May\n"),
        ("latest\n", "latest\n"),
    ],
)
def test_changes(before: str, after: str) -> None:
    check(version_file, ".terraform-version", before, after)
