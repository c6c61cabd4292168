"""One run of a program: how long it took, and how much memory all its processes held at most together."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct


class Run(Struct, frozen=True):
    """`out` is what the program printed."""

    seconds: float
    out: bytes
    code: int


def installed(cache: Path) -> dict[str, str]:
    """The environment of an installed program: its modules are compiled once, here into `cache`."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(cache)}


def run(command: Sequence[str], environment: Mapping[str, str]) -> Run:
    """Run to the end; what it prints is kept."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        out = process.communicate()[0]
        return Run(time.perf_counter() - start, out, process.returncode)


def peak(command: Sequence[str], environment: Mapping[str, str], every: float = 0.005) -> float:
    """The most memory, in MB, that the program and all it started held together, shared pages once (PSS).

    Three looks in a row must see it: until a child runs a program of its own it has its parent's memory,
    which a look at that moment would count twice.
    """
    held: list[float] = []
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
    ) as process:
        while process.poll() is None:
            held.append(_together(process.pid))
            time.sleep(every)
    return max(map(min, held, held[1:], held[2:]), default=0.0)


def _together(session: int) -> float:
    return sum(_memory(pid) for pid in _of_session(session)) / 1024


def _of_session(session: int) -> list[int]:
    members = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            members.append(int(stat.parent.name))
    return members


def _memory(pid: int) -> int:
    """In kB; 0 for a process that has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
