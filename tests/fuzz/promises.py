"""One text through every plug that claims it: what breaks a promise, and what was done with it."""

from __future__ import annotations

import re
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from migrate.compose import compose
from migrate.dialects import DIALECTS, Dialect
from migrate.mentions import TOKENS, mentions
from migrate.model import LockWish, Refusal, Site, Source, Suggestion
from migrate.pins import PINS
from migrate.pipelines import PIPELINES
from migrate.plug import Finder
from migrate.policies import POLICIES
from migrate.proof import Unproved, prove
from migrate.tables import TABLES
from migrate.text import Conflict, Op
from migrate.wishes import OF_THE_TABLE
from tests.corpus.edits import ends_changed
from tests.pairs import undone

F = TypeVar("F")

SLOW = 5.0
"""Seconds of work for one text; a file of the size that is mutated takes some thousandths."""
_PHASES = {
    LockWish.DUAL: "dual-lock",
    LockWish.ADOPT: "adopt",
    LockWish.READ: "readers",
    LockWish.RETIRE: "retire",
}
"""The wishes of locks, and the phases that have them."""


_WORD = re.compile(r"[^\s\ufeff,{}()\[\]\"'=:\\#/]+")  # a comment may begin right behind a value
_ADDED = frozenset({"use_lockfile", "true", "-backend-config"})


@dataclass(frozen=True, slots=True)
class Broken:
    """A promise that did not hold for a text."""

    promise: str
    what: str


def kept(
    source: Source, counts: Counter[str], dialects: Sequence[Dialect] = DIALECTS, *, undo: bool = False
) -> Iterator[Broken]:
    """Every promise that `source` breaks; `counts` is told what became of each site. `undo`: ask git too."""
    began = time.process_time()
    try:
        yield from _looked_at(source)
        for dialect in dialects:
            if _may_read(dialect, source):
                yield from _edited(dialect, source, counts, undo=undo)
    except Exception:  # noqa: BLE001  a crash of any kind is what is looked for
        yield Broken("no crash", traceback.format_exc(limit=-3))
    if time.process_time() - began > SLOW:
        yield Broken("no hang", f"{time.process_time() - began:.1f} s")


def _may_read(plug: Finder[F], source: Source) -> bool:
    return plug.claims(source.path, source.text[:512].encode())


def _looked_at(source: Source) -> Iterator[Broken]:
    """Plugs that edit no lock; and every token is a mention where no site claims it."""
    _find(PINS, source)
    _find(PIPELINES, source)
    _find(TABLES, source)
    _find(POLICIES, source)
    words = Counter(re.findall(r"\w+", source.text))
    told = Counter(mention.token for mention in mentions(source, ()))
    for token in TOKENS:
        if words[token] != told[token]:
            yield Broken("every token has a fate", f"{told[token]} of {words[token]} {token}")


def _find(plugs: Sequence[Finder[F]], source: Source) -> None:
    for plug in plugs:
        if _may_read(plug, source):
            plug.find(source)


def _edited(dialect: Dialect, source: Source, counts: Counter[str], *, undo: bool) -> Iterator[Broken]:
    found = dialect.find(source)
    counts["sites"] += len(found.items)
    for wish, phase in _PHASES.items():
        sites = [site for site in found.items if (site.role == "reader") == (wish is LockWish.READ)]
        after = _after(dialect, source, sites, wish, counts) if sites else None
        if after is None or after == source.text:
            continue
        counts["edits"] += 1
        again = _after(dialect, Source(source.repo, source.path, after), sites, wish, Counter())
        if again not in (None, after):
            yield Broken("a second run edits nothing", f"{dialect.NAME} {phase}")
        yield from _beyond(f"{dialect.NAME} {phase}", source.text, after, sites)
        # A text of one line without an end says nothing of how its lines end.
        for broken in ends_changed(str(source.path), source.text, after) if "\n" in source.text else ():
            yield Broken("line ends stay", f"{dialect.NAME} {phase}: {broken.what}")
        if undo and undone(source.text, after) != source.text:
            yield Broken("undone byte for byte", f"{dialect.NAME} {phase}")


def _beyond(name: str, before: str, after: str, sites: Sequence[Site]) -> Iterator[Broken]:
    """Words come and go with the lock alone: those of its lines go, `use_lockfile` and `true` come."""
    old, new = Counter(_WORD.findall(before)), Counter(_WORD.findall(after))
    lines = {
        before[setting.span.start : before.find("\n", setting.span.end) % (len(before) + 1)]
        for site in sites
        for setting in site.settings
        if setting.name in (*OF_THE_TABLE, "use_lockfile", "endpoints")
    }
    gone = (old - new).keys() - {word for line in lines for word in _WORD.findall(line)}
    come = (new - old).keys() - _ADDED
    if gone or come:
        yield Broken("only the lock's words change", f"{name}: gone {sorted(gone)}, come {sorted(come)}")


def _after(
    dialect: Dialect, source: Source, sites: Sequence[Site], wish: LockWish, counts: Counter[str]
) -> str | None:
    """The text with the wish for all sites that take it, as far as both votes accept it."""
    ops, taken = list[Op](), list[Site]()
    for site in dialect.find(source).items if sites else ():
        if (site.role == "reader") != (wish is LockWish.READ):
            continue
        answer = dialect.edit({source.path: source}, site, wish)
        if isinstance(answer, Refusal | Suggestion) or site.why_not:
            counts["refused"] += 1
            continue
        ops += answer.get(source.path, ())
        taken.append(site)
    after = compose(source.text, list(dict.fromkeys(ops)))
    if isinstance(after, Conflict) or not ops:
        return None
    vote = prove(dialect, source, after, taken, wish)
    if isinstance(vote, Unproved) and vote.blocks:
        counts["not proved"] += 1
        return None
    return after
