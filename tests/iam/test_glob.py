"""Glob algebra, against examples and against every text of a small alphabet."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.iam.glob import Glob, Hole, Piece, Wild, exact, glob, join
from migrate.iam.profiles import TooWideError, covered, overlap, profiles

WORKSPACE = join(["env:/", Wild.SEGMENT, "/app.tfstate.tflock"])


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("app/*", "app/net.tfstate", True),
        ("app/*", "app/", True),
        ("*", "", True),
        ("app/*.tfstate", "app/a/b/c.tfstate", True),
        ("app/?.tfstate", "app/a.tfstate", True),
        ("app/?.tfstate", "app/.tfstate", False),
        ("app/?x", "app//x", True),
        ("a.b", "axb", False),
        ("a[b]c", "abc", False),
        ("a[b]c", "a[b]c", True),
        ("App", "app", False),
        ("a*b", "a\nb", True),
        ("${x}", "${x}", True),
    ],
)
def test_only_star_and_question_mark_are_wild(pattern: str, text: str, expected: bool) -> None:
    assert glob(pattern).matches(text) is expected


@pytest.mark.parametrize(
    ("request_", "union", "expected"),
    [
        (glob("app/*"), ["app/*"], "covered"),
        (glob("app/*.tflock"), ["app/*"], "covered"),
        (glob("app/*"), ["app/*.tflock"], "overlaps"),
        (glob("app/*"), ["net/*"], "apart"),
        (glob("?"), ["/", "*"], "covered"),
        (glob("a?"), ["a*b", "a?"], "covered"),
        (glob("*"), ["?*", ""], "covered"),
        (glob("*"), ["?*"], "overlaps"),
        (glob("*"), ["a*", "*b", "?"], "overlaps"),
        (exact("app/*"), ["app/?"], "covered"),
        (exact("app/*"), ["app/x"], "apart"),
        (WORKSPACE, ["env:/*/app.tfstate.tflock"], "covered"),
        (WORKSPACE, ["env:/*"], "covered"),
        (WORKSPACE, ["env:/?*/app.tfstate.tflock"], "covered"),
        (WORKSPACE, ["env:/dev/app.tfstate.tflock"], "overlaps"),
        (WORKSPACE, ["env:/*/*/app.tfstate.tflock"], "apart"),
        (WORKSPACE, ["app.tfstate.tflock"], "apart"),
        (WORKSPACE, ["*/app.tfstate"], "apart"),
    ],
)
def test_a_request_is_covered_overlapped_or_missed(request_: Glob, union: list[str], expected: str) -> None:
    patterns = tuple(glob(pattern) for pattern in union)
    answer = {(True, True): "covered", (True, False): "overlaps", (False, False): "apart"}
    assert answer[overlap(request_, patterns), covered(request_, patterns)] == expected


def test_no_hole_is_a_known_text() -> None:
    """What an expression or a variable comes to may be anything: it covers nothing that is known."""
    lock = exact("net/app.tflock")
    assert not covered(lock, (join([Hole("var.team"), "/", Wild.ANY]),))
    assert covered(lock, (join([Hole("var.team"), "/", Wild.ANY]), glob("net/*")))
    assert overlap(lock, (join([Hole("var.team"), "/", Wild.ANY]),))


def test_a_hole_is_one_text_the_same_wherever_its_symbol_stands() -> None:
    bucket, other = Hole("var.bucket"), Hole("var.other")
    lock = join([bucket, "/app.tflock"])
    assert covered(lock, (join([bucket, "/", Wild.ANY]),))
    assert covered(lock, (glob("*.tflock"),))
    assert not covered(lock, (join([other, "/", Wild.ANY]),))
    assert not covered(lock, (glob("?/app.tflock"),))
    assert overlap(lock, (join([other, "/", Wild.ANY]),))
    assert not overlap(lock, (join([other, "/net.tflock"]),))
    assert join([bucket, "/", Wild.ANY]).matches("anything/app")
    assert join([bucket, Wild.ANY]).widest == glob("*")


def test_profiles_are_the_classes_of_what_a_request_can_mean() -> None:
    dev, every = glob("env:/dev/*"), glob("env:/*")
    assert profiles(WORKSPACE, (dev, every)) == (frozenset({every}), frozenset({dev, every}))


@pytest.mark.parametrize(
    ("pieces", "text", "expected"),
    [
        (["arn:", Hole("p"), ":s3:::logs/", Wild.ANY], "arn:aws-cn:s3:::logs/a", True),
        (["arn:", Hole("p"), ":s3:::logs/", Wild.ANY], "arn:aws:s3:::acme/a:s3:::logs/b", False),
        (["arn:aws:s3:::", Hole("b"), "/a"], "arn:aws:s3:::x:y/a", True),
        ([Hole("p"), ":a"], "b:c:a", True),
    ],
)
def test_what_stands_between_two_colons_holds_none(pieces: list[Piece], text: str, expected: bool) -> None:
    pattern = join(pieces)
    assert pattern.matches(text) is expected
    assert overlap(exact(text), (pattern,)) is expected
    assert overlap(glob(text.replace("/a", "/*")), (pattern,)) is expected


def test_tangled_patterns_are_given_up_by_name() -> None:
    with pytest.raises(TooWideError):
        profiles(glob("*"), (glob("*a" + "?" * 14 + "b*c"),))


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["a", "b", Wild.ANY, Wild.ANY, "", "c"], ("ab", Wild.ANY, "c")),
        (["", ""], ()),
        ([Wild.ONE, Wild.ANY], (Wild.ONE, Wild.ANY)),
    ],
)
def test_pieces_are_kept_together(pieces: list[str | Wild], expected: tuple[str | Wild, ...]) -> None:
    assert join(pieces).pieces == expected


def test_a_glob_is_shown_as_it_is_written() -> None:
    assert str(join(["a", Wild.ANY, Hole("${var.x}"), Wild.ONE])) == "a*${var.x}?"


TEXTS = ["".join(text) for length in range(6) for text in product("a/", repeat=length)]
PATTERNS = st.text(alphabet="a/*?", max_size=5).map(glob)
PIECES: list[Piece] = ["a", "/", Wild.ANY, Wild.ONE, Wild.SEGMENT]
REQUESTS = st.lists(st.sampled_from(PIECES), max_size=4).map(join)


@given(REQUESTS, st.lists(PATTERNS, max_size=3).map(tuple))
def test_profiles_agree_with_every_short_text(request_: Glob, union: tuple[Glob, ...]) -> None:
    seen = {
        frozenset(pattern for pattern in union if pattern.matches(text))
        for text in TEXTS
        if request_.matches(text)
    }
    assert seen <= set(profiles(request_, union))


FIELDS = st.lists(st.sampled_from(["a", ":", "*", ":<>:"]), max_size=4)


def _with_fields(parts: list[str]) -> Glob:
    """The parts as a pattern in which `<>` is an expression."""
    texts = "".join(parts).split("<>")
    pieces = [piece for text in texts for piece in (Hole("x"), *glob(text).pieces)]
    return join(pieces[1:])


@given(FIELDS.map(_with_fields), st.lists(FIELDS.map(_with_fields), max_size=2).map(tuple))
def test_expressions_between_colons_agree_with_every_short_text(one: Glob, union: tuple[Glob, ...]) -> None:
    texts = ["".join(text) for length in range(7) for text in product("a:", repeat=length)]
    seen = any(one.matches(text) and any(other.matches(text) for other in union) for text in texts)
    assert overlap(one, union) or not seen


@given(REQUESTS, st.lists(st.text(alphabet="a/*", max_size=3).map(glob), max_size=2).map(tuple))
def test_no_profile_is_invented(request_: Glob, union: tuple[Glob, ...]) -> None:
    texts = ("".join(text) for length in range(9) for text in product("a/x", repeat=length))
    missing = set(profiles(request_, union))
    for text in texts:
        if request_.matches(text):
            missing.discard(frozenset(pattern for pattern in union if pattern.matches(text)))
        if not missing:
            return
    assert not missing
