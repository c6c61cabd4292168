import pytest

from migrate.pins import required_version_json
from tests.pins.pairs import check, pins


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("net/a.tf.json", '{"terraform": {"required_version": ">= 1.5"}}', [(None, ">= 1.5", "net", 1)]),
        ("a.tofu.json", '{"terraform":\n [{"required_version": "1.8.1"}]}', [("opentofu", "1.8.1", ".", 2)]),
        ("a.tf.json", '[{"terraform": [[{"required_version": ">= 1.5"}]]}]', [(None, ">= 1.5", ".", 1)]),
        ("a.tf.json", '{"terraform": {"required_version": "${var.v}"}}', [(None, "? ${var.v}", ".", 1)]),
        ("a.tf.json", '{"locals": {"required_version": ">= 1.5"}}', []),
        ("a.tf.json", '{"terraform": {"required_version": ', []),
    ],
)
def test_finds(path: str, text: str, expected: list[tuple[str | None, str, str, int]]) -> None:
    assert pins(required_version_json, path, text) == expected


def test_changes() -> None:
    before = '{"terraform": {\n  "required_version" : ">= 1.5" }}\n'
    check(required_version_json, "a.tf.json", before, before.replace(">= 1.5", ">= 1.11"), ">= 1.11")
