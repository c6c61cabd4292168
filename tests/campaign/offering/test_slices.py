"""Slices: names of branches, and large ones parted by folder but never through a change."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.campaign.offering.slices import Edit, Slice, branch, parted, plain
from migrate.model import Known, Lock
from migrate.offer import Moved
from tests.campaign.places import commit_text, slice_of

NAMES = [
    ("net", "net"),
    ("net-v1.2_x", "net-v1.2_x"),
    ("my net", "my-net-9ba3"),
    ("a..b", "a-b-"),
    (".hidden", "-hidden-"),
    ("x.lock", "x--"),
    ("~^:?*[\\", "--"),
    ("Größe", "Gr-e-"),
]


@pytest.mark.parametrize(("name", "start"), NAMES)
def test_names_that_git_takes(name: str, start: str) -> None:
    assert plain(name).startswith(start[:3])
    assert plain(name) == name or plain(name)[-7] == "-"


def test_names_that_differ_stay_different() -> None:
    assert len({plain(name) for name in ("a b", "a-b", "a~b", "a  b")}) == 4


def edits(*names: str) -> tuple[Edit, ...]:
    return tuple(Edit(PurePosixPath(name), b"a", b"b") for name in names)


def shown(slices: tuple[Slice, ...]) -> list[tuple[str, list[str]]]:
    return [(branch(part, "tfrelock/x"), sorted(map(str, part.paths))) for part in slices]


WHOLE = slice_of("prepare", commit_text("pin", *edits("main.tf", "app/a.tf", "net/n.tf")))


def test_a_small_slice_is_one() -> None:
    assert parted(WHOLE) == (WHOLE,)
    assert branch(WHOLE, "tfrelock/x") == "tfrelock/x/prepare"


def test_a_large_one_is_parted_by_top_folder() -> None:
    assert shown(parted(WHOLE, most=2)) == [
        ("tfrelock/x/prepare", ["main.tf"]),
        ("tfrelock/x/prepare-app", ["app/a.tf"]),
        ("tfrelock/x/prepare-net", ["net/n.tf"]),
    ]


def test_never_through_a_change() -> None:
    bond = frozenset({PurePosixPath("app/a.tf"), PurePosixPath("net/n.tf")})
    whole = replace(WHOLE, commits=tuple(replace(commit, bonds=(bond,)) for commit in WHOLE.commits))
    assert shown(parted(whole, most=2)) == [
        ("tfrelock/x/prepare", ["main.tf"]),
        ("tfrelock/x/prepare-app", ["app/a.tf", "net/n.tf"]),
    ]


def test_one_folder_is_not_parted() -> None:
    whole = slice_of("prepare", commit_text("pin", *edits("net/a.tf", "net/b.tf", "net/c.tf")))
    assert shown(parted(whole, most=2)) == [("tfrelock/x/prepare-net", ["net/a.tf", "net/b.tf", "net/c.tf"])]


def test_each_part_says_only_what_it_changes() -> None:
    states = tuple(Moved(f"s3://{top}", (PurePosixPath(top),), Known(Lock.TABLE)) for top in ("app", "net"))
    two = slice_of(
        "prepare", commit_text("pin", *edits("app/a.tf")), commit_text("dual-lock", *edits("net/n.tf"))
    )
    app, net = parted(replace(two, offer=replace(two.offer, states=states)), most=1)
    assert [(part.offer.phases, [state.state for state in part.offer.states]) for part in (app, net)] == [
        (("pin",), ["s3://app"]),
        (("dual-lock",), ["s3://net"]),
    ]
