"""The least change that raises a floor."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.versions import (
    FLOORS,
    Constraints,
    Refused,
    Release,
    Tool,
    admitted_below,
    parse,
    raised,
)
from tests.versions import grid

TERRAFORM = FLOORS["terraform"]
OPENTOFU = FLOORS["opentofu"]


def alone(text: str, floor: Release, tool: Tool) -> str | Refused:
    """What becomes of a root's only constraint."""
    answer = raised((text,), floor, tool)
    return answer if isinstance(answer, Refused) else answer[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (">= 1.5", ">= 1.11"),
        (">= 1.5.7", ">= 1.11.0"),
        (">= 1", ">= 1.11"),
        (">=0.12", ">=1.11"),
        (">= 1.5.0.0", ">= 1.11.0"),
        ("> 1.5", ">= 1.11"),
        ("> 1.5.7", ">= 1.11.0"),
        ("> 1.10.99", ">= 1.11.0"),
        ("~> 1.5", "~> 1.11"),
        ("~> 1", "~> 1, >= 1.11"),
        ("~> 1, < 3", "~> 1, >= 1.11, < 3"),
        (">= 1.5, < 2.0.0", ">= 1.11, < 2.0.0"),
        (">= 1.5 , < 2", ">= 1.11 , < 2"),
        ("< 2.0, >= 1.3.2", "< 2.0, >= 1.11.0"),
        (">= 1.5, != 1.11.2, ~> 1.6", ">= 1.11, != 1.11.2, ~> 1.11"),
        ("  >=v1.5,\n  < v2 ", "  >=v1.11,\n  < v2 "),
        (">= 1.5.0+acme", ">= 1.11.0"),
        ("< 2.0", ">= 1.11, < 2.0"),
        ("<2", ">=1.11, <2"),
        ("<2.0.0,!=1.3.0", ">=1.11.0,<2.0.0,!=1.3.0"),
        ("!= 1.3.0", ">= 1.11.0, != 1.3.0"),
        (" < v2.0", " >= v1.11, < v2.0"),
    ],
)
def test_raises_to_terraform_1_11_0(before: str, after: str) -> None:
    assert alone(before, TERRAFORM, "terraform") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (">= 1.6", ">= 1.10.2"),
        ("~> 1.6", "~> 1.10, >= 1.10.2"),
        ("~>1.6,<2.0", "~>1.10,>=1.10.2,<2.0"),
        ("~> 1.10.0", "~> 1.10.2"),
        (">= 1.6, ~> 1.7", ">= 1.10.2, ~> 1.10"),
        ("~> 1.6, ~> 1.7", "~> 1.10, ~> 1.10, >= 1.10.2"),
        ("~> 1", "~> 1, >= 1.10.2"),
        ("< 2.0", ">= 1.10.2, < 2.0"),
    ],
)
def test_raises_to_opentofu_1_10_2(before: str, after: str) -> None:
    assert alone(before, OPENTOFU, "opentofu") == after


@pytest.mark.parametrize(
    "text",
    [
        ">= 1.11",
        "~> 1.11.3",
        "= 1.11.4",
        "1.15.5",
        "> 1.11",
        "> 200.0.0",
        ">= 1.5, >= 1.12",
        "!= 1.3.0,>=1.11",
    ],
)
def test_leaves_what_is_high_enough(text: str) -> None:
    assert alone(text, TERRAFORM, "terraform") == text


