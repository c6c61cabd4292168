"""`python -m tests.fuzz [--count N] [--seed S] [DIR]`: mutates the tests' own examples, or files below DIR.

Exits 1 if a promise is broken; a text is the same for the same seed, number and files.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

from migrate.model import RepoId, Source
from tests.fuzz import seeds
from tests.fuzz.mutations import mutated
from tests.fuzz.promises import Broken, kept
from tests.fuzz.seeds import Seed

_BATCH = 200
_HANGS = 60
"""Seconds after which a text is given up."""
_UNDO = 25
"""One text in so many is undone by git, which is a program to start."""
_SHOWN = 20

Found = tuple[int, str, Broken, str]


def text_of(number: int, given: Sequence[Seed], seed: int) -> Source:
    """The text of one number: the same for the same seeds and files."""
    chance = Random(f"{seed}/{number}")
    path, text = chance.choice(given)
    others = [chance.choice(given)[1] for _ in range(2)]
    return Source(RepoId("acme/net"), path, mutated(text, chance, others))


def batch(first: int, given: Sequence[Seed], seed: int, count: int) -> tuple[Counter[str], list[Found]]:
    counts, found = Counter[str](), list[Found]()
    for number in range(first, min(first + _BATCH, count)):
        source = text_of(number, given, seed)
        signal.alarm(_HANGS)
        broken = list(kept(source, counts, undo=number % _UNDO == 0))
        signal.alarm(0)
        counts["texts"] += 1
        found += [(number, str(source.path), one, source.text) for one in broken]
    return counts, found


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=2000, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR")
    asked = parser.parse_args()
    given = list(seeds.real(asked.folder)) if asked.folder else seeds.own()
    counts, found = Counter[str](), list[Found]()
    work = partial(batch, given=given, seed=asked.seed, count=asked.count)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for told, broken in pool.map(work, range(0, asked.count, _BATCH)):
            counts += told
            found += broken
    _say(given, counts, found)
    return 1 if found or not given else 0


def _say(given: Sequence[Seed], counts: Counter[str], found: Sequence[Found]) -> None:
    for number, path, broken, text in found[:_SHOWN]:
        print(f"{path}: text {number}: {broken.promise}: {broken.what}\n{text}\n---")
    told = ", ".join(
        f"{counts[name]:,} {name}" for name in ("texts", "sites", "edits", "refused", "not proved")
    )
    print(f"{len(given):,} files; {told}; {len(found)} broken")


sys.exit(main()) if __name__ == "__main__" else None
