"""The rows of lock tables that stay behind when states give up their table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from migrate.estate.effective import bucket, text
from migrate.model import Backend, Fact, Known, Run, Stack, Unknown
from migrate.offer import DigestRow

_CHOOSING: Final = ("select", "new")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_UNREAD: Final = Unknown("no table was read", "tfrelock digests")
_PREFIX: Final = Known("env:")


def rows(stacks: Iterable[Stack], runs: Iterable[Run]) -> Iterator[DigestRow]:
    """A row for the default workspace of each state in each of its tables, and for those that `runs` name.
    Where source does not say bucket or key, a word to replace stands for it.
    """
    given = tuple(run for run in runs if run.command == "workspace")
    for stack in stacks:
        yield from dict.fromkeys(row for b in stack.backends for row in _rows(str(stack.id), b, given))


def _rows(state: str, backend: Backend, runs: Iterable[Run]) -> Iterator[DigestRow]:
    prefix: Fact[str] = text(backend.settings, "workspace_key_prefix") or _PREFIX
    where, its = _said(bucket(backend.settings), "BUCKET"), _said(text(backend.settings, "key"), "KEY")
    keys = {"": its}
    if isinstance(prefix, Known):
        names = {name for run in runs for name in _chosen(run, backend)} - {"default"}
        keys |= {name: f"{prefix.value}/{name}/{its}" for name in sorted(names)}
    if table := backend.table:
        for name, key in keys.items():
            yield DigestRow(state, name, where, key, table.name, table.region, _UNREAD, prefix)


def _said(fact: Fact[str] | None, otherwise: str) -> str:
    return fact.value if isinstance(fact, Known) else otherwise


def _chosen(run: Run, backend: Backend) -> Iterator[str]:
    """The workspace that a run chooses, where it may run in this root. One that the state does not have does
    no harm: the command finds no row.
    """
    words = [word for word in run.arguments if not word.startswith("-")]
    elsewhere = isinstance(run.directory, Known) and run.directory.value != backend.root
    if run.repo != backend.repo or elsewhere or len(words) != 2:
        return
    if words[0] in _CHOOSING and _NAME.fullmatch(words[1]):
        yield words[1]
