from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Literal

import pytest
from msgspec.structs import replace

from migrate.model import Fact, Known, Pin, Scalar, Unknown
from migrate.rules import release_to_avoid
from migrate.text import Span
from tests.estate.world import LOCKFILE, NET, TABLE, site, world

WHERE = PurePosixPath("net/.terraform-version")


@pytest.mark.parametrize(
    ("settings", "version", "kind", "expected"),
    [
        (
            TABLE,
            Known("1.15.0"),
            "exact",
            [".terraform-version chooses a release that prints warnings into output -json"],
        ),
        (
            TABLE,
            Known("1.15.1"),
            "exact",
            [".terraform-version chooses a release that prints warnings into output -json"],
        ),
        (TABLE, Known("1.15.2"), "exact", []),
        (TABLE, Known("1.15"), "exact", []),  # the newest of the minor
        (LOCKFILE, Known("1.15.1"), "exact", []),
        (TABLE, Known("1.10.0"), "exact", []),  # below the floor: binary-below-floor
        (TABLE, Known(">= 1.5"), "constraint", []),
        (TABLE, Known("latest"), "exact", []),
        (TABLE, Unknown("var.version"), "unknown", []),
    ],
)
def test_exact_choices(
    settings: Mapping[str, Scalar],
    version: Fact[str],
    kind: Literal["exact", "constraint", "unknown"],
    expected: list[str],
) -> None:
    pin = Pin(NET, WHERE, "version_file", kind, "terraform", version, Span(0, 0), 1, WHERE.parent)
    given = world(site("net/main.tf", settings))
    backend = replace(given.stack.backends[0], pins=(pin,))
    pinned = replace(given, stack=replace(given.stack, backends=(backend,)))
    assert [verdict.because for verdict in release_to_avoid.check(pinned)] == expected
