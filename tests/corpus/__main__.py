"""`python -m tests.corpus DIR`: DIR holds repositories, each a folder. Exits 1 if any promise is broken."""

import argparse
import sys
from pathlib import Path

from tests.corpus import rounds, summary


def main() -> int:
    parser = argparse.ArgumentParser(prog="make corpus", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    folder: Path = parser.parse_args().folder
    visits = []
    for repository in sorted(path for path in folder.iterdir() if path.is_dir()):
        visits.append(rounds.visit(repository))
        print(*summary.of_one(visits[-1]), sep="\n", flush=True)
    print("", *summary.of_all(visits), sep="\n")
    return 1 if any(visit.all_broken() for visit in visits) else 0


sys.exit(main())
