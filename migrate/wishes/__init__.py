"""What a step wants of one site, as operations: said once for every dialect.

A site alone cannot know its effective configuration (partial files, flags). Whoever asks for DUAL or RETIRE
asks it of every input of a backend and holds the join against the matrix first: *retire* needs `use_lockfile`
to be literally true in the join, which only the join can show. What a site contradicts by itself is refused.
"""

from __future__ import annotations

from typing import Final, assert_never

from msgspec import Struct

from migrate import hcl
from migrate.model import Known, LockWish, Place, Refusal, Setting, Site, Source, Unknown
from migrate.plug import Edits
from migrate.text import Drop, InsertAfter, Lines, Op, Replace, Span, Syntax, lead, line_start
from migrate.wishes import assume

TABLE: Final = ("dynamodb_table", "lock_table")
"""What names the table; `lock_table` is Terragrunt's word of old."""

OF_THE_TABLE: Final = (
    *TABLE,
    "dynamodb_endpoint",
    "endpoints.dynamodb",
    "dynamodb_table_tags",  # Terragrunt's; so is the next
    "enable_lock_table_ssencryption",
)
"""What goes with the table."""

READ_AS_WELL: Final = "reads this file as well: it is not backend configuration alone"
"""Why a partial file is not edited that is a file of variables too, or the input of a script."""

_LOCKFILE: Final = "use_lockfile"
_LINE: Final = {
    Syntax.HCL: "use_lockfile = true",
    Syntax.JSON: '"use_lockfile": true',
    Syntax.PLAIN: "use_lockfile=true",
}


def edit(source: Source, site: Site, wish: LockWish, syntax: Syntax) -> Edits | Refusal:
    """The operations that give `site` its wish; empty where it has it, or the wish does not concern it."""
    if not concerns(wish, site):
        return {}
    wanted = _operations(_Case(source, site, syntax), wish)
    if isinstance(wanted, Refusal):
        return wanted
    if not wanted:
        return {}
    if site.why_not:
        return Refusal(site.place, site.why_not, remedy(site))
    return {site.path: wanted}


def concerns(wish: LockWish, site: Site) -> bool:
    """Whether a wish is for such a site: READ for readers, ASSUME for all, every other for what writes."""
    return wish is LockWish.ASSUME or (site.role == "reader") == (wish is LockWish.READ)


def remedy(site: Site) -> str:
    """What to do about a site that is never edited; Terramate's own copies say that they are its."""
    if READ_AS_WELL in (site.why_not or ""):
        return "move the backend's arguments to a file of their own, and name that one in -backend-config"
    if site.generated and "TERRAMATE" in (site.why_not or ""):
        return "edit its generate_hcl block; to regenerate: terramate generate"
    return "change what generates it" if site.generated else "settle that first"


def notes(source: Source, site: Site, wish: LockWish) -> tuple[str, ...]:
    """What the owner should know of an edit: comments that stay, a lockfile in a reader."""
    answer = edit(source, site, wish, Syntax.HCL)
    ops = () if isinstance(answer, Refusal) else answer.get(site.path, ())
    dropped = [op for op in ops if isinstance(op, Drop) and site.role != "flag"]  # whose lines stay
    lines = Lines(source.text)
    told = [
        f"{site.path}:{lines.line(op.span.start) - 1}: the comment above the dropped line stays"
        for op in dropped
        if _below_comment(source.text, op.span)
    ]
    if wish is LockWish.READ and (lock := site.setting("use_lockfile")) and lock.by_name:
        told.append(
            f"{site.path}:{lines.line(lock.span.start)}: a reader takes no lock: use_lockfile is idle here"
        )
    if ops and site.dialect == "terramate":
        told.append(f"{site.place}: copies of this are to be made anew: terramate generate")
    return tuple(told)


class _Case(Struct, frozen=True):
    source: Source
    site: Site
    syntax: Syntax

    @property
    def lock(self) -> Setting | None:
        return self.site.setting("use_lockfile")

    @property
    def table(self) -> Setting | None:
        """What names a table; an empty string or null names none."""
        named = (self.site.setting(name) for name in TABLE)
        return next((setting for setting in named if setting and not is_unset(setting)), None)

    def refuse(self, at: Setting, why: str, remedy: str) -> Refusal:
        line = Lines(self.source.text).line(at.span.start)
        return Refusal(Place(self.site.repo, self.site.path, line), why, remedy)

    def beside(self, setting: Setting) -> tuple[Op, ...]:
        """Below a setting; in a copy, whose arguments are sorted, below the last that comes before it."""
        if self.site.copy_of:
            before = [s for s in self.site.settings if s.by_name and "." not in s.name and s.name < _LOCKFILE]
            setting = before[-1] if before else setting
        return (InsertAfter(setting.span, (_LINE[self.syntax],), self.syntax),)


