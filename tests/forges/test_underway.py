"""Open proposals, whoever made them, as each forge lists them."""

from __future__ import annotations

import pytest

from migrate.errors import RelockError
from tests.forge_server import Answer, Fault, Pull
from tests.forges.sites import BRANCH, Site
from tests.forges.test_hosts import forge, named

__all__ = ["forge", "named"]


def test_everything_that_is_open_is_shown_with_the_ref_it_is_fetched_by(forge: Site) -> None:
    client, refs = forge.client(), "merge-requests" if forge.name == "gitlab" else "pull"
    forge.hub.pulls["acme/net"] = [
        Pull(1, "gone", "main", "", "", draft=False, state="closed"),
        Pull(2, BRANCH, "main", "", "", draft=True),
        Pull(3, BRANCH, "release/1", "", "", draft=False, fork=True),
    ]
    shown = sorted(client.underway(forge.repo), key=lambda one: one.number)
    assert [(one.number, one.branch, one.base, one.head) for one in shown] == [
        ("2", BRANCH, "main", forge.tip),
        ("3", "", "release/1", forge.tip),
    ]
    assert [one.ref for one in shown] == [f"refs/{refs}/{number}/head" for number in (2, 3)]
    assert shown[0].url.endswith("/2")


def test_everything_that_is_open_takes_more_than_a_page(forge: Site) -> None:
    client = forge.client()
    many = 5 if forge.name == "gitea" else 101  # the one lists two at once here, the others a hundred
    pulls = [Pull(number, BRANCH, "main", "", "", draft=False) for number in range(1, many + 1)]
    forge.hub.pulls["acme/net"] = pulls
    assert len({one.number for one in client.underway(forge.repo)}) == many


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_what_is_open_and_not_shown_is_not_nothing(forge: Site, status: int) -> None:
    client = forge.client(checked=False)
    forge.hub.faults.append(Fault("GET .*state=open", Answer(status, {"message": "No"})))
    with pytest.raises(RelockError):
        list(client.underway(forge.repo))
