"""A statement laid out as the one beside it: the same order of elements, indent, and form of lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from msgspec import Struct

from migrate.iam.policy import Condition, Principals, Statement, Word

Tree: TypeAlias = str | Sequence["Tree"] | Mapping[str, "Tree"]
"""What a statement consists of: texts spelled out, quotes and all; lists; elements by name."""

Quote: TypeAlias = Callable[[Word], str]
Listed: TypeAlias = Callable[[Sequence[Word]], Tree]
_ORDER: Final = (
    *("Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction"),
    *("Resource", "NotResource", "Condition"),
)


class Style(Struct, frozen=True):
    """How a statement is laid out.

    `unit` is one step of indent; empty: all on one line. `order` are its elements as they stand, `single`
    those that have a text and no list, `wide` those whose list has a line for each item, `narrow` those
    whose list is on one line.
    """

    unit: str
    order: tuple[str, ...] = ()
    single: frozenset[str] = frozenset()
    wide: frozenset[str] = frozenset()
    narrow: frozenset[str] = frozenset()

    def is_wide(self, name: str) -> bool:
        return name in self.wide or (name not in self.narrow and bool(self.wide))


def style_of(text: str, names: Sequence[str] = _ORDER) -> Style:
    """The style of a statement as it is written, in JSON or HCL, with elements of these names."""
    found = re.findall(rf'(?:^|[{{,\s])"?({"|".join(names)})"?\s*[:=]\s*(\[[ \t]*\r?\n|.)', text)
    order = tuple(name for name, _ in found)
    marks = {mark: frozenset(name for name, sign in found if sign[-1] == mark) for mark in ('"', "[", "\n")}
    return Style(_unit(text), order, marks['"'], wide=marks["\n"], narrow=marks["["])


def _unit(text: str) -> str:
    """One step of indent, as between the last line and the second; empty where there is but one line."""
    lines = text.splitlines()
    if len(lines) == 1:
        return ""
    inner, outer = (line[: len(line) - len(line.lstrip())] for line in (lines[1], lines[-1]))
    return inner.removeprefix(outer) or "  "


def tree_of(
    statement: Statement, quote: Quote, style: Style, listed: Listed | None = None
) -> Mapping[str, Tree]:
    """The elements of a statement, in the order of the style and then in the usual one.

    `listed` spells several words, where that is more than a list of each one spelt.
    """
    resources = statement.resources.words if statement.resources else ()
    several = listed or (lambda words: [quote(word) for word in words])
    elements: dict[str, Tree] = {
        "Sid": quote(Word((statement.sid,))),
        "Effect": quote(Word((statement.effect,))),
        **_principals(statement.principals, quote),
        "Action": _single_or("Action", several(statement.actions.words), style),
        "Resource": _single_or("Resource", several(resources), style),
        **_conditions(statement.conditions, quote),
    }
    order = dict.fromkeys((*(() if "Sid" in style.order else ("Sid",)), *style.order, *_ORDER))
    return {name: elements[name] for name in order if name in elements}


def _single_or(name: str, tree: Tree, style: Style) -> Tree:
    match tree:
        case [str() as only] if name in style.single:
            return only
        case _:
            return tree


def _principals(principals: Principals | None, quote: Quote) -> Mapping[str, Tree]:
    if principals is None:
        return {}
    name = "NotPrincipal" if principals.negated else "Principal"
    if [named.kind for named in principals.named] == ["*"]:
        return {name: quote(principals.named[0].word)}
    kinds = groupby(principals.named, key=lambda named: named.kind)
    return {name: {kind: _one_or_list([quote(one.word) for one in group]) for kind, group in kinds}}


def _conditions(conditions: Sequence[Condition], quote: Quote) -> Mapping[str, Tree]:
    tree: dict[str, dict[str, Tree]] = {}
    for one in conditions:
        tree.setdefault(one.operator, {})[one.key] = _one_or_list([quote(word) for word in one.values])
    return {"Condition": tree} if tree else {}


def _one_or_list(quoted: list[str]) -> Tree:
    return quoted[0] if len(quoted) == 1 else quoted


class Notation(Struct, frozen=True):
    """What stands between the parts: `assign` after a key, `comma` after a member that another follows.

    `aligned`: as `terraform fmt` has it, the keys of neighbouring lines are padded to one width.
    """

    key: Callable[[str], str]
    assign: str
    comma: str
    aligned: bool = False
    last: str = ""
    """What stands behind the last item of a list that has a line for each."""


def lines_of(tree: Tree, style: Style, notation: Notation, name: str = "") -> list[str]:
    """The tree as lines, the first and the last without indent; `name` is that of the element."""
    if isinstance(tree, str) or not style.unit or not (style.is_wide(name) or isinstance(tree, Mapping)):
        return [_flat(tree, notation)]
    if isinstance(tree, Mapping):
        return ["{", *(style.unit + line for line in members(tree, style, notation)), "}"]
    items = separated([lines_of(item, style, notation) for item in tree], ",", notation.last)
    return ["[", *(style.unit + line for line in items), "]"]


def _flat(tree: Tree, notation: Notation) -> str:
    match tree:
        case str():
            return tree
        case Mapping():
            members = (
                f"{notation.key(name)}{notation.assign}{_flat(one, notation)}" for name, one in tree.items()
            )
            return f"{{ {', '.join(members)} }}"
        case _:
            return f"[{', '.join(_flat(item, notation) for item in tree)}]"


def members(tree: Mapping[str, Tree], style: Style, notation: Notation) -> Iterator[str]:
    """The members of an object, or the arguments of a block, as lines."""
    values = {notation.key(name): lines_of(one, style, notation, name) for name, one in tree.items()}
    found = []
    for is_short, group in groupby(values.items(), key=lambda member: len(member[1]) == 1):
        run = list(group)
        width = max(len(name) for name, _ in run) if notation.aligned and is_short else 0
        found += [[f"{name.ljust(width)}{notation.assign}{first}", *rest] for name, (first, *rest) in run]
    return separated(found, notation.comma)


def laid(
    new: Iterable[Statement], written: str, quote: Quote, notation: Notation, listed: Listed | None = None
) -> tuple[str, ...]:
    """New statements in the style of the one that is `written` beside them, as lines, parted by commas."""
    style = style_of(written)
    parts = [lines_of(tree_of(one, quote, style, listed), style, notation) for one in new]
    return tuple(separated(parts, ","))


def last_comma(text: str) -> str:
    """What a statement of HCL has behind the last item of a list that has a line for each."""
    return "," if re.search(r",[ \t]*\r?\n\s*\]", text) else ""


def separated(parts: Sequence[Sequence[str]], comma: str, last: str = "") -> Iterator[str]:
    """The lines of all parts, with a comma behind each part but the last."""
    for number, part in enumerate(parts):
        behind = last if number == len(parts) - 1 else comma
        yield from (*part[:-1], part[-1] + behind)
