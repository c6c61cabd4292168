"""Spans and lines."""

import pytest

from migrate.text import Lines, Span


def test_a_span_is_part_of_a_text() -> None:
    assert Span(2, 5).of("ab = cd") == " = "
    assert len(Span(2, 5)) == 3


def test_a_span_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="not a span: 3 to 2"):
        Span(3, 2)


@pytest.mark.parametrize(
    ("one", "other", "contains", "overlaps"),
    [
        (Span(0, 4), Span(1, 3), True, True),
        (Span(0, 4), Span(0, 4), True, True),
        (Span(0, 4), Span(3, 6), False, True),
        (Span(0, 4), Span(4, 6), False, False),
        (Span(0, 4), Span(4, 4), True, False),
    ],
)
def test_two_spans(one: Span, other: Span, contains: bool, overlaps: bool) -> None:
    assert one.contains(other) is contains
    assert one.overlaps(other) is overlaps
    assert other.overlaps(one) is overlaps


@pytest.mark.parametrize(
    ("text", "offset", "line"),
    [
        ("", 0, 1),
        ("a\nb", 0, 1),
        ("a\nb", 1, 1),
        ("a\nb", 2, 2),
        ("a\r\nb\r\n", 3, 2),
        ("a\r\nb\r\n", 6, 3),
        ("a\fb\vc\u2028d", 6, 1),  # only a line feed ends a line
    ],
)
def test_line(text: str, offset: int, line: int) -> None:
    assert Lines(text).line(offset) == line
