"""A statement laid out as the one beside it: the same order of elements, indent, and form of lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeAlias

from migrate.iam.policy import Condition, Principals, Statement, Word

Tree: TypeAlias = str | Sequence["Tree"] | Mapping[str, "Tree"]
"""What a statement consists of: texts spelled out, quotes and all; lists; elements by name."""

Quote: TypeAlias = Callable[[Word], str]
_ORDER: Final = (
    *("Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction"),
    *("Resource", "NotResource", "Condition"),
)


@dataclass(frozen=True, slots=True)
class Style:
    """How a statement is laid out.

    `unit` is one step of indent; empty: all on one line. `wide`: lists have a line for each item. `order` are
    its elements as they stand, `single` those that have a text and no list.
    """

    unit: str
    wide: bool
    order: tuple[str, ...]
    single: frozenset[str]


def style_of(text: str) -> Style:
    """The style of a statement as it is written, in JSON or as an object of HCL."""
    found = re.findall(rf'(?:^|[{{,\s])"?({"|".join(_ORDER)})"?\s*[:=]\s*(.)', text)
    order, single = tuple(name for name, _ in found), frozenset(name for name, sign in found if sign == '"')
    lines = text.splitlines()
    if len(lines) == 1:
        return Style("", wide=False, order=order, single=single)
    inner, outer = (line[: len(line) - len(line.lstrip())] for line in (lines[1], lines[-1]))
    wide = re.search(r"\[[ \t]*\r?\n", text) is not None
    return Style(inner.removeprefix(outer) or "  ", wide=wide, order=order, single=single)


def tree_of(statement: Statement, quote: Quote, style: Style) -> Mapping[str, Tree]:
    """The elements of a statement, in the order of the style and then in the usual one."""
    resources = statement.resources.words if statement.resources else ()
    elements: dict[str, Tree] = {
        "Sid": quote(Word((statement.sid,))),
        "Effect": quote(Word((statement.effect,))),
        **_principals(statement.principals, quote),
        "Action": _several("Action", statement.actions.words, quote, style),
        "Resource": _several("Resource", resources, quote, style),
        **_conditions(statement.conditions, quote),
    }
    order = dict.fromkeys((*(() if "Sid" in style.order else ("Sid",)), *style.order, *_ORDER))
    return {name: elements[name] for name in order if name in elements}


def _several(name: str, words: Sequence[Word], quote: Quote, style: Style) -> Tree:
    quoted = [quote(word) for word in words]
    return quoted[0] if len(quoted) == 1 and name in style.single else quoted


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


@dataclass(frozen=True, slots=True)
class Notation:
    """What stands between the parts: `assign` after a key, `comma` after a member that another follows.

    `aligned`: as `terraform fmt` has it, the keys of neighbouring lines are padded to one width.
    """

    key: Callable[[str], str]
    assign: str
    comma: str
    aligned: bool


def lines_of(tree: Tree, style: Style, notation: Notation) -> list[str]:
    """The tree as lines, the first and the last without indent."""
    if isinstance(tree, str) or not style.unit or not (style.wide or isinstance(tree, Mapping)):
        return [_flat(tree, notation)]
    if isinstance(tree, Mapping):
        return ["{", *(style.unit + line for line in _members(tree, style, notation)), "}"]
    items = [lines_of(item, style, notation) for item in tree]
    return ["[", *(style.unit + line for line in separated(items, ",")), "]"]


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


def _members(tree: Mapping[str, Tree], style: Style, notation: Notation) -> Iterator[str]:
    values = {notation.key(name): lines_of(one, style, notation) for name, one in tree.items()}
    members = []
    for is_short, group in groupby(values.items(), key=lambda member: len(member[1]) == 1):
        run = list(group)
        width = max(len(name) for name, _ in run) if notation.aligned and is_short else 0
        members += [[f"{name.ljust(width)}{notation.assign}{first}", *rest] for name, (first, *rest) in run]
    return separated(members, notation.comma)


def separated(parts: Sequence[Sequence[str]], comma: str) -> Iterator[str]:
    """The lines of all parts, with a comma behind each part but the last."""
    for number, part in enumerate(parts):
        last = "" if number == len(parts) - 1 else comma
        yield from (*part[:-1], part[-1] + last)
