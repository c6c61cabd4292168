"""Many roots initialised anew at once by real Terraform, with one cache of providers for all."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.real.lab import NEW, Lab
from tests.real.mirror import PROVIDER, Estate

pytestmark = pytest.mark.terraform
COUNT = 6
LOCK = f'provider "{PROVIDER}" {{\n  version = "2.1.2"\n}}\n'
"""Without hashes: `init -lockfile=readonly` would want to add them."""


def reinit(estate: Estate, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "migrate", "reinit", "--jobs", "8", "--format", "json", *options]
    return subprocess.run(
        [*command, str(estate.live)], env=estate.env, check=False, text=True, capture_output=True
    )


def statuses(ran: subprocess.CompletedProcess[str]) -> list[str]:
    return [one["status"] for one in json.loads(ran.stdout)["directories"]]


@pytest.fixture
def estate(lab: Lab, tmp_path: Path) -> Estate:
    made = Estate(tmp_path, NEW[0], lab.cloud.env)
    made.write(1)
    first = subprocess.run(["terraform", "init", "-no-color"], cwd=made.live / "0", env=made.env, check=False)
    assert first.returncode == 0
    dependencies = (made.live / "0/.terraform.lock.hcl").read_text()
    subprocess.run(["rm", "-r", str(made.plugins), str(made.live / "0/.terraform")], check=True)
    made.write(COUNT, dependencies=dependencies)
    return made


def test_many_roots_at_once_fill_a_cold_cache_once(estate: Estate) -> None:
    ran = reinit(estate, "--write", "--new")
    assert (ran.returncode, statuses(ran)) == (0, ["done"] * COUNT), ran.stderr
    assert estate.incomplete() == []
    assert [path.name for path in estate.plugins.iterdir()] == ["registry.terraform.io"]
    links = {
        (estate.live / str(n) / ".terraform/providers" / PROVIDER / "2.1.2/linux_amd64").resolve()
        for n in range(COUNT)
    }
    assert links == {(estate.plugins / PROVIDER / "2.1.2/linux_amd64").resolve()}
    before = (estate.live / "3/.terraform.lock.hcl").read_bytes()
    estate.write(COUNT, "use_lockfile   = true")
    assert statuses(reinit(estate, "--check")) == ["stale"] * COUNT
    again = reinit(estate, "--write")
    assert (again.returncode, statuses(again)) == (0, ["done"] * COUNT), again.stderr
    assert (estate.live / "3/.terraform.lock.hcl").read_bytes() == before
    assert statuses(reinit(estate, "--write")) == ["current"] * COUNT


def watched(parent: subprocess.Popen[bytes], within: Path) -> dict[str, int]:
    """How many children of a process had a file in a folder open for writing at once, until it ends."""
    most: dict[str, int] = {}
    while parent.poll() is None:
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        now = Counter(to for child in children for to in set(opened_for_writing(child)))
        for to, writers in now.items():
            if to.startswith(f"{within}/"):
                most[to] = max(writers, most.get(to, 0))
        time.sleep(0.005)
    return most


def opened_for_writing(process: str) -> Iterator[str]:
    for descriptor in Path(f"/proc/{process}/fd").glob("*"):
        with suppress(OSError):  # it is closed, or the process has ended
            about = Path(f"/proc/{process}/fdinfo/{descriptor.name}").read_text()
            if int(about.partition("flags:")[2].split()[0], 8) & os.O_ACCMODE != os.O_RDONLY:
                yield str(descriptor.readlink())


@pytest.mark.skipif(sys.platform != "linux", reason="what processes have open is read from /proc")
def test_who_writes_a_shared_cache_at_once(estate: Estate) -> None:
    """Inits that know nothing of each other write one file together; ours never do."""
    all_at_once = "for root in */; do terraform -chdir=$root init -input=false & done; wait"
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        ["sh", "-c", all_at_once], cwd=estate.live, env=estate.env, stdout=quiet, stderr=quiet
    ) as naive:
        together = watched(naive, estate.plugins)
    assert max(together.values()) > 1
    initialised = [str(folder) for folder in estate.live.glob("*/.terraform")]
    subprocess.run(["rm", "-r", str(estate.plugins), *initialised], check=True)
    command = [sys.executable, "-m", "migrate", "reinit", "--jobs", "8", "--write", "--new", str(estate.live)]
    with subprocess.Popen(command, env=estate.env, stdout=quiet, stderr=quiet) as ours:
        alone = watched(ours, estate.plugins)
    assert ours.returncode == 0
    assert set(alone.values()) == {1}


@pytest.mark.skipif(sys.platform != "linux", reason="what processes have open is read from /proc")
@pytest.mark.parametrize("spoilt", ["package", "lock"])
def test_what_the_cache_has_is_not_what_the_locks_have(spoilt: str, estate: Estate) -> None:
    """Half a package, or locks made on another machine: each init writes it anew, one after the other."""
    assert reinit(estate, "--write", "--new").returncode == 0
    (package,) = (path for path in estate.plugins.rglob("*") if path.is_file())
    before = package.read_bytes()
    if spoilt == "package":
        package.write_bytes(before[:1000])
    else:
        (archive,) = (estate.folder / "mirror").rglob("*.zip")
        downloaded = f"zh:{hashlib.sha256(archive.read_bytes()).hexdigest()}"
        here = (estate.live / "0/.terraform.lock.hcl").read_text()
        estate.write(COUNT, dependencies=re.sub('h1:[^"]+', downloaded, here))
    subprocess.run(["rm", "-r", *(str(folder) for folder in estate.live.glob("*/.terraform"))], check=True)
    command = [sys.executable, "-m", "migrate", "reinit", "--jobs", "8", "--write", "--new", str(estate.live)]
    with subprocess.Popen(command, env=estate.env, stderr=subprocess.PIPE) as ours:
        at_once = watched(ours, package.parent)
    assert ours.returncode == 0
    assert set(at_once.values()) == {1}
    assert package.read_bytes() == before


def somebody_in(folder: Path) -> bool:
    """Whether a process still works there: what a killed run started ends by itself."""
    for place in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # it has ended meanwhile
            if place.readlink().is_relative_to(folder):
                return True
    return False


def test_a_run_that_is_killed_is_gone_on_with(estate: Estate) -> None:
    command = [sys.executable, "-m", "migrate", "reinit", "--jobs", "2", "--write", "--new", str(estate.live)]
    with subprocess.Popen(
        command, env=estate.env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as running:
        assert running.stderr
        for _ in range(2):  # the first fetches what the others take from the cache
            running.stderr.readline()
        running.send_signal(signal.SIGKILL)
    while somebody_in(estate.live):
        time.sleep(0.05)
    ran = reinit(estate, "--write", "--new")
    assert ran.returncode == 0, ran.stderr
    assert set(statuses(ran)) == {"done", "current"}
    assert statuses(reinit(estate, "--check")) == ["current"] * COUNT
    assert estate.incomplete() == []


def test_a_workspace_without_a_state_stays_selected_and_is_named(estate: Estate) -> None:
    assert reinit(estate, "--write", "--new").returncode == 0
    (estate.live / "5/.terraform/environment").write_text("blue")
    estate.write(COUNT, "use_lockfile   = true")
    ran = reinit(estate, "--write")
    assert ran.returncode == 0
    (told,) = [
        one for one in json.loads(ran.stdout)["directories"] if one["path"] == "live/5" or one["path"] == "5"
    ]
    assert told["why"].startswith("workspace blue stays selected")
    assert (estate.live / "5/.terraform/environment").read_text() == "blue"
