import pytest

from migrate.pins import atlantis_server
from tests.pins.pairs import check, pins


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('environment = {\n  ATLANTIS_DEFAULT_TF_VERSION = "1.7.0"\n}\n', [("1.7.0", 2)]),
        ('map = { ATLANTIS_DEFAULT_TF_VERSION : "v1.1.4" }\n', [("1.1.4", 1)]),
        ('{\n  name  = "ATLANTIS_DEFAULT_TF_VERSION"\n  value = "1.0.5"\n}\n', [("1.0.5", 3)]),
        ('{ "name": "ATLANTIS_DEFAULT_TF_VERSION", "value": "1.0.5" }\n', [("1.0.5", 1)]),
        ("ATLANTIS_DEFAULT_TF_VERSION = var.tf\n", [("? Atlantis runs var.tf", 1)]),
        ('  # ATLANTIS_DEFAULT_TF_VERSION = "1.7.0"\n', []),
        ('ATLANTIS_DEFAULT_TF_DISTRIBUTION = "opentofu"\n', []),
    ],
)
def test_finds(text: str, expected: list[tuple[str, int]]) -> None:
    assert pins(atlantis_server, "ops/atlantis.tf", text) == [
        ("terraform", said, ".", line) for said, line in expected
    ]


def test_changes() -> None:
    before = '{\n  name  = "ATLANTIS_DEFAULT_TF_VERSION"\n  value = "1.0.5"  # ours\n}\n'
    check(atlantis_server, "atlantis.tf", before, before.replace("1.0.5", "1.11.4"))
