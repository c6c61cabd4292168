"""Many roots initialised by `tfrelock reinit`, and one after another; the cache is cold each time."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.real.lab import NEW, opened
from tests.real.mirror import Estate

COUNT: Final = 40
JOBS: Final = 8


def bench() -> bool:
    """Whether no init failed; how much sooner it is done depends on the processors of the machine."""
    with opened() as lab, tempfile.TemporaryDirectory(prefix="tfrelock-bench-") as folder:
        estate = Estate(Path(folder), NEW[0], lab.cloud.env)
        estate.write(1)
        _one_by_one(estate)
        estate.write(COUNT, dependencies=(estate.live / "0/.terraform.lock.hcl").read_text())
        apart = _timed(lambda: _one_by_one(estate), estate)
        command = [sys.executable, "-m", "migrate", "reinit", "--write", "--new", "--jobs", str(JOBS)]
        codes: list[int] = []
        together = _timed(
            lambda: codes.append(_run([*command, str(estate.live)], estate, estate.folder)), estate
        )
    print(f"{COUNT} roots, {JOBS} at once: {together:.1f} s, one after another {apart:.1f} s")
    print(f"  ratio {together / apart:.2f}; exit {codes[0]} (must be 0)")
    return codes == [0]


def _timed(action: Callable[[], None], estate: Estate) -> float:
    shutil.rmtree(estate.plugins, ignore_errors=True)
    estate.plugins.mkdir()
    for data in estate.live.glob("*/.terraform"):
        shutil.rmtree(data)
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _one_by_one(estate: Estate) -> None:
    for root in sorted(estate.live.iterdir()):
        assert _run(["terraform", "init", "-reconfigure", "-input=false"], estate, root) == 0


def _run(command: list[str], estate: Estate, folder: Path) -> int:
    quiet = subprocess.DEVNULL
    return subprocess.run(
        command, cwd=folder, env=estate.env, stdout=quiet, stderr=quiet, check=False
    ).returncode
