"""`tfrelock propose` over many bare repositories against a plain shell loop that does the same, in turn.

The loop clones, makes a branch, puts the edited file there, commits and pushes; it knows what to write before
it begins. Both work on four repositories at a time.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.bench.measure import Run, installed, peak, run
from tests.cli.desk import MAY_LOCK
from tests.cli.estates import BOTH, TABLE
from tests.repo import ENVIRONMENT, make

ROUNDS: Final = 3
RATIO: Final = 1.5
BRANCH: Final = "tfrelock/default/prepare"
LOOP: Final = f"""
set -e; name=$(basename "$1" .git); work=$2/$name
git clone --quiet "$1" "$work"; cd "$work"; git checkout --quiet -b {BRANCH}
cp "$3/$name.tf" net/main.tf; git commit --quiet --all --message 'Lock state in S3 as well as DynamoDB'
git push --quiet origin {BRANCH}
"""


def bench(count: int, memory: float = 200.0) -> bool:
    """Whether the ratio and the memory, in MB, stay within limits; each repository must have its branch."""
    with tempfile.TemporaryDirectory(prefix="tfrelock-bench-") as name:
        folder = Path(name)
        _prepare(folder, count)
        pairs = [(_ours(folder), _theirs(folder)) for _ in range(ROUNDS)]
        ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
        held = peak(_command(folder, _repositories(folder)), installed(folder / "compiled"))
    print(f"{count} repositories: tfrelock propose {ours:.1f} s, a shell loop {theirs:.1f} s, 4 jobs each")
    print(f"  ratio {ours / theirs:.2f} (at most {RATIO}); it held {held:.0f} MB (at most {memory:.0f})")
    return ours / theirs <= RATIO and held <= memory


def _prepare(folder: Path, count: int) -> None:
    """Repositories that differ in one key, and what the loop will put into each."""
    (folder / "relock.yaml").write_text(MAY_LOCK)
    (folder / "edited").mkdir()
    more = {f"modules/part{number}/main.tf": f"# {number}\n" * 50 for number in range(40)}
    for number in range(count):
        key = f"{number}.tfstate"
        source = make(folder / "source", {**more, "net/main.tf": TABLE.replace("net.tfstate", key)})
        source.git("clone", "--quiet", "--bare", ".", str(folder / f"kept/net{number}.git"))
        (folder / f"edited/net{number}.tf").write_text(BOTH.replace("net.tfstate", key))
        shutil.rmtree(source.path)


def _repositories(folder: Path) -> Sequence[str]:
    """The repositories as they were in the beginning."""
    shutil.rmtree(folder / "work", ignore_errors=True)
    shutil.copytree(folder / "kept", folder / "work")
    return sorted(map(str, (folder / "work").iterdir()))


def _command(folder: Path, repositories: Sequence[str]) -> Sequence[str]:
    out = tempfile.mkdtemp(dir=folder)
    told = ["--yes", "--jobs", "4", "--out", out, "--config", str(folder / "relock.yaml")]
    return [sys.executable, "-m", "migrate", "propose", *told, *repositories]


def _ours(folder: Path) -> float:
    environment = {**installed(folder / "compiled"), **ENVIRONMENT, "GIT_CONFIG_GLOBAL": str(_user(folder))}
    return _seconds(run(_command(folder, _repositories(folder)), environment), folder)


def _theirs(folder: Path) -> float:
    repositories = _repositories(folder)
    clones = tempfile.mkdtemp(dir=folder)
    loop = ["xargs", "-P4", "-a", str(folder / "list"), "-I{}"]
    (folder / "list").write_text("\n".join(repositories))
    command = [*loop, "bash", "-c", LOOP, "loop", "{}", clones, str(folder / "edited")]
    return _seconds(run(command, {**os.environ, **ENVIRONMENT}), folder)


def _user(folder: Path) -> Path:
    file = folder / "gitconfig"
    file.write_text("[user]\n\tname = Ada Acme\n\temail = ada@acme.example\n")
    return file


def _seconds(done: Run, folder: Path) -> float:
    """How long it took; every repository must have the branch with the edited file."""
    assert done.code == 0, done
    for bare in (folder / "work").iterdir():
        shown = subprocess.run(
            ["git", "-C", str(bare), "show", f"{BRANCH}:net/main.tf"], capture_output=True, check=True
        )
        assert shown.stdout == (folder / f"edited/{bare.stem}.tf").read_bytes(), bare
    return done.seconds
