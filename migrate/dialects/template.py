"""Templates of Terraform code: Jinja, Go templates, ERB, sources of `templatefile` and of `envsubst`.

What stands between the marks of the engine is read as the code it is, and edited where it stands. A lock
setting under a condition inside of its block is not: there only a person knows what comes out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import hcl, wishes
from migrate.mentions import TEMPLATE
from migrate.model import LockWish, Refusal, Role, Setting, Site, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.settings import borrowed, may_be_s3, of_body, of_config, repeated
from migrate.sites import Sheet, twice, unread
from migrate.templating import Arm, Template, apart
from migrate.text import Lines, Syntax
from migrate.wishes import assume

NAME: Final = "template"

_TYPES: Final = ("terraform", "data")
_HOLDING: Final = ("backend", "terraform_remote_state")
_TO_FILL_IN: Final = re.compile(r"\$\w|@\w+@|%\w+%")

_UNREAD: Final = "a template: what it writes here is known only when it is rendered"
_LOOK: Final = "look at what it writes, and change it by hand in the same steps"
_EXCLUSIVE: Final = "this template writes the table or the lockfile, never both: dual lock is impossible"
_LET_BOTH: Final = (
    "move `{table}` out of its branch, so that it stands beside `use_lockfile = true` until every client "
    "holds both locks; then drop it"
)


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix.lower() in TEMPLATE or "{{" in str(path)


def find(source: Source, /) -> Found[Site]:
    """The backends and readers that can be read, then every line that names a lock setting elsewhere."""
    sheet, template = Sheet(source, NAME), Template(source.text)
    tree = hcl.blocks(template.shown, _TYPES, _HOLDING)
    sites = [site for block in tree.blocks for site in _sites(sheet, template, block)]
    return Found(sheet.found([*sites, *unread(sheet, sites, _UNREAD)]).items)


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    source = sources[found.path]
    if not found.settings:
        return Refusal(found.place, _UNREAD, _LOOK)
    if wish is LockWish.ASSUME:
        return assume.left(found, "move them into assume_role = { … } by hand") or {}
    if not wishes.concerns(wish, found):
        return {}
    answer = _held(source.text, found, wish) or wishes.edit(source, found, wish, Syntax.HCL)
    if isinstance(answer, Refusal):
        return answer
    return {path: tuple(replace(op, within=found.span) for op in ops) for path, ops in answer.items()}


def _sites(sheet: Sheet, template: Template, block: hcl.Block) -> Iterator[Site]:
    if block.type == "data":
        if block.labels[:1] == ("terraform_remote_state",) and may_be_s3(block.items):
            settings, again = of_config(template.shown, block.items)
            yield _site(sheet, template, "reader", block, settings, again)
        return
    for inner in block.blocks:
        if inner.type == "backend" and inner.labels == ("s3",):
            settings = tuple(of_body(template.shown, inner.items))
            yield _site(sheet, template, "generator", inner, settings, repeated(inner))


def _site(
    sheet: Sheet,
    template: Template,
    role: Role,
    block: hcl.Block,
    settings: Iterable[Setting],
    again: tuple[str, ...],
) -> Site:
    """What a condition decides is Unknown; so is all that a line of the engine's own may bring."""
    text, start = sheet.source.text, block.span.start
    arms = {setting: template.arms(setting.span.start, start) for setting in settings}
    told = [_told(text, template.shown, setting, arms[setting]) for setting in arms]
    told += [s for at in template.inserts if block.span.contains(at) for s in borrowed(text, at)]
    name = f"{block.type}.{'.'.join(block.labels)}"
    site = sheet.made(role, name, block.span, told, None if any(arms.values()) else twice(again))
    return replace(site, exclusive=_is_exclusive(arms))


def _told(text: str, shown: str, setting: Setting, arms: tuple[Arm, ...]) -> Setting:
    said = setting.value_span.of(text)
    if arms:
        return replace(setting, value=Unknown(f"{said}, under a condition of the template"))
    plain = said == setting.value_span.of(shown) and not _TO_FILL_IN.search(said)
    return setting if plain else replace(setting, value=Unknown(said))


def _is_exclusive(arms: dict[Setting, tuple[Arm, ...]]) -> bool:
    tables = [arm for setting, arm in arms.items() if setting.name in wishes.TABLE]
    locks = [arm for setting, arm in arms.items() if setting.name == "use_lockfile"]
    return any(apart(table, lock) for table in tables for lock in locks)


def _held(text: str, site: Site, wish: LockWish) -> Refusal | None:
    """Why a block whose lock stands under a condition is not edited, with the lines to write."""
    template, adding = Template(text), wish in (LockWish.DUAL, LockWish.ADOPT)
    table = next((s for s in site.settings if s.name in wishes.TABLE), None)
    if adding and site.exclusive and table:
        return Refusal(site.place, _EXCLUSIVE, _LET_BOTH.format(table=table.span.of(text)))
    for setting in site.settings:
        concerned = setting.name in wishes.TABLE or (adding and setting.name == "use_lockfile")
        if concerned and template.arms(setting.span.start, site.span.start):
            line = Lines(text).line(setting.span.start)
            why = f"`{setting.span.of(text)}` stands under a condition of the template"
            todo = "write `use_lockfile = true` beside it" if adding else "delete it"
            return Refusal(replace(site.place, line=line), why, f"in line {line}: {todo}, in every branch")
    return None
