"""Settings on a command line: `-backend-config=dynamodb_table=…` in pipelines, Makefiles and scripts.

A flag is one token, and is edited as one: the same flag for `use_lockfile` behind it, or nothing in its
place. As an item of a list (`["init", "-backend-config=…"]`) it gets another item beside it, on a line of its
own where each has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate import wishes
from migrate.model import Fact, LockWish, Refusal, Scalar, Setting, Site, Source, Unknown
from migrate.plug import Edits, Found, Sources
from migrate.settings import taken
from migrate.sites import Sheet
from migrate.spelling.commands import COMMAND, PROSE
from migrate.spelling.list_items import Item, item, may_go, without
from migrate.text import Drop, InsertAfter, Op, Replace, Span, Syntax, line_start
from migrate.wishes import assume

NAME: Final = "flags"

_PROGRAMS: Final = frozenset({".py", ".go", ".ts", ".js", ".java", ".cs", ".rb", ".kt", ".rs"})

# Make and the shell end what they fill in with its own bracket, whatever quotes stand in it.
_CALL: Final = r"\$\((?>(?:[^()\n]|\([^()\n]*\))*)\)"
# The flag with its setting: in quotes (`-backend-config="key=x"`), in escaped ones, or bare (`key="x"`).
_FLAG: Final = re.compile(
    rf"""(?<![\w-])(?P<flag>--?backend-config(?:=|[ ]+))
    (?:(?P<quote>["'])(?P<quoted>\w+)=(?P<inner>(?>(?:{_CALL}|\\"|(?!(?P=quote)|\$\()[^\n])*))(?P=quote)
    |(?P<escaped>\\["']|'')(?P<within>\w+)=(?P<word>[^\s"'\\]*+)(?P=escaped)
    |(?P<bare>\w+)=(?P<plain>(?P<own>["'])(?>(?:{_CALL}|(?!(?P=own)|\$\()[^\n\\])*)(?P=own)
    |(?>(?:\$?\{{\{{[^\n}}]*\}}\}}|\$\{{[^\n)}}]*[)}}]|{_CALL}|<\w[^<>\n]*>|(?!\$\()[^\s"'`\\,\];|&<>)])*)))""",
    re.VERBOSE,
)
_NOTE: Final = re.compile(
    r"""(?s)[^"'#\\]++|\\.|"(?>(?:[^"\\]++|\\.)*)"|'[^']*+'|(?P<note>(?<!\S)\#[^\n]*+)|."""
)
"""A piece of a command, or a comment behind it."""
_COMMENT: Final = re.compile(r"\s*(?:#|//)(?>(?:[^\n\\]++|\\(?:\r?\n|.)?)*)")
_LINE: Final = "use_lockfile=true"
_LAST: Final = "the flag is an item of a list, on a line of its own, and no other follows"
_FAR: Final = 10_000
_ENDS: Final = frozenset(" \t\r\n,])};&|<>\\")
_LOCK: Final = frozenset({"dynamodb_table", "use_lockfile"})
_OF_OTHERS: Final = frozenset(
    {"resource_group_name", "storage_account_name", "container_name", "prefix", "credentials", "address"}
    | {"conn_str", "secret_suffix", "organization", "hostname", "path"}
)
"""Settings of other kinds of backends: azurerm, gcs, http, pg, kubernetes, remote, consul."""
_GLUED: Final = re.compile(r"""(["'`])\1*+(?:\s*(?:\+|\.\.)|[\w$])""")
"""A quote behind which the text goes on: `'…' + table`, `"…"$TABLE`."""
_FILLED: Final = re.compile(r"""[$%{<`"']""")


def claims(path: PurePosixPath, head: bytes, /) -> bool:
    return path.suffix.lower() not in PROSE | _PROGRAMS


def find(source: Source, /) -> Found[Site]:
    """One site for each command whose flags name settings that S3 may have, with all that they say."""
    sheet = Sheet(source, NAME)
    return Found(sheet.found(_sites(sheet)).items)


def _sites(sheet: Sheet) -> Iterator[Site]:
    text = sheet.source.text
    for command in COMMAND.finditer(text):
        flags = list(_flags(text, command)) if "-backend-config" in command.group() else []
        if flags and _may_be_s3(set(map(_name, flags))):
            span = Span(flags[0].start(), flags[-1].end())
            settings = [_setting(flag, whole=_is_whole(text, command.start(), flag)) for flag in flags]
            yield sheet.site("flag", "flags", span, settings, _why_not(text, command, flags))


def _may_be_s3(names: Set[str]) -> bool:
    return not names.isdisjoint(_LOCK) or names.isdisjoint(_OF_OTHERS)


def _flags(text: str, command: re.Match[str]) -> Iterator[re.Match[str]]:
    """The flags of a command; none in a comment above or behind them."""
    start, end = command.span()
    if comment := _COMMENT.match(text, start, end):
        start = comment.end()
    notes = [note.span() for note in _NOTE.finditer(text, start, end) if note["note"]]
    for flag in _FLAG.finditer(text, start, end):
        if not any(start < flag.start() < end for start, end in notes):
            yield flag


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
    of_lock = [flag for flag in flags if _name(flag) in _LOCK]
    if len(of_lock) > len({_name(flag) for flag in of_lock}):
        return "one line gives this flag twice: which init each is for is not clear"
    if all(_is_whole(text, command.start(), flag) for flag in of_lock):
        return None
    return "where this flag ends is not clear: quotes stand in its midst"


def _is_whole(text: str, start: int, flag: re.Match[str]) -> bool:
    """Whether the word of the shell ends where the flag does: a quote there closes one opened before."""
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


def _spelled(flag: re.Match[str]) -> str:
    """The flag for the lockfile, in the manner of this one."""
    quote = flag["quote"] or flag["escaped"] or ""
    return f"{flag['flag']}{quote}{_LINE}{quote}"


def edit(sources: Sources, found: Site, wish: LockWish, /) -> Edits | Refusal:
    if wish is LockWish.ASSUME:
        return assume.left(found, "give assume_role = { … } in a partial file instead of them") or {}
    source = sources[found.path]
    answer = wishes.edit(source, replace(found, why_not=None), wish, Syntax.PLAIN)
    if isinstance(answer, Refusal):
        return replace(answer, remedy="give -backend-config=use_lockfile=true first")
    if answer and found.why_not:
        return Refusal(found.place, found.why_not, "change it by hand")
    ops: list[Op] = []
    for wanted in answer.get(found.path, ()):
        op = _of_flag(source.text, found, wanted)
        if isinstance(op, Refusal):
            return op
        ops.append(op)
    return {found.path: tuple(ops)} if ops else {}


def _of_flag(text: str, found: Site, op: Op) -> Op | Refusal:
    """What an operation on a setting is for the flag that gives it."""
    match op:
        case InsertAfter(span):
            return _beside(text, found, span)
        case Drop(span):
            return _dropped(text, found, span)
        case _:
            return op


def _beside(text: str, found: Site, span: Span) -> Op | Refusal:
    flag = _FLAG.match(text, span.start)
    added = _spelled(flag) if flag else f"-backend-config={_LINE}"
    whole = item(text, span) or Item(span, "", " ")
    new = f"{whole.dash}{whole.quote}{added}{whole.quote}{whole.comma}"
    if whole.apart is not None:
        return Replace(whole.span, f"{whole.span.of(text)}{whole.apart}{new}", Syntax.PLAIN)
    if not whole.dash and not whole.comma:
        return Refusal(found.place, _LAST, f"add a comma, and {new} on the line below")
    return InsertAfter(whole.line, (new,), Syntax.PLAIN)


def _dropped(text: str, found: Site, span: Span) -> Op | Refusal:
    """The flag goes with the blanks before it, or with its line where it stands alone on one that goes on."""
    whole = item(text, span)
    if whole and whole.apart is None:
        drop = Drop(whole.line, Syntax.PLAIN)
        return drop if may_go(text, whole) else Refusal(found.place, _LAST, "take it out by hand")
    if whole:
        return Replace(without(text, whole), "", Syntax.PLAIN)
    start = line_start(text, span.start)
    stop = text.find("\n", span.end)
    stop = len(text) if stop < 0 else stop
    before, after = text[start : span.start], text[span.end : stop].strip()
    if before.strip():
        blank = len(before) - len(before.rstrip())
        return Replace(Span(span.start - blank, span.end), "", Syntax.PLAIN)
    if after == "\\":
        return Replace(Span(start, stop + 1), "", Syntax.PLAIN)
    return _alone(found, goes_on=text[:start].rstrip().endswith("\\"))


def _alone(found: Site, *, goes_on: bool) -> Refusal:
    """The answer where the flag has its line for itself, and no backslash ends that."""
    if goes_on:
        why = "the flag is the last line of a command that goes on to it"
        return Refusal(found.place, why, "delete this line, and the backslash that ends the line above it")
    return Refusal(found.place, "the flag stands alone on its line", "delete this line")
