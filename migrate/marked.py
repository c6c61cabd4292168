"""Blocks of Terraform code between the marks of a template engine: what they say, and how they are edited.

What stands between the marks is read as the code it is, and edited where it stands. A lock setting under a
condition inside of its block is not: there only a person knows what comes out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from migrate import hcl, wishes
from migrate.model import LockWish, Refusal, Role, Setting, Site, Source, Unknown
from migrate.plug import Edits
from migrate.settings import borrowed, may_be_s3, of_body, of_config, repeated
from migrate.sites import Sheet, Trouble, twice
from migrate.templating import Arm, Template, apart
from migrate.text import Lines, Syntax
from migrate.wishes import assume

_TO_FILL_IN: Final = re.compile(r"\$[\w(]|`|@\w+@|%\w+%")

_EXCLUSIVE: Final = "this template writes the table or the lockfile, never both: dual lock is impossible"
_LET_BOTH: Final = (
    "move `{table}` out of its branch, so that it stands beside `use_lockfile = true` until every client "
    "holds both locks; then drop it"
)


def is_template(source: Source) -> bool:
    """Whether code under a name that Terraform loads is a template: by its marks, parts of it are no HCL."""
    text = source.text
    if not ("{{" in text or "{%" in text or "{#" in text or "<%" in text):
        return False
    tree = hcl.blocks(
        text, ("terraform", "module", "data"), ("backend", "terraform_remote_state", '"./', '"../')
    )
    return Sheet(source, "template").template(Trouble(at) for at in tree.errors) is not None


def sites(sheet: Sheet, template: Template, block: hcl.Block) -> Iterator[Site]:
    """The S3 backends and the reader that a block is or holds, read with the marks painted over."""
    match block.type:
        case "data":
            if block.labels[:1] == ("terraform_remote_state",) and may_be_s3(block.items):
                settings, again = of_config(template.shown, block.items)
                yield _site(sheet, template, "reader", block, settings, again)
        case "backend":
            if block.labels == ("s3",):
                settings = tuple(of_body(template.shown, block.items))
                yield _site(sheet, template, "generator", block, settings, repeated(block))
        case _:
            for inner in block.blocks:
                yield from sites(sheet, template, inner)


def edit(source: Source, found: Site, wish: LockWish) -> Edits | Refusal:
    """The operations that give such a site its wish; none of them reaches out of its block."""
    if wish is LockWish.ASSUME:
        return assume.left(found, "move them into assume_role = { … } by hand") or {}
    if not wishes.concerns(wish, found):
        return {}
    answer = _held(source.text, found, wish) or wishes.edit(source, found, wish, Syntax.HCL)
    if isinstance(answer, Refusal):
        return answer
    return {path: tuple(replace(op, within=found.span) for op in ops) for path, ops in answer.items()}


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
            beside = " beside it" if setting.name in wishes.TABLE else ""
            todo = f"write `use_lockfile = true`{beside}" if adding else "delete it"
            return Refusal(replace(site.place, line=line), why, f"in line {line}: {todo}, in every branch")
    return None
