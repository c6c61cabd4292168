"""Marks: the same for the same operations wherever they stand, another for any other."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

import hypothesis.strategies as st
import pytest
from hypothesis import given

from migrate.campaign.proposing.marks import mark, message, stray
from migrate.git.commits import Logged, Touched

MAIN: Final = PurePosixPath("main.tf")
LINES: Final = st.lists(st.sampled_from([b"a\n", b"b\n", b"}\n", b"\n"]), max_size=6).map(b"".join)


@given(LINES, LINES, st.sampled_from([b"", b"above\n", b"x\ny\n"]), st.sampled_from([b"", b"below\n"]))
def test_lines_elsewhere_change_no_mark(old: bytes, new: bytes, above: bytes, below: bytes) -> None:
    old, new = b"{\n" + old + b"end\n", b"{\n" + new + b"end\n"
    assert mark([(MAIN, above + old + below, above + new + below)]) == mark([(MAIN, old, new)])


MOVED: Final = [
    (b"a\nb\n", b"a\nNEW\nb\n", b"a\nb\nNEW\n"),
    (b"a\nb\n", b"a\nNEW\nb\n", b"NEW\na\nb\n"),
    (b"a\nb\n", b"a\nNEW\nb\n", b"a\nNEW \nb\n"),
    (b"a\nb\n", b"a\n", b"b\n"),
    (b"a\nb\n", b"a\nNEW\nb\n", b"a\nNEW\nb"),
]


@pytest.mark.parametrize(("old", "new", "other"), MOVED)
def test_a_line_in_another_place_is_another_mark(old: bytes, new: bytes, other: bytes) -> None:
    assert mark([(MAIN, old, new)]) != mark([(MAIN, old, other)])


def test_files_count_and_their_order_does_not() -> None:
    one, other = (MAIN, b"a\n", b"b\n"), (PurePosixPath("x.tf"), b"a\n", b"b\n")
    assert mark([one, other]) == mark([other, one])
    assert len({mark([one]), mark([other]), mark([one, other])}) == 3


def test_bytes_that_are_no_text_have_a_mark() -> None:
    assert mark([(MAIN, b"\xff\r\n", b"\xfe\r\n")]) != mark([(MAIN, b"\xff\n", b"\xfe\n")])


MESSAGES: Final = [
    (("Title", "ab12"), "Title\n\nRelock-Change: ab12\n"),
    (
        ("Title", "ab12", "Why.\n", {"Ticket": "OPS-1"}),
        "Title\n\nWhy.\n\nTicket: OPS-1\nRelock-Change: ab12\n",
    ),
]


@pytest.mark.parametrize(("given", "expected"), MESSAGES)
def test_message(given: tuple[str, str], expected: str) -> None:
    assert message(*given) == expected


BLOBS: Final = {"1": b"a\n", "2": b"b\n"}
OURS: Final = Logged("c0", ("p",), message("T", mark([(MAIN, b"a\n", b"b\n")])), (Touched(MAIN, "1", "2"),))


@pytest.mark.parametrize(
    "theirs",
    [
        Logged("c1", ("p",), "Theirs\n", OURS.touched),
        Logged("c1", ("p", "q"), OURS.message, OURS.touched),
        Logged("c1", ("p",), OURS.message, ()),
        Logged("c1", ("p",), OURS.message, (Touched(MAIN, "1", None),)),
        Logged("c1", ("p",), OURS.message, (Touched(MAIN, "1", "2", same_mode=False),)),
        Logged("c1", ("p",), OURS.message, (*OURS.touched, Touched(PurePosixPath("x.tf"), "2", "1"))),
        Logged("c1", ("p",), f"{OURS.message}Relock-Change: again\n", OURS.touched),
    ],
)
def test_a_commit_that_is_not_as_we_made_it(theirs: Logged) -> None:
    assert stray([OURS], BLOBS) is None
    assert stray([OURS, theirs, OURS], BLOBS) == theirs
