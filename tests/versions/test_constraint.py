"""What a constraint admits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.versions import Constraints, Malformed, Release, common, parse
from tests.versions import grid

SOME = [
    "0.12.31",
    "1.0.0",
    "1.5.0",
    "1.5.7",
    "1.6.0",
    "1.9.8",
    "1.10.0",
    "1.11.0",
    "1.15.5",
    "2.0.0",
    "2.1.0",
]


def read(text: str) -> Constraints:
    constraints = parse(text)
    assert isinstance(constraints, Constraints)
    return constraints


def release(text: str) -> Release:
    found = Release.parse(text)
    assert isinstance(found, Release)
    return found


@pytest.mark.parametrize(
    ("text", "admitted"),
    [
        ("1.5.7", "1.5.7"),
        ("= 1.5.7", "1.5.7"),
        ("= 1.5", "1.5.0"),
        ("!= 1.5.7, < 1.10", "0.12.31 1.0.0 1.5.0 1.6.0 1.9.8"),
        ("> 1.5", "1.5.7 1.6.0 1.9.8 1.10.0 1.11.0 1.15.5 2.0.0 2.1.0"),
        (">= 1.10", "1.10.0 1.11.0 1.15.5 2.0.0 2.1.0"),
        ("< 1.5.7", "0.12.31 1.0.0 1.5.0"),
        ("<= 1.5.7", "0.12.31 1.0.0 1.5.0 1.5.7"),
        ("~> 1.5", "1.5.0 1.5.7 1.6.0 1.9.8 1.10.0 1.11.0 1.15.5"),
        ("~> 1.5.0", "1.5.0 1.5.7"),
        ("~> 1.5.1", "1.5.7"),
        ("~> 1", "1.0.0 1.5.0 1.5.7 1.6.0 1.9.8 1.10.0 1.11.0 1.15.5 2.0.0 2.1.0"),
        ("~> 1.5.0.0", ""),
        ("= 1.5.0.0", "1.5.0"),
        ("= 1.5.0.1", ""),
        ("!= 1.5.0.1, < 1.5.7", "0.12.31 1.0.0 1.5.0"),
        (">= 1.5.0.1, < 1.6", "1.5.7"),
        ("<= 1.5.0.1, >= 1.5", "1.5.0"),
        ("< 1.5.0.1, >= 1.5", "1.5.0"),
        (">= 1.5, < 1.6", "1.5.0 1.5.7"),
        ("> 2, < 1", ""),
        (">=v1.11.0,<v2.0.0", "1.11.0 1.15.5"),
        ("\t>=\n1.11 ,\r<2 ", "1.11.0 1.15.5"),
        (">= 01.011", "1.11.0 1.15.5 2.0.0 2.1.0"),
        (">= 1.11.0+acme.1", "1.11.0 1.15.5 2.0.0 2.1.0"),
        ("< 9223372036854775807, > 1.15.5", "2.0.0 2.1.0"),
        (f"> {'0' * 5000}2", "2.1.0"),
    ],
)
def test_admits(text: str, admitted: str) -> None:
    assert [each for each in SOME if release(each) in read(text).releases] == admitted.split()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is no version constraint"),
        (" ", "'' is no version constraint"),
        (">= 1.5,", "'' is no version constraint"),
        ("1.x", "'1.x' is no version constraint"),
        ("1.5.*", "'1.5.*' is no version constraint"),
        ("latest", "'latest' is no version constraint"),
        ("=> 1.5", "'=> 1.5' is no version constraint"),
        ("== 1.5", "'== 1.5' is no version constraint"),
        ("~> v 1.5", "'~> v 1.5' is no version constraint"),
        ("> = 1.5", "'> = 1.5' is no version constraint"),
        ("^1.5", "'^1.5' is no version constraint"),
        (">= 1.5 < 2.0", "'>= 1.5 < 2.0' is no version constraint"),
        (">= 1.5 || >= 2", "'>= 1.5 || >= 2' is no version constraint"),
        (">= V1.5", "'>= V1.5' is no version constraint"),
        (">= 1..5", "'>= 1..5' is no version constraint"),
        (">= 1.5.", "'>= 1.5.' is no version constraint"),
        (">= -1", "'>= -1' is no version constraint"),
        (">=\v1.5", "'>=\\x0b1.5' is no version constraint"),
        (">= ١.٥", "'>= ١.٥' is no version constraint"),
        (">= ${var.floor}", "'>= ${var.floor}' is no version constraint"),
        (">= 1.5.0-rc1", "'>= 1.5.0-rc1' names a prerelease, which required_version does not take"),
        ("< 2, 1.5beta", "'1.5beta' names a prerelease, which required_version does not take"),
        ("1.5-", "'1.5-' names a prerelease, which required_version does not take"),
        (f">= 1.{'x' * 99}", f"'>= 1.{'x' * 55}…' is no version constraint"),
        (">= 9223372036854775808", "'>= 9223372036854775808' has a number above 9223372036854775807"),
    ],
)
def test_malformed(text: str, why: str) -> None:
    assert parse(text) == Malformed(why)


@given(st.data(), grid.constraints)
def test_equals_the_model(data: st.DataObject, of: list[grid.Comparison]) -> None:
    constraints = read(data.draw(grid.spelled(of)))
    assert [r for r in grid.RELEASES if r in constraints.releases] == [
        r for r in grid.RELEASES if grid.admits(of, r)
    ]


@given(st.lists(grid.constraints, min_size=1, max_size=3), st.data())
def test_several_hold_together(of: list[list[grid.Comparison]], data: st.DataObject) -> None:
    releases = common(read(data.draw(grid.spelled(each))) for each in of)
    assert [r for r in grid.RELEASES if r in releases] == [
        r for r in grid.RELEASES if all(grid.admits(each, r) for each in of)
    ]


@given(grid.constraints, st.data())
def test_equal_sets_are_equal_values(of: list[grid.Comparison], data: st.DataObject) -> None:
    one, other = data.draw(grid.spelled(of)), data.draw(grid.spelled(data.draw(st.permutations(of))))
    assert read(one).releases == read(other).releases


def test_many_comparisons_are_read_quickly() -> None:
    assert Release(1, 0, 1) in read(",".join(f"!= 1.0.{patch}" for patch in range(0, 8_000, 2))).releases


@given(st.text(alphabet="0123456789.<>=!~, vx-+\n", max_size=30))
def test_never_raises(text: str) -> None:
    assert isinstance(parse(text), Constraints | Malformed)
