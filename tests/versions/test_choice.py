"""What tool files, tags and inputs choose, and what they become."""

from __future__ import annotations

import pytest

from migrate.versions import EVERY_RELEASE, Malformed, Range, Release, Releases, Tool, better, chosen, parse
from migrate.versions.constraint import Constraints


def between(low: str, high: str) -> Releases:
    first, last = Release.parse(low), Release.parse(high)
    assert isinstance(first, Release)
    assert isinstance(last, Release)
    return Releases(Range(first, last))


@pytest.mark.parametrize(
    ("text", "releases"),
    [
        ("1.9.8", between("1.9.8", "1.9.9")),
        ("v1.9.8", between("1.9.8", "1.9.9")),
        ("=1.9.8", between("1.9.8", "1.9.9")),
        ("1.11.0-rc1", between("1.11.0", "1.11.1")),
        ("1.9", between("1.9.0", "1.10.0")),
        ("1.9.x", between("1.9.0", "1.10.0")),
        ("1.9.*", between("1.9.0", "1.10.0")),
        ("~1.9.7", between("1.9.7", "1.10.0")),
        ("~> 1.9", between("1.9.0", "1.10.0")),
        ("^1.9.2", between("1.9.2", "2.0.0")),
        ("^0.13.2", between("0.13.2", "0.14.0")),
        ("1", between("1.0.0", "2.0.0")),
        ("1.x", between("1.0.0", "2.0.0")),
        (">=0.12.0,<=0.12.5", between("0.12.0", "0.12.6")),
        ("<1.6", between("0.0.0", "1.6.0")),
        ("<= 1.5", between("0.0.0", "1.6.0")),
        ("> 1.5.2 < v1.9", between("1.5.3", "1.9.0")),
        (">1.5 <1.9.1", between("1.5.0", "1.9.1")),
        (">= 1.5", Releases(Range(Release(1, 5, 0)))),
    ],
)
def test_what_a_text_may_choose(text: str, releases: Releases) -> None:
    assert chosen(text) == releases


@pytest.mark.parametrize(
    "text",
    ["latest", "light", "", ">= 1.6 < 1.5", ">=1.5 latest", "min-required", "latest:^1.5", "1.2.3.4", "$TF"],
)
def test_what_is_chosen_at_run_time(text: str) -> None:
    assert isinstance(chosen(text), Malformed)


@pytest.mark.parametrize(
    ("tool", "text", "admitted", "expected"),
    [
        ("terraform", "1.9.8", ">= 1.11", "1.11.4"),
        ("terraform", "v0.13.6", ">= 1.11", "v1.11.4"),
        ("terraform", "1.9", ">= 1.11", "1.11"),
        ("terraform", "1.9.x", ">= 1.11", "1.11.x"),
        ("terraform", "~1.9.7", ">= 1.11", "~1.11.4"),
        ("terraform", "1.11.0", ">= 1.11", "1.11.0"),
        ("terraform", "1.13.5", ">= 1.11", "1.13.5"),
        ("terraform", "1.15", ">= 1.11", "1.15"),
        ("terraform", "99.1.0", ">= 1.11", "99.1.0"),
        # releases that break something while the table is named
        ("terraform", "1.15.0", ">= 1.11", "1.15.9"),
        ("terraform", "1.15.1", ">= 1.11, < 1.15.3", "1.15.2"),
        ("terraform", "1.10.0", ">= 1.10", "1.11.4"),
        # what the root's own constraint leaves
        ("terraform", "1.9.8", ">= 1.11, != 1.11.4", "1.11.3"),
        ("terraform", "1.9.8", "~> 1.12.0", "1.12.2"),
        ("terraform", "1.9.8", "> 99", None),
        ("terraform", ">=0.12.0,<=0.12.5", ">= 1.11", "1.11.4"),
        ("terraform", ">=1.11.0", ">= 1.11", ">=1.11.0"),
        # both sides of the floor: those above are kept, where the manner of the text can say so
        ("terraform", "^1.5.0", ">= 1.11", "^1.11.0"),
        ("terraform", "^1.9", ">= 1.11", "^1.11"),
        ("terraform", "^1", ">= 1.11", "^1.11"),
        ("terraform", ">=1.5 <2", ">= 1.11", ">=1.11 <2"),
        ("terraform", ">= 1", ">= 1.11", ">= 1.11"),
        ("opentofu", "^v1.9", ">= 1.10.2", "^v1.10.2"),
        ("terraform", "^1.9", "< 1.11", None),
        ("terraform", "1", ">= 1.11", None),
        ("terraform", "1.x", ">= 1.11", None),
        ("terraform", ">1.5 <2", ">= 1.11", None),
        ("terraform", "<2", ">= 1.11", None),
        ("terraform", "latest", ">= 1.11", None),
        ("opentofu", "1.8.1", ">= 1.10.2", "1.10.10"),
        ("opentofu", "1.10.1", ">= 1.10.2", "1.10.10"),
        ("terragrunt", "0.67.3", ">= 0.82.4", "0.82.4"),
    ],
)  # fmt: skip
def test_the_text_that_chooses_better(tool: Tool, text: str, admitted: str, expected: str | None) -> None:
    floors = {"terraform": Release(1, 11, 0), "opentofu": Release(1, 10, 2), "terragrunt": Release(0, 82, 4)}
    constraints = parse(admitted)
    assert isinstance(constraints, Constraints)
    found = better(text, floors[tool], tool, constraints.releases)
    assert found == expected
    if found:
        assert better(found, floors[tool], tool, EVERY_RELEASE) == found, "a second run changes nothing"
