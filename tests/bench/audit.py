"""A whole `tfrelock audit` against `rg -l 'backend "s3"'` over one tree, in turn.

Prints the ratio of the medians and the peak memory of all processes together.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.bench.measure import installed, peak, run
from tests.bench.tree import Tree

ROUNDS: Final = 5
RATIO: Final = 4.0


def bench(make: Callable[[Path], Tree], memory: float) -> bool:
    """Whether the limits are kept, `memory` in MB, and no backend of the tree is missing."""
    with tempfile.TemporaryDirectory(prefix="tfrelock-bench-") as folder:
        tree = make(Path(folder, "tree"))
        audit = [sys.executable, "-m", "migrate", "audit", "--format", "json", str(tree.root)]
        rg = [str(Path(sys.executable).parent / "rg"), "-l", 'backend "s3"', str(tree.root)]
        environment = installed(Path(folder, "compiled"))
        found = _backends(run(audit, environment).out)  # warms the page cache too
        pairs = [(run(audit, environment).seconds, run(rg, environment).seconds) for _ in range(ROUNDS)]
        ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
        held = peak(audit, environment)
    print(f"{tree.files} files, {tree.backends} backends: the audit found {found}")
    print(f"  tfrelock audit {ours:.2f} s, rg -l {theirs:.2f} s: ratio {ours / theirs:.1f} (at most {RATIO})")
    print(
        f"  {ours / tree.files * 1e6:.0f} µs a file; all processes held {held:.0f} MB (at most {memory:.0f})"
    )
    return found >= tree.backends and ours / theirs <= RATIO and held <= memory


def _backends(report: bytes) -> int:
    return sum(len(state["backends"]) for state in json.loads(report)["states"])
