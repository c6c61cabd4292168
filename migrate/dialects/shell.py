"""What scripts and the files of wrappers make a backend of: reported place by place, never edited.

Code in an escaped string or a part of it in a heredoc, the arguments of a template, what terrawrap and fogg
are told: each is refused with the words to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import yamltree
from migrate.mentions import TOKENS as NAMED
from migrate.model import LockWish, Refusal, Setting, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.settings import of_scalar
from migrate.sites import Sheet, unread
from migrate.spelling import inlaid
from migrate.templating import Template
from migrate.text import Span
from migrate.wishes import assume

NAME: Final = "shell"

_SCRIPTS: Final = frozenset({".sh", ".bash", ".zsh", ".ksh"})
_YAML: Final = frozenset({".yml", ".yaml"})
_TERRAWRAP: Final = ".tf_wrapper"

_ARGUMENT: Final = re.compile(rf"""-D[ ]?(?P<word>(?:{"|".join(NAMED)})=(?:"[^"\n]*"|'[^'\n]*'|[^\s"']*))""")
_ASSIGNED: Final = re.compile(r"[ \t]*(?P<name>dynamodb_table[ \t]+)=[ \t]*\\*[\"'$\w]")
"""An argument of HCL: a variable of the shell has no blank there."""
_QUOTED: Final = re.compile(r"""[ \t]*-[ \t]+(["']).*\1[ \t]*(?:#.*)?""")
_TEXT: Final = "a text in a list names the lock: what is made of it is not known"
_WHY: Final = "a script names the lock here: what it builds is known only when it runs"
_LOOK: Final = "look at what it writes, and change it by hand in the same steps"
_EITHER: Final = "terrawrap gives init the table or the lockfile, never both: dual lock is impossible"
_OUT: Final = "take the backend out of terrawrap: a block or a -backend-config file can hold both locks"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    named = path.suffix in _SCRIPTS | _YAML or path.name == _TERRAWRAP
    return named or (not path.suffix and head.startswith(b"#!"))


def find(source: Source, /) -> Found[Site]:
    """Every line of a script that names a lock setting; of a YAML file those that are known to set one."""
    sheet = Sheet(source, NAME)
    read = [block.span for block in inlaid.blocks(Template(source.text).shown)]
    if source.path.suffix not in _YAML and source.path.name != _TERRAWRAP:
        return Found(sheet.found(unread(sheet, read, _WHY)).items)
    wrapped = list(_terrawrap(sheet))
    rest = unread(sheet, [*read, *(site.span for site in wrapped)], _WHY)
    set_here = (site for site in rest if _sets(source, site))
    return Found(sheet.found([*wrapped, *set_here]).items)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    if wish is LockWish.READ:
        return {}
    if wish is LockWish.ASSUME:
        return assume.left(found, "give assume_role = { … } in a block or a file instead of them") or {}
    if found.exclusive:
        return Refusal(found.place, _EITHER, _OUT)
    return _refused(found, found.span.of(sources[found.path].text), wish)


def _refused(site: Site, line: str, wish: LockWish) -> Refusal:
    argument, assigned = _ARGUMENT.search(line), _ASSIGNED.match(line)
    retiring = wish is LockWish.RETIRE
    if argument:
        why = f"`{argument['word']}` is an argument of a template"
        return Refusal(site.place, why, "drop it with the template's own line" if retiring else _KEEP)
    if assigned:
        todo = f"write `{'use_lockfile':{len(assigned['name'])}}= true` on the line below"
        return Refusal(site.place, "a script writes a backend here", "delete it" if retiring else todo)
    return Refusal(site.place, _TEXT if _QUOTED.fullmatch(line) else _WHY, _LOOK)


_KEEP: Final = "keep it: the template's own line is to have `use_lockfile = true` below it"


def _sets(source: Source, site: Site) -> bool:
    line = site.span.of(source.text)
    said = _ARGUMENT.search(line) or _QUOTED.fullmatch(line) or _ASSIGNED.match(line)
    return source.path.stem == "fogg" or bool(said)


def _terrawrap(sheet: Sheet) -> Iterator[Site]:
    for document in yamltree.parse(sheet.source.text):
        for route, node in yamltree.walk(document):
            settings = tuple(_settings(node)) if route[-2:] == ("backends", "s3") else ()
            if settings:
                span = Span(settings[0].span.start, settings[-1].span.end)
                site = sheet.made("generator", ".".join(map(str, route)), span, settings)
                yield replace(site, exclusive=True)


def _settings(node: yamltree.Node) -> Iterator[Setting]:
    for name, value in ((member.key, member.value) for member in yamltree.members(node)):
        if isinstance(value, yamltree.Scalar):
            whole = Span(name.span.start, value.span.end)
            yield Setting(name.value, of_scalar(name.value, value), whole, value.span)