def is_unset(setting: Setting) -> bool:
    """Terraform takes an empty string and null for no value."""
    return setting.value in _UNSET


_UNSET: Final = (Known(""), Known(None))


def _operations(case: _Case, wish: LockWish) -> tuple[Op, ...] | Refusal:
    match wish:
        case LockWish.DUAL:
            return _dual(case)
        case LockWish.ADOPT:
            return _adopt(case)
        case LockWish.READ:
            return _without_table(case)
        case LockWish.RETIRE:
            return _retire(case)
        case LockWish.ASSUME:
            return assume.moved(case.source, case.site, case.syntax)
        case _:
            assert_never(wish)


def _dual(case: _Case) -> tuple[Op, ...] | Refusal:
    table = case.table
    if table and not table.by_name:
        return case.refuse(table, f"the table may come out of {_text(table)}", "edit the map it comes from")
    lock = case.lock if case.lock and (case.lock.by_name or not table) else None
    if lock and lock.value == Known(value=True):
        return ()
    if table and may_be_empty(table):
        why = f"{table.name} may be empty ({_text(table)}): there may be no lock today"
        return case.refuse(table, why, "write the table as a literal, or add use_lockfile = true by hand")
    if lock and isinstance(lock.value, Unknown):
        return case.refuse(lock, f"use_lockfile is {lock.value.why}", "write use_lockfile = true")
    if lock:
        return (Replace(lock.value_span, "true", case.syntax),)
    return case.beside(table) if table else ()


def _adopt(case: _Case) -> tuple[Op, ...] | Refusal:
    if case.table or case.lock:
        return _dual(case)
    written = [s for s in case.site.settings if s.by_name and "." not in s.name]
    if not written:
        why = "there is no argument here beside which use_lockfile could stand"
        return Refusal(case.site.place, why, "add use_lockfile = true where the rest of the configuration is")
    return case.beside(next((s for s in written if s.name == "key"), written[-1]))


def _retire(case: _Case) -> tuple[Op, ...] | Refusal:
    drops, lock = _without_table(case), case.lock
    if drops and not isinstance(drops, Refusal) and lock and lock.value != Known(value=True):
        why = f"use_lockfile is {_text(lock)}: no lock would be left"
        return case.refuse(lock, why, "write use_lockfile = true first")
    return drops


def _without_table(case: _Case) -> tuple[Op, ...] | Refusal:
    settings = case.site.settings
    hidden = next((s for s in settings if s.name in TABLE and not s.by_name), None)
    if hidden:
        return case.refuse(
            hidden, f"the table may come out of {_text(hidden)}", "drop it in the map it comes from"
        )
    gone = [s.span for s in settings if s.name in OF_THE_TABLE]
    for whole in (s for s in settings if s.name == "endpoints"):
        inner = [s.span for s in settings if s.name.startswith("endpoints.") and whole.span.contains(s.span)]
        if inner and all(span in gone for span in inner):
            gone = [span for span in gone if span not in inner] + [whole.span]
    return tuple(Drop(span, case.syntax) for span in gone)


def _text(setting: Setting) -> str:
    return setting.value.why if isinstance(setting.value, Unknown) else f"{setting.value.value}".lower()


def may_be_empty(table: Setting) -> bool:
    """Whether the expression has an alternative that is empty: then there may be no table."""
    return isinstance(table.value, Unknown) and _possibly_empty(hcl.expression(table.value.why))


def _possibly_empty(value: hcl.Value) -> bool:
    match value:
        case hcl.Literal(literal):
            return literal in ("", None)
        case hcl.Choice(_, yes, no):
            return _possibly_empty(yes) or _possibly_empty(no)
        case hcl.Call("get_env" | "lookup" | "try" | "tm_try" | "tm_lookup", (_, *rest)):
            return any(_possibly_empty(argument) for argument in rest)
        case hcl.Template(pieces):
            return all(not isinstance(piece, Span) and _possibly_empty(piece) for piece in pieces)
        case _:
            return False


def _below_comment(text: str, span: Span) -> bool:
    start = line_start(text, span.start)
    above = lead(text, max(start - 1, 0)).strip()
    return above.startswith(("#", "//")) or above.endswith("*/")
