"""Command lines in a process of their own, killed right after its n-th call of git, forge or store.

One process imports the program, then forks for each run: a run costs what it does, and no more. The calls are
counted by Python's own profiler, as they return; nothing of the program is replaced.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path, PurePosixPath
from types import CodeType, FrameType
from typing import IO, Final

from msgspec import Struct

from migrate import process
from migrate.cli.main import relock, run
from migrate.files import cache
from migrate.forges.wire import Wire
from migrate.store import Store

CALLS: Final[Mapping[CodeType, str]] = {
    process.run.__code__: "git",
    Wire._send.__code__: "forge",
    Store.append.__code__: "store",
}


WARM: Final = (
    "migrate.campaign.access.callers",
    "migrate.cli.campaign",
    "migrate.cli.objects",
    "migrate.cli.trust",
    "migrate.policies",
    "migrate.reports.campaign_json",
    "hcl2",
    "hcl2.parser",
    "jinja2",
    "ruamel.yaml",
    "tempfile",
)


class Done(Struct, frozen=True):
    """How a run ended. `killed` names the call after which it was; `code` is of one that was not."""

    code: int
    killed: str
    calls: int
    out: str


def _die_after(number: int, told: Path) -> None:
    """Kill this process when the n-th call returns; 0: only count. What is known is kept in a file."""
    count, lock = 0, threading.Lock()

    def profile(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        if event == "return" and frame.f_code in CALLS:
            with lock:
                count += 1
                told.write_text(json.dumps([count, CALLS[frame.f_code]]))
                if count == number:
                    os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(profile)
    sys.setprofile(profile)


def _child(argv: Sequence[str], number: int | None, folder: Path) -> int:
    out = os.open(folder / "out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    if number is not None:
        _die_after(number, folder / "calls")
    return run(relock, argv)


def warm() -> None:
    """Import all that a campaign uses, as a process that has run for a while has."""
    for module in WARM:
        import_module(module)
    leaves = import_module("migrate.leaves")
    if folder := cache(os.environ):
        leaves.keep_grammar_in(folder)
    leaves.read(PurePosixPath("a.tf"), "a = 1\n", {})


def serve() -> None:
    """Read one run a line, fork for it, and say how it ended."""
    warm()
    for line in sys.stdin:
        argv, number, folder = json.loads(line)
        pid = os.fork()
        if pid == 0:
            code = 99
            try:
                code = _child(argv, number, Path(folder))
            except BaseException:  # noqa: BLE001  it is told, and the process ends here
                traceback.print_exc()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(pid, 0)
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()


class Runs:
    """The process that forks, and where its children write."""

    def __init__(self, folder: Path, commands: IO[str], answers: IO[str]) -> None:
        self._folder = folder
        self._commands = commands
        self._answers = answers

    def __call__(self, *arguments: object, die_after: int | None = None) -> Done:
        """One command line; it is killed right after its n-th call, if it makes so many; None counts none."""
        calls = self._folder / "calls"
        calls.write_text('[0, ""]')
        argv = [str(argument) for argument in arguments]
        self._commands.write(json.dumps([argv, die_after, str(self._folder)]) + "\n")
        self._commands.flush()
        code = int(self._answers.readline())
        count, last = json.loads(calls.read_text())
        return Done(code, last if code == -signal.SIGKILL else "", count, (self._folder / "out").read_text())


@contextmanager
def running(folder: Path, environment: Mapping[str, str]) -> Iterator[Runs]:
    """Start the process that forks; `folder` is for what its children write."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", "from tests.kills.runs import serve; serve()"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        cwd=Path(__file__).parents[2],
    ) as forking:
        assert forking.stdin
        assert forking.stdout
        try:
            yield Runs(folder, forking.stdin, forking.stdout)
        finally:
            forking.stdin.close()
