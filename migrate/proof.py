"""The two votes on an edit: the plug finds exactly the wish in the new text, and so does another parser.

python-hcl2 is strict where tree-sitter is tolerant, and has never seen a span. It keeps the last of two
arguments of one name, which is why `find` counts them first, and takes no byte order mark. Where it rejects a
whole file for something elsewhere in it, it is asked about our blocks alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath  # noqa: TID251  a type: what the cache folder is, this room never looks
from typing import Final, TypeAlias

from migrate.model import Fact, Known, LockWish, Scalar, Site, Source
from migrate.plug import Plug
from migrate.templating import Template
from migrate.wishes import OF_THE_TABLE, TABLE

_LOCK: Final = "use_lockfile"
_ARGUMENTS: Final = frozenset({*OF_THE_TABLE, _LOCK})
_ARGUMENT: Final = re.compile(rf"(?:^|\.)({'|'.join(map(re.escape, _ARGUMENTS))})(?=$|[.\[])")
_BRACE: Final = re.compile(r"[\ufeff \t\r\n]*\{(?![{%#])")
_EMPTIED: Final = re.compile(r"(?:^|\.)endpoints$")
_HEREDOC: Final = re.compile(r'"?<<-?(?P<mark>\w+)\r?\n(?P<body>.*)\n[ \t]*(?P=mark)"?', re.DOTALL)
_FILLED_IN: Final = re.compile(r"\$\{[^{}\"]*\}")
_STRINGS: Final = r'(?:[^{}"]|"(?:[^"\\]|\\.)*")'
_OBJECT: Final = re.compile(
    rf"(?<!\$)\{{(?:{_STRINGS}|\{{(?:{_STRINGS}|\{{{_STRINGS}*\}})*\}})*\}}", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Proof:
    """What the second parser sees: values as JSON by their path; of what changed, before and after."""

    added: Mapping[str, str]
    removed: Mapping[str, str]
    changed: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Unproved:
    """Why there is no second vote. `blocks`: the edit must not be made; else only this vote cannot be had."""

    why: str
    blocks: bool = True


def keep_grammar_in(folder: Path) -> None:
    """Let python-hcl2 keep its compiled grammar there: 0.1 s instead of 2 s on every later run.

    It is a pickle, and whoever can write it can run code: the caller makes `folder` private (0700) before.
    """
    import hcl2.parser  # noqa: PLC0415

    hcl2.parser.PARSER_FILE = folder / "hcl2-grammar.bin"


def prove(
    plug: Plug[Site, LockWish], source: Source, after: str, sites: Sequence[Site], wish: LockWish
) -> Proof | Unproved:
    """Whether `after` is `source` with `wish` applied to `sites` and nothing else, as both parsers see it."""
    old, new = plug.find(source), plug.find(replace(source, text=after))
    names = {site.name for site in sites}
    wanted = [
        (*_identity(site), _wished(site, wish) if site.name in names else _said(site)) for site in old.items
    ]
    if wanted != [(*_identity(site), _said(site)) for site in new.items]:
        return Unproved(
            "what is found in the edited text is not what was found before, with the wish applied"
        )
    edited = [site for site in new.items if site.name in names]
    if source.path.suffix in _NEITHER or all(site.role == "flag" for site in sites):
        return _counted_tokens(source.text, after, len(sites), wish)
    was, now = _leaves(source.path, source.text, sites), _leaves(source.path, after, edited)
    if was is None or now is None:
        return Unproved("the second parser reads neither the file nor our blocks of it alone")
    proof = _difference(was, now)
    if not _is_wish(proof, sites, edited):
        return Unproved("the second parser sees another difference than the one wished for")
    return proof


_NEITHER: Final = frozenset({".yaml", ".yml"})


def _counted_tokens(before: str, after: str, sites: int, wish: LockWish) -> Unproved:
    """The second vote on what is neither HCL nor JSON: no more tokens come or go than there are sites."""
    gone = sum(before.count(token) - after.count(token) for token in TABLE)
    come = after.count(_LOCK) - before.count(_LOCK)
    dropping = wish in (LockWish.READ, LockWish.RETIRE)
    if (come, gone) != (0, sites) if dropping else (gone != 0 or not 0 <= come <= sites):
        return Unproved("other tokens have come or gone than those wished for")
    return Unproved("neither HCL nor JSON: spans and tokens were counted", blocks=False)


def difference(source: Source, after: str) -> Proof | Unproved:
    """What the second parser sees differ between `source` and `after`, whatever was wished."""
    was, now = _leaves(source.path, source.text, ()), _leaves(source.path, after, ())
    if not was or not now:
        return Unproved("the second parser does not read this file")
    return _difference(was, now)


_Said: TypeAlias = tuple[str, Fact[Scalar], bool]
"""Name, value, and whether the name is written there."""


def _identity(site: Site) -> tuple[str, str, str | None]:
    return site.name, site.role, site.why_not


def _said(site: Site) -> Counter[_Said]:
    """The settings of a site without their places; of a map only what is in it."""
    maps = {setting.name.rpartition(".")[0] for setting in site.settings}
    return Counter((s.name, s.value, s.by_name) for s in site.settings if s.name not in maps)


def _wished(site: Site, wish: LockWish) -> Counter[_Said]:
    """What a site says once it has its wish."""
    said = _said(site).items()
    match wish:
        case LockWish.DUAL | LockWish.ADOPT:
            kept = Counter({one: n for one, n in said if one[0] != _LOCK or not one[2]})
            return kept + Counter([(_LOCK, Known(value=True), True)])
        case LockWish.READ | LockWish.RETIRE:
            return Counter({one: n for one, n in said if not one[0].startswith(OF_THE_TABLE)})


def _leaves(path: PurePosixPath, text: str, sites: Sequence[Site]) -> dict[str, str] | None:
    """Every value of a file by its path in it; of our blocks alone where the file is rejected."""
    if path.suffix == ".json" or _BRACE.match(text):
        return _flat(_json(text))
    whole = _hcl(text.removeprefix("\ufeff"))
    if whole is not None:
        return _flat(whole)
    parts = {site.name: _hcl(Template(site.span.of(text)).shown) for site in sites}
    return None if None in parts.values() else _flat(parts)


def _json(text: str) -> object:
    try:
        read: object = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return read


def _hcl(text: str) -> object:
    import hcl2  # noqa: PLC0415  80 ms that only an edit pays
    from lark.exceptions import LarkError  # noqa: PLC0415

    options = hcl2.SerializationOptions(with_comments=False, explicit_blocks=False)
    try:
        read: object = hcl2.loads(text if text.endswith("\n") else f"{text}\n", serialization_options=options)
    except (LarkError, RuntimeError, ValueError):
        return None
    return read


def _flat(value: object) -> dict[str, str] | None:
    return None if value is None else dict(_walk(value, "", opening=False))


def _opened(leaves: Mapping[str, str], paths: Collection[str]) -> dict[str, str]:
    """`leaves` with what is in the texts at `paths`; opening every text costs a second in a long file."""
    inner = (leaf for path in paths for leaf in _walk(json.loads(leaves[path]), path, opening=True))
    return {path: value for path, value in leaves.items() if path not in paths} | dict(inner)


def _walk(value: object, path: str, *, opening: bool) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            yield path, "{}"
            for key, inner in value.items():
                name = str(key).strip('"')
                yield from _walk(inner, f"{path}.{name}" if path else name, opening=opening)
        case list():
            for index, inner in enumerate(value):
                yield from _walk(inner, f"{path}[{index}]", opening=opening)
        case str() if opening and (inner := _within(value)):
            yield from _walk(inner, path, opening=True)
        case _:
            yield path, json.dumps(value)


def _within(value: str) -> Mapping[str, object] | None:
    """What is in a heredoc of code, or in the objects of an expression and around them; None: neither."""
    if "backend" in value and (heredoc := _HEREDOC.fullmatch(value)):
        return _code(heredoc["body"])
    if not value.startswith("${"):
        return None
    objects = {f"?{at}": _code(f"x = {one[0]}") for at, one in enumerate(_OBJECT.finditer(value, 2))}
    return None if None in objects.values() or not objects else {"": _OBJECT.sub("{}", value[2:]), **objects}


def _code(text: str) -> Mapping[str, object] | None:
    """A text as HCL, with a name for what is filled in where the grammar wants a value."""
    read = _hcl(text)
    read = _hcl(_FILLED_IN.sub("x", text)) if read is None else read
    return read if isinstance(read, dict) else None


def _difference(was: Mapping[str, str], now: Mapping[str, str]) -> Proof:
    differ = {path for path, value in was.items() if now.get(path, value) != value}
    was, now = _opened(was, differ), _opened(now, differ)
    return Proof(
        added={path: value for path, value in now.items() if path not in was},
        removed={path: value for path, value in was.items() if path not in now},
        changed={path: (was[path], now[path]) for path in was if path in now and was[path] != now[path]},
    )


def _is_wish(proof: Proof, old: Sequence[Site], new: Sequence[Site]) -> bool:
    """Whether the arguments that differ are, in number, those of the sites, and each new value is true."""
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
