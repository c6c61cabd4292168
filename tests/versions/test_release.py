"""One release: what names it, and what comes before what."""

import pytest

from migrate.versions import EVERY_RELEASE, Malformed, Range, Release, Releases


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("1.9.8", Release(1, 9, 8)),
        ("v1.9.8", Release(1, 9, 8)),
        ("0.11.15", Release(0, 11, 15)),
        ("1.11.0-rc1", Release(1, 11, 0, "rc1")),
    ],
)
def test_parse(text: str, release: Release) -> None:
    assert Release.parse(text) == release
    assert str(release) == text.removeprefix("v")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1.9",
        "1.9.x",
        "1.9.8.1",
        "1.09.8",
        "latest",
        "latest:^1.5",
        "min-required",
        ">= 1.9.8",
        "1.9.8 ",
        "٣.1.1",
    ],
)
def test_names_no_single_release(text: str) -> None:
    assert Release.parse(text) == Malformed(f"{text!r} does not name one release by its three numbers")


def test_order() -> None:
    texts = [
        "0.15.5",
        "1.2.0",
        "1.9.8",
        "1.10.0-alpha20240404",
        "1.10.0-beta1",
        "1.10.0-rc1",
        "1.10.0",
        "1.10.1",
    ]
    releases = [Release.parse(text) for text in texts]
    assert sorted(r for r in reversed(releases) if isinstance(r, Release)) == releases


def test_a_stage_does_not_count_in_a_set() -> None:
    assert Release(1, 10, 0, "beta1") in Releases.only(Release(1, 10, 0))


@pytest.mark.parametrize(
    ("left", "right", "both"),
    [
        (Range(), Range(Release(1, 5, 0)), Releases(Range(Release(1, 5, 0)))),
        (Range(high=Release(1, 5, 0)), Range(Release(1, 5, 0)), Releases()),
        (
            Range(Release(1, 5, 0), Release(2, 0, 0)),
            Range(Release(1, 9, 0), Release(3, 0, 0)),
            Releases(Range(Release(1, 9, 0), Release(2, 0, 0))),
        ),
    ],
)
def test_common_releases(left: Range, right: Range, both: Releases) -> None:
    assert Releases(left) & Releases(right) == both == Releases(right) & Releases(left)


def test_an_empty_set_is_false_and_has_no_lowest() -> None:
    assert not Releases(Range(Release(2, 0, 0), Release(1, 0, 0)))
    assert Releases().lowest is None
    assert EVERY_RELEASE.lowest == Release(0, 0, 0)
