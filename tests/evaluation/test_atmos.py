"""Globs as Atmos takes them, and hostile ones."""

from __future__ import annotations

import pytest

from migrate.evaluation.atmos import fits


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("orgs/**/*", "orgs/a/b/c.yaml", True),
        ("orgs/**/*", "orgs/a.yaml", True),
        ("orgs/**", "orgs/a/b.yaml", True),
        ("**/_defaults.yaml", "a/b/_defaults.yaml", True),
        ("**/_defaults.yaml", "_defaults.yaml", True),
        ("catalog/*/*", "catalog/vpc/base.yml", True),
        ("catalog/*", "catalog/vpc/base.yaml", False),
        ("catalog/v?c", "catalog/vpc.yaml", True),
        ("orgs/**/*", "catalog/a.yaml", False),
        ("**/a/**/b", "x/a/y/z/b.yaml", True),
        ("**/a/**/b", "x/b.yaml", False),
        ("a", "a", True),
        ("a/b", "a", False),
    ],
)
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert fits(pattern, path) is expected


@pytest.mark.parametrize("pattern", ["**/" * 200 + "x", "*a" * 200, "/".join(["*" * 50 + "b"] * 200)])
def test_many_stars_take_no_time(pattern: str) -> None:
    assert not fits(pattern, "/".join(["a" * 200] * 200))
