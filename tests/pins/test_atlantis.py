from migrate.pins import atlantis
from tests.pins.pairs import check, pins

TEXT = """\
version: 3
projects:
- name: net
  dir: net
  terraform_version: v1.9.8
- dir: app
  terraform_distribution: opentofu
  terraform_version: 1.8.1
- dir: dns
"""


def test_finds_by_project() -> None:
    assert pins(atlantis, "atlantis.yaml", TEXT) == [
        ("terraform", "1.9.8", "net", 5),
        ("opentofu", "1.8.1", "app", 8),
    ]


def test_finds_what_is_merged() -> None:
    text = (
        "projects:\n- &net\n  dir: net\n  terraform_version: 1.9.8\n- {<<: *net, dir: app}\n"
        "- <<: *net\n  dir: dns\n  terraform_version: 1.8.0\n"
    )
    assert pins(atlantis, "atlantis.yaml", text) == [
        ("terraform", "1.9.8", "net", 4),
        ("terraform", "1.8.0", "dns", 8),
        ("terraform", "1.9.8", "app", 4),
    ]


def test_a_directory_for_many_holds_for_all_below_what_it_names() -> None:
    text = "projects:\n- {dir: eu/*/a, terraform_version: 1.9.8}\n- {dir: '*', terraform_version: 1.8.0}\n"
    assert pins(atlantis, "atlantis.yaml", text) == [
        ("terraform", "1.9.8", "eu", 2),
        ("terraform", "1.8.0", ".", 3),
    ]


def test_changes() -> None:
    check(atlantis, "atlantis.yaml", TEXT, TEXT.replace("1.9.8", "1.11.4").replace("1.8.1", "1.11.4"))
