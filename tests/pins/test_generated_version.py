import pytest

from migrate.pins import generated_version
from tests.pins.pairs import check, pins

HEREDOC = """\
generate "versions" {
  path     = "versions.tf"
  contents = <<-EOF
    terraform {
      required_version = ">= 1.5" # ours
    }
  EOF
}
"""
STRINGS = """\
# required_version = ">= 1.0"
generate = {
  versions = { contents = "terraform {\\n  required_version = \\">= 1.5\\"\\n}\\n" }
}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEREDOC, [(None, ">= 1.5", "live", 5)]),
        (STRINGS, [(None, ">= 1.5", "live", 3)]),
        (HEREDOC.replace(">= 1.5", "${local.v}"), [(None, '? "${local.v}"', "live", 5)]),
        (HEREDOC.replace("generate", "terramate"), []),
        ('terraform {\n  required_version = ">= 1.5"\n}\n', []),
    ],
)
def test_finds(text: str, expected: list[tuple[str | None, str, str, int]]) -> None:
    assert pins(generated_version, "live/root.hcl", text) == expected


@pytest.mark.parametrize("before", [HEREDOC, STRINGS])
def test_changes(before: str) -> None:
    check(generated_version, "root.hcl", before, before.replace(">= 1.5", ">= 1.11"), ">= 1.11")
