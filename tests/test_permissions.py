"""File permissions bind in this process and in programs it starts, root or not, and only while asked to."""

import os
import subprocess
from pathlib import Path

import pytest

from tests import permissions


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text("no")
    file.chmod(0)
    return file


def test_nobody_reads_what_may_not_be_read(secret: Path) -> None:
    with permissions.binding():
        with pytest.raises(PermissionError):
            secret.read_text()
        assert subprocess.run(["cat", secret], capture_output=True, check=False).returncode == 1


def test_root_is_root_again_afterwards(secret: Path) -> None:
    with permissions.binding():
        pass
    allowed = os.geteuid() == 0
    assert os.access(secret, os.R_OK) == allowed
    assert (subprocess.run(["cat", secret], capture_output=True, check=False).returncode == 0) == allowed
