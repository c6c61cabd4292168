"""Settings on a command line: `-backend-config=dynamodb_table=…` in pipelines, Makefiles and scripts.

A flag is one token, and is edited as one: the same flag for `use_lockfile` behind it, or nothing in its
place. As an item of a list (`["init", "-backend-config=…"]`) it gets another item beside it; where each item
has a line of its own it is refused with the item to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from migrate.model import Fact, Known, LockWish, Refusal, Scalar, Setting, Site, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.settings import taken
from migrate.sites import Sheet
from migrate.spelling.commands import COMMAND, PROSE
from migrate.spelling.list_items import Item, item, without
from migrate.text import Op, Replace, Span, Syntax
from migrate.versions import REMOVED_ARGUMENTS
from migrate.wishes import assume

NAME: Final = "flags"

_PROGRAMS: Final = frozenset({".py", ".go", ".ts", ".js", ".java", ".cs", ".rb", ".kt", ".rs"})

# Make and the shell end what they fill in with its own bracket, whatever quotes stand in it.
_CALL: Final = r"\$\((?:[^()\n]|\([^()\n]*\))*+\)"
_FLAG: Final = re.compile(
    rf"""(?P<flag>--?backend-config(?:=|[ ]+))
    (?:(?P<quote>["'])(?P<quoted>\w+)=(?P<inner>(?:{_CALL}|(?!(?P=quote)|\$\()[^\n])*+)(?P=quote)
    |(?P<escaped>\\["']|'')(?P<within>\w+)=(?P<word>[^\s"'\\]*+)(?P=escaped)
    |(?P<bare>\w+)=(?P<plain>(?P<own>["'])(?:{_CALL}|(?!(?P=own)|\$\()[^\n\\])*+(?P=own)
    |(?:\$?\{{\{{[^\n}}]*\}}\}}|\$\{{[^\n)}}]*[)}}]|{_CALL}|<\w[^<>\n]*>|(?!\$\()[^\s"'`\\,\];|&<>)])*+))""",
    re.VERBOSE,
)
_FAR: Final = 10_000
_ENDS: Final = frozenset(" \t\r\n,])};&|<>\\")
_LOCK: Final = frozenset({"dynamodb_table", "use_lockfile"})
_TELLING: Final = _LOCK | REMOVED_ARGUMENTS.keys()
_GLUED: Final = re.compile(r"""(["'`])\1*+(?:\s*(?:\+|\.\.)|[\w$])""")
"""The end of a text that goes on: `'…' + table`."""
_FILLED: Final = re.compile(r"""[$%{<`"']""")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix.lower() not in PROSE | _PROGRAMS


def find(source: Source, /) -> Found[Site]:
    """One site for each command whose flags name a lock setting, or what Terraform no longer takes, with all
    that its flags say.
    """
    sheet = Sheet(source, NAME)
    return Found(sheet.found(_sites(sheet)).items)


def _sites(sheet: Sheet) -> Iterator[Site]:
    text = sheet.source.text
    for command in COMMAND.finditer(text):
        flags = list(_FLAG.finditer(text, *command.span()))
        is_comment = command.group().lstrip().startswith(("#", "//"))
        if not is_comment and not _TELLING.isdisjoint(map(_name, flags)):
            span = Span(flags[0].start(), flags[-1].end())
            settings = [_setting(flag, whole=_is_whole(text, command.start(), flag)) for flag in flags]
            yield sheet.site("flag", "flags", span, settings, _why_not(text, command, flags))


def _name(flag: re.Match[str]) -> str:
    return str(flag["quoted"] or flag["within"] or flag["bare"])


def _setting(flag: re.Match[str], *, whole: bool) -> Setting:
    part = "inner" if flag["quoted"] else "word" if flag["within"] else "plain"
    inner, start = flag[part], flag.start(part)
    value = inner[1:-1] if flag["own"] else inner
    says = _fact(_name(flag), value) if whole else Unknown(value)
    return Setting(_name(flag), says, Span(*flag.span()), Span(start, start + len(inner)))


def _fact(name: str, value: str) -> Fact[Scalar]:
    return Unknown(value) if _FILLED.search(value) else taken(name, value, value)


def _why_not(text: str, command: re.Match[str], flags: list[re.Match[str]]) -> str | None:
    if all(_is_whole(text, command.start(), flag) for flag in flags if _name(flag) in _LOCK):
        return _on_its_own(text, flags)
    return "where this flag ends is not clear: quotes stand in its midst"


def _is_whole(text: str, start: int, flag: re.Match[str]) -> bool:
    """Whether a word ends behind the flag, and not in its midst: the quote there is one that was open."""
    after = text[flag.end() : flag.end() + 1]
    if _GLUED.match(text, flag.end()):
        return False
    ends = not after or after in _ENDS
    if ends and not flag["own"]:
        return True
    before = text[max(start, flag.start() - _FAR) : flag.start()]
    return len(before) < _FAR and (ends or _is_open(after, before)) and not _is_open(flag["own"], before)


def _is_open(quote: str | None, before: str) -> bool:
    return (
        quote is not None and quote in "\"'`" and (before.count(quote) - before.count(f"\\{quote}")) % 2 == 1
    )


def _on_its_own(text: str, flags: list[re.Match[str]]) -> str | None:
    """Why a list with one item on each line is not edited: another item needs a line of its own there."""
    for flag in flags:
        found = item(text, Span(*flag.span()))
        if found and found.apart is None:
            beside = f"{found.quote}{_spelled(flag)}{found.quote}"
            return f"the flag is an item of a list, on a line of its own; the next item is to be {beside}"
    return None


def _spelled(flag: re.Match[str]) -> str:
    """The flag for the lockfile, in the manner of this one."""
    quote = flag["quote"] or flag["escaped"] or ""
    return f"{flag['flag']}{quote}use_lockfile=true{quote}"


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    answer = _wished(sources[found.path].text, found, wish)
    if answer is None:
        return {}
    if isinstance(answer, Refusal):
        return answer
    if found.why_not:
        return Refusal(found.place, found.why_not, "change it by hand")
    return {found.path: (answer,)}


def _wished(text: str, found: Site, wish: LockWish) -> Op | Refusal | None:
    match wish:
        case LockWish.DUAL:
            return _dual(text, found, found.setting("dynamodb_table"))
        case LockWish.ADOPT:
            return _dual(text, found, found.setting("dynamodb_table") or found.settings[-1])
        case LockWish.RETIRE:
            return _retired(text, found)
        case LockWish.READ:
            return None
        case LockWish.ASSUME:
            return assume.left(found, "give assume_role = { … } in a partial file instead of them")


def _dual(text: str, found: Site, beside: Setting | None) -> Op | None:
    lock = found.setting("use_lockfile")
    if lock:
        return Replace(lock.value_span, "true", Syntax.PLAIN) if lock.value != Known(value=True) else None
    flag = _FLAG.match(text, beside.span.start) if beside else None
    if flag is None:
        return None
    whole = item(text, Span(*flag.span())) or Item(Span(*flag.span()), "", " ")
    added = f"{whole.apart}{whole.quote}{_spelled(flag)}{whole.quote}"
    return Replace(whole.span, f"{whole.span.of(text)}{added}", Syntax.PLAIN)


def _retired(text: str, found: Site) -> Op | Refusal | None:
    """The flag goes with the blanks before it, or with its line where it stands alone on one that goes on."""
    table = found.setting("dynamodb_table")
    if table is None:
        return None
    if whole := item(text, table.span):
        return Replace(without(text, whole), "", Syntax.PLAIN)
    start = text.rfind("\n", 0, table.span.start) + 1
    stop = text.find("\n", table.span.end)
    stop = len(text) if stop < 0 else stop
    before, after = text[start : table.span.start], text[table.span.end : stop].strip()
    if before.strip():
        blank = len(before) - len(before.rstrip())
        return Replace(Span(table.span.start - blank, table.span.end), "", Syntax.PLAIN)
    if after == "\\":
        return Replace(Span(start, stop + 1), "", Syntax.PLAIN)
    return _alone(found, goes_on=text[:start].rstrip().endswith("\\"))


def _alone(found: Site, *, goes_on: bool) -> Refusal:
    """The answer where the flag has its line for itself, and no backslash ends that."""
    if goes_on:
        why = "the flag is the last line of a command that goes on to it"
        return Refusal(found.place, why, "delete this line, and the backslash that ends the line above it")
    return Refusal(found.place, "the flag stands alone on its line", "delete this line")
