"""The wheel: what it carries, and that it runs where nothing of this folder is near."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from migrate import __version__
from tests.repo import Repo

ROOT = Path(__file__).parent.parent
IGNORED = [
    "migrate/__pycache__/stale.pyc",
    "templates/__pycache__/stale.md",
    "playbooks/__pycache__/stale.md",
]


def run(*arguments: str | Path, cwd: Path, pythonpath: str = "") -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        arguments,
        cwd=cwd,
        env={**environment, "PYTHONPATH": pythonpath},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tracked(*folders: str) -> set[str]:
    listed = Repo(ROOT).git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders)
    return {name for name in listed.split("\0") if name and (ROOT / name).is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with source distribution and wheel, built offline from a folder that has ignored files too."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in [*tracked("."), *IGNORED]:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes() if name not in IGNORED else b"stale")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source, cwd=folder)
    return folder


def test_wheel_carries_the_tracked_files(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        carried = {name for name in wheel.namelist() if ".dist-info/" not in name}
    data = {f"migrate/_data/{name}" for name in tracked("templates", "playbooks")}
    assert carried == tracked("migrate") | data


def test_source_distribution_carries_what_builds_it(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        carried = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked("migrate", "templates", "playbooks", "tests", "README.md", "LICENSE") <= carried


def test_installed_wheel_runs_from_anywhere(built: Path, tmp_path: Path) -> None:
    clean = tmp_path / "clean"
    run(sys.executable, "-m", "venv", "--without-pip", clean, cwd=tmp_path)
    wheel, python = next(built.glob("*.whl")), clean / "bin/python"
    install = ("install", "--quiet", "--no-index", "--no-deps", wheel)
    run(sys.executable, "-m", "pip", "--python", python, *install, cwd=tmp_path)
    dependencies = sysconfig.get_path("purelib")
    said = run(clean / "bin/tfrelock", "--version", cwd=Path("/"), pythonpath=dependencies)
    assert said == f"tfrelock {__version__}\n"
