"""A commit with symlinks in; the files they lead to, as a checkout of it would have them, out."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from migrate.campaign.reading.commit import AtCommit
from migrate.campaign.reading.one_file import interest
from migrate.cli.gather import OnDisk
from migrate.files import Left, Linked, Read, Repository
from migrate.git.own import borrow
from migrate.model import RepoId
from tests.repo import Repo, make

LINKS = {
    "net/team.auto.tfvars": "../shared/team.auto.tfvars",
    "net/again.tfvars": "team.auto.tfvars",
    "net/here.tfvars": "./../net/../shared/team.auto.tfvars",
    "app": "net",
    "net/gone.tfvars": "../shared/gone.tfvars",
    "net/out.tfvars": "../../elsewhere.tfvars",
    "net/far.tfvars": "/etc/hostname",
    "net/circle.tfvars": "circle.tfvars",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = make(tmp_path / "net", {"shared/team.auto.tfvars": 'key = "b"\n', "net/main.tofu": "\n"})
    for name, target in LINKS.items():
        (repo.path / name).symlink_to(target)
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "-m", "Link")
    return repo


@pytest.fixture
def commit(repo: Repo, tmp_path: Path) -> AtCommit:
    (tmp_path / "scratch").mkdir()
    return AtCommit(borrow(repo.path, tmp_path / "scratch"), repo.git("rev-parse", "HEAD"))


@pytest.mark.parametrize(
    ("path", "real"),
    [
        ("net/team.auto.tfvars", "shared/team.auto.tfvars"),
        ("net/again.tfvars", "shared/team.auto.tfvars"),
        ("net/here.tfvars", "shared/team.auto.tfvars"),
        ("app/again.tfvars", "shared/team.auto.tfvars"),
        ("app/../shared/team.auto.tfvars", "shared/team.auto.tfvars"),
        ("app/main.tofu", "net/main.tofu"),
        ("app", None),
        ("net/gone.tfvars", None),
        ("net/out.tfvars", None),
        ("net/far.tfvars", None),
        ("net/circle.tfvars", None),
    ],
)
def test_a_path_leads_where_it_does_in_a_checkout(
    path: str, real: str | None, repo: Repo, commit: AtCommit
) -> None:
    read, on_disk = commit.read(PurePosixPath(path)), OnDisk(Repository(RepoId("net"), repo.path, git=True))
    assert read == on_disk.read(PurePosixPath(path))
    assert commit.has(PurePosixPath(path)) == (real is not None)
    if real:
        assert isinstance(read, Read)
        assert read.path == PurePosixPath(real)
        assert commit.holds(PurePosixPath(path), read.data)


def test_a_link_out_of_the_repository_may_be_a_file_of_its_folder(commit: AtCommit) -> None:
    inside = ["again.tfvars", "here.tfvars", "main.tofu", "team.auto.tfvars"]
    outside = ["circle.tfvars", "far.tfvars", "out.tfvars"]
    assert commit.names(PurePosixPath("app")) == sorted([*inside, *outside])
    assert commit.names(PurePosixPath("../other")) == ()


def test_links_of_links_are_named_with_the_file_they_end_at(commit: AtCommit) -> None:
    found = {str(i.path): str(i.target) for i in commit.items(interest(())) if isinstance(i, Linked)}
    wanted = ("net/again.tfvars", "net/here.tfvars", "net/team.auto.tfvars")
    assert found == dict.fromkeys(wanted, "shared/team.auto.tfvars")


def test_a_submodule_is_left_out_and_said_so(repo: Repo, tmp_path: Path) -> None:
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},modules/net")
    repo.git("commit", "--quiet", "-m", "Add a submodule")
    (tmp_path / "scratch").mkdir()
    commit = AtCommit(borrow(repo.path, tmp_path / "scratch"), repo.git("rev-parse", "HEAD"))
    left = [item for item in commit.items(interest(())) if isinstance(item, Left)]
    assert Left(PurePosixPath("modules/net"), "submodule") in left
