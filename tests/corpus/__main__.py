"""`python -m tests.corpus DIR`: DIR holds repositories, each a folder. Exits 1 if any promise is broken."""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.corpus import rounds, summary


def main() -> int:
    parser = argparse.ArgumentParser(prog="make corpus", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    folder: Path = parser.parse_args().folder
    visits = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the work is done by the programs that it starts
        for visit in pool.map(rounds.visit, sorted(path for path in folder.iterdir() if path.is_dir())):
            print(*summary.of_one(visit), sep="\n", flush=True)
            visits.append(visit)
    print("", *summary.of_all(visits), sep="\n")
    return 1 if any(visit.all_broken() for visit in visits) else 0


sys.exit(main())
