"""Inputs of actions and workflows of other repositories that name a lock setting: reported, never edited.

What such an action makes of its input is not here. One of this repository is followed instead: what it
gives to `init` stands there as a flag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate import yamltree
from migrate.mentions import TOKENS as NAMED
from migrate.model import Known, LockWish, Refusal, Setting, Site, Source
from migrate.plug import Edits, Found, Sources
from migrate.settings import taken
from migrate.sites import Sheet
from migrate.text import Span

NAME: Final = "action_input"

_NAME: Final = rf"(?<![\w.-])(?P<name>{'|'.join(NAMED)})"
_PART: Final = re.compile(
    rf"{_NAME}[ \t]*=[ \t]*(?P<value>(?:\$\{{\{{.*?\}}\}}|[^\r\n,\"'])*?)[ \t]*(?=[\r\n,\"']|\Z)"
)
"""One of several settings in an input, by lines or commas."""
_BLOCK: Final = "; or `use_lockfile = true` in the backend block"


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix in (".yml", ".yaml") and (".github" in path.parts or path.stem == "action")


def find(source: Source, /) -> Found[Site]:
    """One site for each step or job that gives a lock setting to an action or workflow of elsewhere."""
    sheet = Sheet(source, NAME)
    nodes = (node for document in yamltree.parse(source.text) for _, node in yamltree.walk(document))
    return Found(sheet.found(site for node in nodes for site in _sites(sheet, node)).items)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    table = found.setting("dynamodb_table")
    if table is None or not _concerns(found, wish):
        return {}
    line = table.span.of(sources[found.path].text)
    as_key = ":" in line.partition("=")[0]
    todo = f"write `use_lockfile{': ' if as_key else '='}true` on the line below, if it takes that{_BLOCK}"
    why = f"`{line}` is an input of {found.name.removeprefix('with.').partition('#')[0]}"
    retired = "delete this line, once no run names the table"
    return Refusal(found.place, why, retired if wish is LockWish.RETIRE else todo)


def _concerns(site: Site, wish: LockWish) -> bool:
    lock = site.setting("use_lockfile")
    held = lock is not None and lock.value == Known(value=True)
    return wish is LockWish.RETIRE or (wish in (LockWish.DUAL, LockWish.ADOPT) and not held)


def _sites(sheet: Sheet, node: yamltree.Node) -> Iterator[Site]:
    uses = yamltree.text(node, "uses")
    settings = tuple(_settings(sheet.source.text, node)) if uses and not uses.startswith("./") else ()
    if settings:
        span = Span(settings[0].span.start, settings[-1].span.end)
        yield sheet.site("flag", f"with.{uses}", span, settings)


def _settings(text: str, step: yamltree.Node) -> Iterator[Setting]:
    """Inputs that are called so, and what those hold that hold many settings."""
    for member in yamltree.members(step, "with"):
        key, value = member.key, member.value
        if isinstance(value, yamltree.Scalar) and key.value in NAMED:
            whole = Span(key.span.start, value.span.end + (value.style in ("single", "double")))
            yield _setting(key.value, value.value, whole, value.span)
        elif isinstance(value, yamltree.Scalar):
            yield from _parts(text, value.span)


def _parts(text: str, span: Span) -> Iterator[Setting]:
    for part in _PART.finditer(text, span.start, span.end):
        whole = Span(part.start("name"), part.end("value"))
        yield _setting(part["name"], part["value"], whole, Span(*part.span("value")))


def _setting(written: str, value: str, whole: Span, at: Span) -> Setting:
    name = written if written == "use_lockfile" else "dynamodb_table"
    return Setting(name, taken(name, value, value), whole, at)
