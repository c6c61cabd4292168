"""An independent model of the constraint language: numbers compared, on a grid of releases."""

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

from hypothesis import strategies as st

from migrate.versions import Release

Comparison: TypeAlias = tuple[str, tuple[int, ...]]
Number: TypeAlias = tuple[int, ...]

RELEASES = [Release(*numbers) for numbers in product(range(4), range(5), range(5))]
"""Wider by one than the numbers that constraints draw, so that what is admitted above them shows."""

_OPERATORS = ["=", "!=", ">", ">=", "<", "<=", "~>"]


def numbers(places: int = 3) -> st.SearchStrategy[Number]:
    return st.tuples(st.integers(0, 2), *[st.integers(0, 3)] * (places - 1))


comparisons: st.SearchStrategy[Comparison] = st.tuples(
    st.sampled_from(_OPERATORS), st.sampled_from([1, 2, 2, 3, 3, 4]).flatmap(numbers)
)
constraints: st.SearchStrategy[list[Comparison]] = st.lists(comparisons, min_size=1, max_size=4)


@st.composite
def spelled(draw: st.DrawFn, of: Sequence[Comparison]) -> str:
    """One way to write these comparisons."""
    spaces = st.sampled_from(["", " ", "  "])
    return ",".join(
        draw(spaces)
        + draw(st.sampled_from(["", "="]) if operator == "=" else st.just(operator))
        + draw(spaces)
        + draw(st.sampled_from(["", "v"]))
        + ".".join(map(str, number))
        + draw(spaces)
        for operator, number in of
    )


def admits(of: Sequence[Comparison], release: Release) -> bool:
    return all(_holds(operator, number, release) for operator, number in of)


def _holds(operator: str, number: Number, release: Release) -> bool:
    ours = (release.major, release.minor, release.patch, 0)
    theirs = (*number, 0, 0, 0)[:4]
    match operator:
        case "=":
            return ours == theirs
        case "!=":
            return ours != theirs
        case ">":
            return ours > theirs
        case ">=":
            return ours >= theirs
        case "<":
            return ours < theirs
        case "<=":
            return ours <= theirs
        case _:
            same = ours[: len(number) - 1] == number[:-1]
            return len(number) <= 3 and ours >= theirs and same
