from pathlib import Path

import pytest

from tests.forges.sites import BRANCH
from tests.repo import make


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with our branch, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("bare")
    work = make(folder / "work", {"net/backend.tf": "terraform {}\n"})
    work.branch(BRANCH)
    work.commit({"net/backend.tf": "terraform {\n}\n"})
    work.git("checkout", "--quiet", "main")
    work.git("clone", "--quiet", "--bare", ".", str(folder / "net.git"))
    return folder / "net.git"
