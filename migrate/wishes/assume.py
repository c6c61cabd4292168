"""The top-level assume-role arguments that Terraform 1.10 removed, moved into `assume_role = { … }`.

The map is taken from 1.6 on, so there are releases that take both spellings, and this step may be merged
before the floor is raised past 1.10. Values are moved as they are written; the duration was a number of
seconds and is a text with its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from migrate.model import Fact, Known, Refusal, Scalar, Setting, Site, Source, Unknown
from migrate.text import Drop, Op, Replace, Syntax, lead, stands_alone
from migrate.versions import REMOVED_ARGUMENTS

_MAP: Final = "assume_role"
_SECONDS: Final = "assume_role_duration_seconds"
_NUMBER: Final = re.compile(r'"?(\d+)"?')
_COMMENT: Final = re.compile(r"[ \t]*,?[ \t]*((?:#|//)[^\r\n]*)")
_HEREDOC: Final = re.compile(r"<<-?\w+")
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"


def removed(site: Site) -> tuple[Setting, ...]:
    """The arguments to move, in the order in which they stand."""
    found = {one.name: one for one in site.settings if one.name in REMOVED_ARGUMENTS}
    return tuple(sorted(found.values(), key=lambda one: one.span))


def told(gone: Iterable[Setting]) -> str:
    """The arguments, and since when they are none."""
    return f"{', '.join(one.name for one in gone)}: removed in Terraform 1.10"


def movable(site: Site) -> bool:
    """Whether an edit can move what is written there, as far as the site itself tells."""
    return site.role in ("writer", "reader", "partial") and not site.why_not and not site.setting(_MAP)


def left(site: Site, remedy: str) -> Refusal | None:
    """The refusal where no edit moves them; None where there are none to move."""
    gone = removed(site)
    return Refusal(site.place, f"{told(gone)}, and not moved here", remedy) if gone else None


def moved(source: Source, site: Site, syntax: Syntax) -> tuple[Op, ...] | Refusal:
    """The operations that move them; empty where there are none."""
    gone = removed(site)
    if not gone:
        return ()
    if site.setting(_MAP):
        why = f"{_MAP} stands beside {gone[0].name}: Terraform takes one of them"
        return Refusal(site.place, why, f"move {', '.join(one.name for one in gone)} into it by hand")
    if syntax is Syntax.PLAIN:
        inside = ", ".join(f"{REMOVED_ARGUMENTS[one.name]}" for one in gone)
        return Refusal(site.place, "this is no HCL", f"write {_MAP} with {inside} in it by hand")
    first, *others = gone
    new = _Writing(source.text, syntax).map(gone)
    return (Replace(first.span, new, syntax), *(Drop(one.span, syntax) for one in others))


class _Writing(Struct, frozen=True):
    """How the map is written in one text."""

    text: str
    syntax: Syntax

    def map(self, gone: Sequence[Setting]) -> str:
        """The map in place of the first of the arguments: on its line where that holds more than it."""
        key, assign = self._named(_MAP)
        if not stands_alone(self.text, gone[0].span):
            inner = (self._member(one) for one in gone)
            open_, close = ("{ ", " }") if self.syntax is Syntax.HCL else ("{", "}")
            return f"{key}{assign}{open_}{', '.join(f'{k}{a}{v}' for k, a, v in inner)}{close}"
        indent = lead(self.text, gone[0].span.start).lstrip("\ufeff")
        lines = self._lines(gone, indent + self._step(indent))
        return self._newline().join([f"{key}{assign}{{", *lines, f"{indent}}}"])

    def _lines(self, gone: Sequence[Setting], indent: str) -> list[str]:
        """Each argument on a line of its own, aligned as `terraform fmt` does it."""
        laid = []
        for short, group in groupby(gone, key=self._in_group):
            run = [(one, *self._member(one)) for one in group]
            width = max(len(key) for _, key, _, _ in run) if short and self.syntax is Syntax.HCL else 0
            for one, key, assign, value in run:
                laid += [f"{indent}{comment}" for comment in self._comments(one, gone)]
                laid.append(f"{indent}{key.ljust(width)}{assign}{self._inward(value, indent)}")
        return [f"{line}," for line in laid[:-1]] + laid[-1:] if self.syntax is Syntax.JSON else laid

    def _member(self, one: Setting) -> tuple[str, str, str]:
        value = one.value_span.of(self.text)
        if one.name == _SECONDS:
            number = _NUMBER.fullmatch(value)
            value = f'"{number[1]}s"' if number else f'"${{{value}}}s"'
        return (*self._named(REMOVED_ARGUMENTS[one.name]), value)

    def _named(self, name: str) -> tuple[str, str]:
        return (name, " = ") if self.syntax is Syntax.HCL else (f'"{name}"', ": ")

    def _in_group(self, one: Setting) -> bool:
        """Whether its line is aligned with its neighbours: brackets opened on it are closed on it."""
        first = one.value_span.of(self.text).partition("\n")[0]
        opened = sum(first.count(sign) for sign in _OPENING) - sum(first.count(sign) for sign in _CLOSING)
        return opened == 0

    def _comments(self, one: Setting, gone: Sequence[Setting]) -> list[str]:
        """What stood behind it: that of the first stays where it is, behind the brace."""
        found = _COMMENT.match(self.text, one.span.end)
        return [found[1].rstrip()] if found and one is not gone[0] else []

    def _inward(self, value: str, indent: str) -> str:
        """The further lines of a value as far in as they now stand; text of a heredoc is left alone."""
        if "\n" not in value or _HEREDOC.match(value):
            return value
        step = self._step(indent)
        first, *rest = value.split("\n")
        return "\n".join([first, *(step + line if line.strip() else line for line in rest)])

    def _step(self, indent: str) -> str:
        if indent.startswith("\t"):
            return "\t"
        return "    " if self.syntax is Syntax.JSON and len(indent) % 4 == 0 and indent else "  "

    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"


def renamed(path: str) -> str | None:
    """Where what stands at a path (`s3.role_arn`, `assume_role_tags.team`) stands afterwards; None: there."""
    found = _PATH.search(path)
    return f"{path[: found.start(1)]}{_MAP}.{REMOVED_ARGUMENTS[found[1]]}{found['rest']}" if found else None


_PATH: Final = re.compile(rf"(?:^|(?<=\.))({'|'.join(REMOVED_ARGUMENTS)})(?P<rest>(?:[.\[].*)?)\Z", re.DOTALL)


def said(name: str, value: Fact[Scalar]) -> tuple[str, Fact[Scalar]]:
    """A setting as it is said after the move. Of blanks in an expression there is no telling: lines move."""
    moves = renamed(name) if name.partition(".")[0] in REMOVED_ARGUMENTS else None
    if isinstance(value, Unknown):
        text = f'"${{{value.why}}}s"' if name == _SECONDS else value.why
        return moves or name, Unknown(" ".join(text.split()))
    return moves or name, Known(f"{value.value}s") if name == _SECONDS else value


def is_move(removed: Mapping[str, str], added: Mapping[str, str]) -> bool:
    """Whether the second parser sees every value that went, at its new path, and nothing else but the map."""
    moves = {old: path for old in removed if (path := renamed(old))}
    maps = {path for path in added if path == _MAP or path.endswith(f".{_MAP}")}
    if len(moves) < len(removed) or {*moves.values(), *maps} != added.keys():
        return False
    return all(
        _bare(added[path]) == f"{_bare(removed[old])}s"
        if old.endswith(_SECONDS)
        else added[path] == removed[old]
        for old, path in moves.items()
    )


def _bare(value: str) -> str:
    """A number or a text as JSON or HCL, without its quotes."""
    return value.strip('"\\')
