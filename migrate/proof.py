"""The two votes on an edit: the plug finds exactly the wish in the new text, and so does another parser.

The second one keeps the last of two arguments of one name, which is why `find` counts them first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from migrate import leaves
from migrate.model import Fact, Known, LockWish, Scalar, Site, Source
from migrate.plug import Plug
from migrate.settings import IMPORTED
from migrate.templating import Template, marks
from migrate.text import Span
from migrate.wishes import OF_THE_TABLE, TABLE, assume

_LOCK: Final = "use_lockfile"
_ARGUMENTS: Final = frozenset({*OF_THE_TABLE, _LOCK})
_ARGUMENT: Final = re.compile(rf"(?:^|\.)({'|'.join(map(re.escape, _ARGUMENTS))})(?=$|[.\[])")
_EMPTIED: Final = re.compile(r"(?:^|\.)endpoints$")


class Proof(Struct, frozen=True):
    """What the second parser sees: values as JSON by their path; of what changed, before and after."""

    added: Mapping[str, str]
    removed: Mapping[str, str]
    changed: Mapping[str, tuple[str, str]]


class Unproved(Struct, frozen=True):
    """Why there is no second vote. `blocks`: the edit must not be made; else only this vote cannot be had."""

    why: str
    blocks: bool = True


def prove(
    plug: Plug[Site, LockWish], source: Source, after: str, sites: Sequence[Site], wish: LockWish
) -> Proof | Unproved:
    """Whether `after` is `source` with `wish` applied to `sites` and nothing else, as both parsers see it."""
    old, new = plug.find(source).items, plug.find(replace(source, text=after)).items
    names = frozenset(site.name for site in sites)
    if not _finds_wish(old, new, names, wish):
        return Unproved(
            "what is found in the edited text is not what was found before, with the wish applied"
        )
    if all(site.role == "flag" for site in sites):
        return _counted_tokens(source.text, after, sites, wish)
    edited = [site for site in new if site.name in names]
    was = leaves.read(source.path, source.text, _blocks(sites))
    now = leaves.read(source.path, after, _blocks(edited))
    if was is None or now is None:
        return Unproved("the second parser reads neither the file nor our blocks of it alone")
    proof = _difference(was, now)
    if not _is_wish(proof, sites, edited, wish):
        return Unproved("the second parser sees another difference than the one wished for")
    return proof


def _finds_wish(old: Iterable[Site], new: Iterable[Site], names: Set[str], wish: LockWish) -> bool:
    """The first vote: the plug finds what it found before, the sites of these `names` with their wish."""
    wanted = [
        (*_identity(site), _wished(site, wish) if site.name in names else _said(site))
        for site in old
        if site.name not in names or not _ends(site, wish)
    ]
    # What an edit moved is said as if it were moved once more: that changes nothing but blanks.
    moved = names if wish is LockWish.ASSUME else frozenset[str]()
    return wanted == [
        (*_identity(site), _wished(site, wish) if site.name in moved else _said(site)) for site in new
    ]


def _ends(site: Site, wish: LockWish) -> bool:
    """Whether nothing is left of a site with its wish: a command without flags is none."""
    return site.role == "flag" and not _wished(site, wish)


def _blocks(sites: Iterable[Site]) -> dict[str, Span]:
    return {site.name: site.span for site in sites}


def _counted_tokens(before: str, after: str, sites: Sequence[Site], wish: LockWish) -> Unproved:
    """The second vote on flags of a command: tables go as often as they are named, a lockfile comes for each
    site at most.
    """
    named = sum(1 for site in sites for setting in site.settings if setting.name in TABLE)
    gone = sum(before.count(token) - after.count(token) for token in TABLE)
    come = after.count(_LOCK) - before.count(_LOCK)
    dropping = wish in (LockWish.READ, LockWish.RETIRE)
    if (come, gone) != (0, named) if dropping else (gone != 0 or not 0 <= come <= len(sites)):
        return Unproved("other tokens have come or gone than those wished for")
    return Unproved("neither HCL nor JSON: spans and tokens were counted", blocks=False)


def difference(source: Source, after: str) -> Proof | Unproved:
    """What the second parser sees differ between `source` and `after`, whatever was wished. Of a template,
    whose marks must be the same, it is what differs with these painted over.
    """
    proof = _seen_to_differ(source.path, source.text, after)
    if proof is None and _marks(source.text) == _marks(after):
        proof = _seen_to_differ(source.path, Template(source.text).shown, Template(after).shown)
    return proof or Unproved("the second parser does not read this file")


def _seen_to_differ(path: PurePosixPath, before: str, after: str) -> Proof | None:
    was, now = _read(path, before), _read(path, after)
    return _difference(was, now) if was and now else None


def _marks(text: str) -> list[str]:
    return [mark.span.of(text) for mark in marks(text)]


@lru_cache(maxsize=16)
def _read(path: PurePosixPath, text: str) -> dict[str, str] | None:
    """What the second parser reads; it takes its time, and is asked for a vote and for what to show."""
    return leaves.read(path, text, {})


def only_grows(less: Source, more: str) -> bool:
    """Whether the second parser finds every value of `less` in `more`, wherever in its list, or a text that
    has grown; of a template with its marks painted over. True where it reads neither: then this vote cannot
    be had.
    """
    was, now = _read(less.path, less.text), _read(less.path, more)
    if was is None and now is None:
        was, now = (_read(less.path, Template(text).shown) for text in (less.text, more))
    if was is None or now is None:
        return was is now
    left = Counter((_INDEX.sub("", path), value) for path, value in now.items())
    left.subtract((_INDEX.sub("", path), value) for path, value in was.items())
    grown = [one for one, count in left.items() for _ in range(count)]
    gone = [one for one, count in left.items() for _ in range(-count)]
    return all(any(route == at and _within(text, longer) for at, longer in grown) for route, text in gone)


_INDEX: Final = re.compile(r"\[\d+\]")
_TOKEN: Final = re.compile(r"\w+|[^\w\s]")


def _within(text: str, longer: str) -> bool:
    """Whether the words and signs of a text all stand in another, in their order."""
    rest = iter(_TOKEN.findall(longer))
    return all(token in rest for token in _TOKEN.findall(text))


_Said: TypeAlias = tuple[str, Fact[Scalar], bool]
"""Name, value, and whether the name is written there."""


def _identity(site: Site) -> tuple[str, str, str | None]:
    """Without its number among those of its name, which their order says as well."""
    return site.name.partition("#")[0], site.role, site.why_not


def _said(site: Site) -> Counter[_Said]:
    """The settings of a site without their places; of a map only what is in it, nothing of its imports."""
    maps = {setting.name.rpartition(".")[0] for setting in site.settings}
    said = Counter(
        (s.name, s.value, s.by_name) for s in site.settings if s.name not in maps and s.value != IMPORTED
    )
    # Merged maps may each get it, and one is as good as two; two in one map are a `why_not`.
    return Counter({one: 1 if one[0] == _LOCK else count for one, count in said.items()})


def _wished(site: Site, wish: LockWish) -> Counter[_Said]:
    """What a site says once it has its wish."""
    said = _said(site).items()
    match wish:
        case LockWish.DUAL | LockWish.ADOPT:
            kept = Counter({one: n for one, n in said if one[0] != _LOCK or not one[2]})
            return kept + Counter([(_LOCK, Known(value=True), True)])
        case LockWish.READ | LockWish.RETIRE:
            return Counter({one: n for one, n in said if not one[0].startswith(OF_THE_TABLE)})
        case LockWish.ASSUME:
            return Counter({(*assume.said(name, value), by_name): n for (name, value, by_name), n in said})


def _difference(was: Mapping[str, str], now: Mapping[str, str]) -> Proof:
    differ = dict.fromkeys(path for path, value in was.items() if now.get(path, value) != value)
    was, now = leaves.opened(was, differ), leaves.opened(now, differ)
    return Proof(
        added={path: value for path, value in now.items() if path not in was},
        removed={path: value for path, value in was.items() if path not in now},
        changed={path: (was[path], now[path]) for path in was if path in now and was[path] != now[path]},
    )


def _is_wish(proof: Proof, old: Sequence[Site], new: Sequence[Site], wish: LockWish) -> bool:
    """The second vote: the arguments that differ are, in number, those of the sites, each new value true."""
    if wish is LockWish.ASSUME:
        return not proof.changed and assume.is_move(proof.removed, proof.added)
    had, has = _names(old), _names(new)
    on = {*proof.added.values(), *(now for _, now in proof.changed.values())} <= {"true"}
    turned = sum(1 for one, other in zip(old, new, strict=True) if _off(one) and not _off(other))
    return (
        on
        and _counted(proof.added) == has - had
        and _counted(proof.removed) == had - has
        and _counted(proof.changed) == Counter({_LOCK: turned} if turned else {})
    )


def _names(sites: Sequence[Site]) -> Counter[str]:
    """Once each, however many sites an argument serves: outcomes of one choice share what is around it."""
    written = {
        (s.span, s.name) for site in sites for s in site.settings if s.by_name and s.name in _ARGUMENTS
    }
    return Counter(name for _, name in written)


def _off(site: Site) -> bool:
    lock = site.setting(_LOCK)
    return lock is not None and lock.by_name and lock.value != Known(value=True)


def _counted(paths: Iterable[str]) -> Counter[str]:
    """The arguments at these paths, once each however much is in them; any other path counts as itself."""
    found = {_argument(path) for path in paths if not _EMPTIED.search(path)}
    return Counter(name for _, name in found)


def _argument(path: str) -> tuple[str, str]:
    found = _ARGUMENT.search(path)
    return (path[: found.end()], found[1]) if found else (path, path)
