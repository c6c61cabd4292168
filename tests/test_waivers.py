"""Waivers in comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.waivers import Flaw, InlineWaiver, waivers

NO_REASON = "a waiver needs a reason: # tfrelock: ignore[rule-id] reason"
NO_RULE = "a waiver names its rule: # tfrelock: ignore[rule-id] reason"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            'backend "s3" { # tfrelock: ignore[no-lock] a scratch state\n',
            InlineWaiver(("no-lock",), 1, "a scratch state", "", 1),
        ),
        (
            '\n# tfrelock: ignore[no-lock, shared-key] two until=2027-01-31\n# more\n\nbackend "s3" {\n',
            InlineWaiver(("no-lock", "shared-key"), 5, "two", "2027-01-31", 2),
        ),
        ("x {  //tfrelock:ignore[no-lock]  why \r\n", InlineWaiver(("no-lock",), 1, "why", "", 1)),
        ("a\f\u2028b\nx { # tfrelock: ignore[no-lock] why\n", InlineWaiver(("no-lock",), 2, "why", "", 2)),
        ("# tfrelock: ignore[no-lock] why\r\n\r\nx {\r\n", InlineWaiver(("no-lock",), 3, "why", "", 1)),
        ("# tfrelock: ignore[no-lock] at the end", InlineWaiver(("no-lock",), 1, "at the end", "", 1)),
        ("# tfrelock: ignore[no-lock]\n", Flaw(1, NO_REASON)),
        ("# tfrelock: ignore[no-lock] until=2027-01-31\n", Flaw(1, NO_REASON)),
        ("# tfrelock: ignore no-lock, please\n", Flaw(1, NO_RULE)),
        ("# tfrelock: ignore[] why\n", Flaw(1, NO_RULE)),
        (
            "# tfrelock: ignore[no-lock] why until=soon\n",
            Flaw(1, "a waiver ends on a day, until=YYYY-MM-DD, not soon"),
        ),
    ],
)
def test_a_comment_is_read(text: str, read: InlineWaiver | Flaw) -> None:
    assert list(waivers(text)) == [read]


@pytest.mark.parametrize("text", ["", "# nothing here\n", 'x = "tfrelock: ignore[no-lock] why"\n'])
def test_other_text_is_no_waiver(text: str) -> None:
    assert list(waivers(text)) == []


@pytest.mark.parametrize(
    ("rule", "line", "today", "covered"),
    [
        ("no-lock", 3, "2027-01-31", True),
        ("no-lock", 3, "2027-02-01", False),
        ("no-lock", 4, "2027-01-01", False),
        ("shared-key", 3, "2027-01-01", False),
    ],
)
def test_a_waiver_covers_its_rule_in_its_line_up_to_its_day(
    rule: str, line: int, today: str, covered: bool
) -> None:
    assert InlineWaiver(("no-lock",), 3, "why", "2027-01-31", 2).covers(rule, line, today) is covered


@given(st.text(alphabet=st.sampled_from("#/ tfrelock:ignore[]a-,until=2027\n"), max_size=120))
def test_no_text_breaks_it(text: str) -> None:
    for read in waivers("# tfrelock: ignore" + text):
        assert isinstance(read, InlineWaiver | Flaw)
