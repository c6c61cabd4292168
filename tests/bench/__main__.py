"""`make bench`: what this program promises of its speed and size; ends with 1 where a limit is passed.

`make bench ONLY="terragrunt iam"` runs some, `make bench FILES=5000` one tree of that size. Times are of one
machine at one moment, so no test asserts them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tests.bench import audit, propose, reinit, tree, verdicts


def _files(count: int, memory: float = 300.0) -> bool:
    return audit.bench(partial(tree.mixed, files=count), memory)


def _terragrunt() -> bool:
    return audit.bench(partial(tree.monorepo, units=11_000), 300.0)


BENCHES: Final[Mapping[str, Callable[[], bool]]] = {
    "files-20000": partial(_files, 20_000, memory=200.0),
    "files-60000": partial(_files, 60_000),
    "files-200000": partial(_files, 200_000),
    "terragrunt": _terragrunt,
    "iam": verdicts.bench,
    "propose": partial(propose.bench, 300),
    "reinit": reinit.bench,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("only", nargs="*", choices=[[], *BENCHES], metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--files", type=int, metavar="COUNT")
    asked = parser.parse_args()
    chosen = [partial(_files, asked.files)] if asked.files else [BENCHES[n] for n in asked.only or BENCHES]
    kept = [bench() for bench in chosen]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    raise SystemExit(main())
