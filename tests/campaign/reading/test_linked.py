"""Files and links in; the versions that are chosen for each root out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

import pytest

from migrate.campaign.reading.inventory import Told, take
from migrate.estate import join
from migrate.files import Linked, Opened
from migrate.model import Known, RepoId
from tests.campaign.reading.disk import Disk
from tests.cli.estates import backend

NET = RepoId("git.acme.example/acme/net")
BARE = backend().replace('  required_version = ">= 1.11.0"\n\n', "")
ROOTS = {"net/main.tf": BARE, "app/main.tf": BARE.replace("net.tfstate", "app.tfstate")}


def chosen(files: Mapping[str, str], links: Mapping[str, str], walked: Iterable[str]) -> dict[str, list[str]]:
    """By root, each version with the file that it stands in."""
    disk = Disk({**ROOTS, **files})
    reads = [read for path in (*ROOTS, *walked) if (read := disk.read(PurePosixPath(path)))]
    linked = [Linked(PurePosixPath(link), PurePosixPath(target)) for link, target in links.items()]
    estate = join([take(NET, [Opened(), *reads, *linked], disk, Told()).survey])
    return {
        str(backend.root): [
            f"{p.path} {p.version.value}" for p in backend.pins if isinstance(p.version, Known)
        ]
        for stack in estate.stacks
        for backend in stack.backends
    }


@pytest.mark.parametrize(
    ("files", "links", "walked", "expected"),
    [
        (
            {"app/.terraform-version": "1.9.8\n"},
            {"net/.terraform-version": "app/.terraform-version"},
            ["app/.terraform-version"],
            {"net": ["app/.terraform-version 1.9.8"], "app": ["app/.terraform-version 1.9.8"]},
        ),
        (
            {"versions/old": "1.9.8\n"},
            {"net/.terraform-version": "versions/old"},
            [],
            {"net": ["versions/old 1.9.8"], "app": []},
        ),
        ({}, {"net/.terraform-version": "gone"}, [], {"net": [], "app": []}),
        (
            {"versions.tf": 'terraform {\n  required_version = "~> 1.9"\n}\n'},
            {"net/requires.tf": "versions.tf"},
            ["versions.tf"],
            {"net": ["versions.tf ~> 1.9"], "app": []},
        ),
        (
            {},
            {"bin/.terraform-1.9.8.pkg": "bin/hermit"},
            [],
            {"net": ["bin/.terraform-1.9.8.pkg 1.9.8"], "app": ["bin/.terraform-1.9.8.pkg 1.9.8"]},
        ),
    ],
    ids=["the same name", "another name", "to nothing", "a constraint", "the name of a link alone"],
)
def test_what_a_link_chooses(
    files: Mapping[str, str], links: Mapping[str, str], walked: list[str], expected: dict[str, list[str]]
) -> None:
    assert chosen(files, links, walked) == expected
