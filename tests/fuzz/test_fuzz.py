"""The fuzzer finds what is broken, and finds nothing in a short run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath
from random import Random

import pytest

from migrate.dialects import terraform
from migrate.model import LockWish, Site
from migrate.plug import Edits, Sources
from migrate.text import Replace, Span, Syntax
from tests.fuzz import seeds
from tests.fuzz.__main__ import text_of
from tests.fuzz.mutations import MUTATIONS, Mutation, mutated
from tests.fuzz.promises import kept
from tests.pairs import block, source

TABLE = block('bucket = "acme"', 'dynamodb_table = "acme-locks"')


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_broken_in_a_short_run(seed: int) -> None:
    given, counts = seeds.own(), Counter[str]()
    broken = [
        (number, one)
        for number in range(100)
        for one in kept(text_of(number, given, seed), counts, undo=number % 20 == 0)
    ]
    assert broken == []
    assert counts["edits"] > 0


def test_a_text_is_the_same_for_its_number_and_seed() -> None:
    given = seeds.own()
    assert text_of(7, given, 1) == text_of(7, given, 1)
    assert len({text_of(number, given, 1).text for number in range(50)}) > 40


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__.strip("_"))
@pytest.mark.parametrize("text", ["", "x", TABLE], ids=["nothing", "one sign", "a block"])
def test_any_text_can_be_mutated(mutation: Mutation, text: str) -> None:
    results = {mutation(text, Random(number), [TABLE]) for number in range(30)}
    assert all(isinstance(one, str) for one in results)
    assert text != TABLE or results != {TABLE}


def test_a_mutated_text_is_another(tmp_path: Path) -> None:
    assert mutated(TABLE, Random(1), [TABLE]) != TABLE


def test_real_files_are_those_that_name_a_lock(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in {"a.tf": TABLE, "b.tf": "locals {}\n", ".git/c.tf": TABLE}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "link.tf").symlink_to("a.tf")
    (tmp_path / "odd.tf").write_bytes(TABLE.encode() + b"\xff")
    assert list(seeds.real(tmp_path)) == [(PurePosixPath("a.tf"), TABLE)]


class Wrong:
    """A dialect that does to a block what none may do."""

    NAME = "wrong"
    claims = staticmethod(terraform.claims)
    find = staticmethod(terraform.find)

    def __init__(self, new: str) -> None:
        self._new = new

    def edit(self, sources: Sources, found: Site, wish: LockWish, /) -> Edits:
        if not self._new:
            raise KeyError(found.name)
        text, lock = sources[found.path].text, f"{self._new}\n    use_lockfile = true\n"
        at = text.find("    dynamodb_table")
        fresh = wish is LockWish.DUAL and "use_lockfile" not in text
        return {found.path: (Replace(Span(at, at), lock, Syntax.PLAIN),)} if fresh else {}


@pytest.mark.parametrize(
    ("new", "promise"),
    [("", "no crash"), ("    # more than was asked for", "only the lock's words change")],
)
def test_what_is_broken_is_told(new: str, promise: str) -> None:
    given = source("main.tf", TABLE)
    assert [one.promise for one in kept(given, Counter(), [Wrong(new)])] == [promise]
