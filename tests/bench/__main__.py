"""`make bench`: a whole `tfrelock audit` against `rg -l 'backend "s3"'` over the same tree, in turn.

Prints the ratio of the medians and the peak memory of all processes together. Ends with 1 when a limit is
passed, or when the audit reports fewer backends than the tree holds.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.bench.measure import installed, peak, run
from tests.bench.tree import Tree, make

ROUNDS: Final = 5
RATIO: Final = 4.0
MEMORY: Final = 200.0
"""MB."""


def main(sizes: list[int]) -> int:
    """Bench one tree of each size; 0 where all keep the limits."""
    return max(_bench(size) for size in sizes or [20_000])


def _bench(size: int) -> int:
    with tempfile.TemporaryDirectory(prefix="tfrelock-bench-") as folder:
        tree = make(Path(folder, "tree"), size)
        audit = [sys.executable, "-m", "migrate", "audit", "--format", "json", str(tree.root)]
        rg = [str(Path(sys.executable).parent / "rg"), "-l", 'backend "s3"', str(tree.root)]
        environment = installed(Path(folder, "compiled"))
        found = json.loads(run(audit, environment).out)["summary"]["states"]  # warms the page cache too
        pairs = [(run(audit, environment).seconds, run(rg, environment).seconds) for _ in range(ROUNDS)]
        return _said(tree, found, pairs, peak(audit, environment))


def _said(tree: Tree, found: int, pairs: list[tuple[float, float]], memory: float) -> int:
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = ours / theirs
    print(f"{tree.files} files, {tree.backends} backends: the audit found {found}")
    print(f"  tfrelock audit {ours:.2f} s, rg -l {theirs:.2f} s: ratio {ratio:.1f} (at most {RATIO})")
    print(f"  peak memory of all processes {memory:.0f} MB (at most {MEMORY:.0f})")
    return int(found < tree.backends or ratio > RATIO or memory > MEMORY)


if __name__ == "__main__":
    sys.exit(main([int(argument) for argument in sys.argv[1:]]))
