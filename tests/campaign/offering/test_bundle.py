"""Patches of a wave in; which of them have a folder of their own."""

from __future__ import annotations

from migrate.campaign.offering.bundle import Patched, crowded
from migrate.model import RepoId
from migrate.offer import Offer


def patched(repo: str, slice_: str = "prepare", base: str = "") -> Patched:
    return Patched(RepoId(repo), Offer(RepoId(repo), ()), f"tfrelock/default/{slice_}", b"", "", base)


def test_repositories_of_one_name_in_two_groups_do_not_overwrite_each_other() -> None:
    ours, theirs = patched("git.acme.example/shop/tf/net"), patched("git.acme.example/bank/tf/net")
    alone = [patched("git.acme.example/tf/app"), patched("git.acme.example/tf/app", "finish")]
    branch = patched("git.acme.example/shop/tf/net", base="prod")
    assert (ours.folder, theirs.folder, branch.folder) == ("tf/net", "tf/net", "tf/net@prod")
    assert crowded([ours, *alone, theirs, branch]) == [ours, theirs]
