"""Columns are grapheme clusters; the numbers are those of `terraform fmt` 1.11.4."""

import pytest

from migrate.compose.columns import columns


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a = 1", 5),
        ("\t", 1),
        ("a\nb", 3),
        ("a\r\nb", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("漢字", 2),
        ("한글", 2),
        ("\u1112\u1161\u11ab", 1),  # 한 in its parts
        ("\U0001f1e9\U0001f1ea\U0001f1eb", 2),  # two letters are a flag
        ("👍🏽", 1),
        ("👩‍👩‍👧", 1),
        ("🏳️‍🌈", 1),
        ("1️⃣", 1),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", 1),
        ("a\u200db", 2),
        ("\u00ad\u200b", 2),
        ("กำ", 1),
    ],
)
def test_columns(text: str, expected: int) -> None:
    assert columns(text) == expected
