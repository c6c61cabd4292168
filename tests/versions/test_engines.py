"""The engine table: its shape, its borders, and the floors that follow from it."""

import re

import pytest

from migrate.versions import (
    FACTS,
    FIRST_LOCKFILE,
    FLOORS,
    KNOWN,
    Range,
    Release,
    Releases,
    Tool,
    against,
    newest,
)

TOOLS = list(FACTS)
SOURCE = re.compile(r"[\w.-]+/[\w.-]+(#[0-9]+|:[\w./-]+)")


@pytest.mark.parametrize("tool", TOOLS)
def test_rows_are_well_formed(tool: Tool) -> None:
    for fact in FACTS[tool]:
        assert fact.tool == tool
        assert fact.releases
        assert fact.sources
        assert all(SOURCE.fullmatch(source) for source in fact.sources)
        assert fact.what == fact.what.strip(" .")
        assert fact.consequence == fact.consequence.strip(" .")
    names = [fact.name for fact in FACTS[tool]]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("tool", TOOLS)
def test_borders_are_releases_that_exist(tool: Tool) -> None:
    borders = [border for fact in FACTS[tool] for border in (fact.since, fact.until)]
    assert {border for border in borders if border not in (None, Release(0, 0, 0))} <= set(KNOWN[tool])


@pytest.mark.parametrize("tool", TOOLS)
def test_the_first_lockfile_release_ends_the_row_that_lacks_it(tool: Tool) -> None:
    assert [fact.until for fact in FACTS[tool] if fact.bearing == "lacks"] == [FIRST_LOCKFILE[tool]]


@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_speaks_against_a_default_floor(tool: Tool) -> None:
    assert FIRST_LOCKFILE[tool] <= FLOORS[tool]
    assert against(tool, Releases.only(FLOORS[tool])) == ()


@pytest.mark.parametrize(
    ("tool", "release", "names"),
    [
        ("terraform", Release(1, 9, 8), ["lockfile-missing"]),
        ("terraform", Release(1, 10, 0), ["lock-without-checksum"]),
        ("terraform", Release(1, 10, 1), []),
        ("terraform", Release(1, 15, 1), ["output-polluted"]),
        ("terraform", Release(1, 15, 2), []),
        ("opentofu", Release(1, 9, 4), ["lockfile-missing"]),
        ("opentofu", Release(1, 10, 1), ["lock-without-encryption-header"]),
        ("opentofu", Release(1, 10, 2), []),
        ("terragrunt", Release(0, 82, 3), ["lockfile-missing"]),
        ("terragrunt", Release(0, 99, 5), ["lockfile-bool-as-text"]),
        ("terragrunt", Release(1, 0, 0), []),
    ],
)
def test_against_one_release(tool: Tool, release: Release, names: list[str]) -> None:
    assert [fact.name for fact in against(tool, Releases.only(release))] == names


def test_against_all_that_a_constraint_admits() -> None:
    since_1_10 = Releases(Range(Release(1, 10, 0)))
    assert [fact.name for fact in against("terraform", since_1_10)] == [
        "lock-without-checksum",
        "output-polluted",
        "raw-output-polluted",
    ]


def test_a_row_reads_as_a_sentence() -> None:
    fact = next(fact for fact in FACTS["terraform"] if fact.name == "lock-without-checksum")
    assert str(fact) == (
        "Terraform from 1.10.0, before 1.10.1, writes the lock without a checksum: "
        "a bucket with Object Lock refuses it (hashicorp/terraform#36113, hashicorp/terraform#36120)"
    )


@pytest.mark.parametrize(
    ("tool", "below", "known"),
    [
        ("terraform", Release(1, 6, 0), Release(1, 5, 7)),
        ("terraform", Release(0, 12, 0), Release(0, 11, 15)),
        ("opentofu", Release(1, 10, 0), Release(1, 9, 4)),
        ("opentofu", Release(1, 6, 0), None),
        ("terragrunt", Release(1, 0, 0), Release(0, 99, 5)),
    ],
)
def test_newest_known_release(tool: Tool, below: Release, known: Release | None) -> None:
    assert newest(tool, Releases(Range(high=below))) == known
