"""What was judged by and may be other than it was read; which slices that holds back."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from migrate.campaign.offering.slices import Edit
from migrate.campaign.proposing.round import Unsettled
from migrate.model import RepoId, Unknown
from migrate.steps import Phase
from tests.campaign.places import BACKEND, BOTH, NET, TABLE, commit_text, slice_of

DIRTY = Unknown("main.tf is not as it is committed", "commit it")
BESIDE = RepoId("github.com/acme/app")
OTHERS = Unknown(f"{BESIDE}: {DIRTY.why}", DIRTY.settle)
Which = Mapping[RepoId, Unknown]


@pytest.mark.parametrize(
    ("phase", "loose", "unread", "expected"),
    [
        ("pin", {}, {}, None),
        ("pin", {NET: DIRTY}, {}, DIRTY),
        ("pin", {BESIDE: DIRTY}, {BESIDE: DIRTY}, None),
        ("dual-lock", {NET: DIRTY}, {}, DIRTY),
        ("dual-lock", {BESIDE: DIRTY}, {}, OTHERS),
        ("dual-lock", {}, {BESIDE: DIRTY}, None),
        ("retire", {BESIDE: DIRTY}, {}, OTHERS),
        ("retire", {}, {BESIDE: DIRTY}, OTHERS),
        ("retire", {}, {NET: DIRTY}, Unknown(f"{NET}: {DIRTY.why}", DIRTY.settle)),
    ],
)
def test_which_slices_wait(phase: Phase, loose: Which, unread: Which, expected: Unknown | None) -> None:
    slice_ = slice_of(phase, commit_text(phase, Edit(BACKEND, TABLE, BOTH)))
    assert Unsettled(loose, unread).of(slice_) == expected
