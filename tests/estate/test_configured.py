"""What a repository says of its roots' files, and the roots it has, in; the files of each root out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import pytest

from migrate.estate.configured import files_of

ROOTS = ("live/dev/net", "live/prod/app", "live/prod/net")
Files = Mapping[str, Sequence[str]]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"live/dev/net": ["a.tfbackend"]}, {"live/dev/net": ["a.tfbackend"]}),
        (
            {"live/*/*": ["env/*.tfbackend"]},
            {
                "live/dev/net": ["env/dev.tfbackend"],
                "live/prod/app": ["env/prod.tfbackend"],
                "live/prod/net": ["env/prod.tfbackend"],
            },
        ),
        (
            {"live/prod/*": ["env/*/b.hcl", "c.hcl"], "live/*/net": [], "live/prod/app": ["own.hcl"]},
            {
                "live/dev/net": [],
                "live/prod/app": ["own.hcl"],
                "live/prod/net": ["env/net/b.hcl", "c.hcl"],
            },
        ),
        ({"live/d*/n*": ["*-*.hcl"]}, {"live/dev/net": ["ev-et.hcl"]}),
        ({"live/*": ["a.hcl"], "*/*/app.": ["a.hcl"]}, {}),
        ({"live/dev/*": ["*/*.hcl"]}, {"live/dev/net": ["net/*.hcl"]}),
    ],
    ids=[
        "by name",
        "all",
        "its own name, then the first pattern",
        "a part of a name",
        "none",
        "one star more",
    ],
)
def test_a_star_is_one_name_of_a_folder_and_stands_for_it_in_the_files(said: Files, expected: Files) -> None:
    given = {PurePosixPath(root): tuple(map(PurePosixPath, files)) for root, files in said.items()}
    found = files_of(given, map(PurePosixPath, ROOTS))
    assert {str(root): list(map(str, files)) for root, files in found.items()} == expected