@pytest.mark.parametrize(
    ("text", "newest"),
    [
        ("~> 1.5.0", Release(1, 5, 7)),
        ("= 1.5.6", Release(1, 5, 6)),
        ("1.5.7", Release(1, 5, 7)),
        ("< 1.10", Release(1, 9, 8)),
        ("<= 1.10.3, >= 1.5", Release(1, 10, 3)),
        ("~> 0.12", Release(0, 15, 5)),
        ("~> 0.12, ~> 0", Release(0, 15, 5)),
        ("= 0.11.14", Release(0, 11, 14)),
    ],
)
def test_refuses_and_names_the_newest_admitted(text: str, newest: Release) -> None:
    why = f"`{text}` admits no Terraform from 1.11.0 on; the newest it admits is {newest}"
    assert alone(text, TERRAFORM, "terraform") == Refused(why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("= 1.5.99", "`= 1.5.99` admits no Terraform from 1.11.0 on"),
        ("> 2, < 1", "`> 2, < 1` admits no Terraform from 1.11.0 on"),
        ("~> 1.5.0.0", "`~> 1.5.0.0` admits no Terraform from 1.11.0 on"),
        ("1.x", "'1.x' is no version constraint"),
        ("", "'' is no version constraint"),
    ],
)
def test_refuses(text: str, why: str) -> None:
    assert alone(text, TERRAFORM, "terraform") == Refused(why)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((">= 1.5", "< 2.0"), (">= 1.11", "< 2.0")),
        (("< 2.0", "!= 1.3.0"), (">= 1.11, < 2.0", "!= 1.3.0")),
        (("< 2.0", "~> 1"), ("< 2.0", "~> 1, >= 1.11")),
        ((">= 1.5", ">= 1.12"), (">= 1.5", ">= 1.12")),
        ((">= 1.5", "~> 1.6"), (">= 1.11", "~> 1.11")),
    ],
)
def test_raises_several_together(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    assert raised(before, TERRAFORM, "terraform") == after


def test_refuses_several_that_leave_nothing() -> None:
    why = "`>= 1.5` with `< 1.10` admits no Terraform from 1.11.0 on; the newest it admits is 1.9.8"
    assert raised((">= 1.5", "< 1.10"), TERRAFORM, "terraform") == Refused(why)


@pytest.mark.parametrize(
    ("text", "example"),
    [
        (">= 1.5", Release(1, 10, 5)),
        ("~> 1.5.0", Release(1, 5, 7)),
        ("= 1.5.99", Release(1, 5, 99)),
        ("= 0.0.3", Release(0, 0, 3)),
        (">= 1.11", None),
        ("> 2, < 1", None),
    ],
)
def test_admitted_below(text: str, example: Release | None) -> None:
    constraints = parse(text)
    assert isinstance(constraints, Constraints)
    assert admitted_below(constraints.releases, TERRAFORM, "terraform") == example


floors = st.builds(Release, st.integers(0, 2), st.integers(0, 3), st.integers(0, 3))


@given(st.data(), grid.constraints, floors)
def test_admits_what_it_did_from_the_floor_on(
    data: st.DataObject, of: list[grid.Comparison], floor: Release
) -> None:
    before = data.draw(grid.spelled(of))
    left = [r for r in grid.RELEASES if r >= floor and grid.admits(of, r)]
    after = alone(before, floor, "terraform")
    if isinstance(after, Refused):
        assert left == []
        return
    constraints = parse(after)
    assert isinstance(constraints, Constraints)
    assert [r for r in grid.RELEASES if r in constraints.releases] == left
    assert alone(after, floor, "terraform") == after


@given(st.data(), st.lists(grid.constraints, min_size=2, max_size=3), floors)
def test_several_admit_what_they_did(
    data: st.DataObject, of: list[list[grid.Comparison]], floor: Release
) -> None:
    before = tuple(data.draw(grid.spelled(each)) for each in of)
    left = [r for r in grid.RELEASES if r >= floor and all(grid.admits(each, r) for each in of)]
    after = raised(before, floor, "terraform")
    if isinstance(after, Refused):
        assert left == []
        return
    read = [parse(each) for each in after]
    admitted = [
        r for r in grid.RELEASES if all(isinstance(each, Constraints) and r in each.releases for each in read)
    ]
    assert admitted == left


@given(st.data(), grid.constraints, floors)
def test_changes_lower_bounds_only(data: st.DataObject, of: list[grid.Comparison], floor: Release) -> None:
    before = data.draw(grid.spelled(of))
    after = alone(before, floor, "terraform")
    if not isinstance(after, Refused):
        kept = [part.strip() for part in before.split(",") if not part.strip().startswith((">", "~>"))]
        parts = [part.strip() for part in after.split(",")]
        assert [part for part in parts if not part.startswith((">", "~>"))] == kept
