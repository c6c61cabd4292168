"""Small changes of a text as people, merges and templates make them, drawn from a seeded source of chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

SIGNS = (
    "{",
    "}",
    '"',
    "${",
    "%{",
    "{{",
    "}}",
    "<<E\n",
    "E\n",
    "#",
    "/*",
    "*/",
    ",",
    "=",
    ":",
    "\\",
    "\t",
    "\r",
    "é",
)
LINES = (
    'dynamodb_table = "acme-locks"',
    "use_lockfile = false",
    "use_lockfile = var.on",
    'dynamodb_table = ""',
    "# dynamodb_table is old",
    'endpoints = { dynamodb = "d" }',
    "{{ if .Old }}",
    '"use_lockfile": true,',
    "dynamodb_table: acme-locks",
    "",
)
NAMES = ("dynamodb_table", "use_lockfile", "lock_table", "bucket", "key", "backend", "config")

Mutation = Callable[[str, Random, Sequence[str]], str]


def mutated(text: str, chance: Random, others: Sequence[str]) -> str:
    """`text` after one to four changes; pieces come from `others` too."""
    for mutation in chance.choices(MUTATIONS, k=chance.randint(1, 4)):
        text = mutation(text, chance, others)
    return text


def _sign(text: str, chance: Random, others: Sequence[str]) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + chance.choice(SIGNS) + text[at:]


def _less(text: str, chance: Random, others: Sequence[str]) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + text[at + chance.randint(1, 12) :]


def _line(text: str, chance: Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    return "\n".join([*lines[:at], indent + chance.choice(LINES), *lines[at:]])


def _twice(text: str, chance: Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    return "\n".join([*lines[:at], lines[at], *lines[at:]])


def _moved(text: str, chance: Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    line = lines.pop(chance.randrange(len(lines)))
    lines.insert(chance.randint(0, len(lines)), line)
    return "\n".join(lines)


def _gone(text: str, chance: Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    lines.pop(chance.randrange(len(lines)))
    return "\n".join(lines)


def _joined(text: str, chance: Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    return "\n".join([*lines[:at], " ".join(lines[at : at + 2]), *lines[at + 2 :]])


def _named(text: str, chance: Random, others: Sequence[str]) -> str:
    return text.replace(chance.choice(NAMES), chance.choice(NAMES), chance.randint(1, 3))


def _piece(text: str, chance: Random, others: Sequence[str]) -> str:
    other = chance.choice(others)
    start = chance.randint(0, len(other))
    at = chance.randint(0, len(text))
    return text[:at] + other[start : start + chance.randint(1, 300)] + text[at:]


def _dress(text: str, chance: Random, others: Sequence[str]) -> str:
    dress = chance.randrange(5)
    if dress == 0:
        return text.replace("\r\n", "\n").replace("\n", "\r\n")
    if dress == 1:
        return "\ufeff" + text.removeprefix("\ufeff")
    if dress == 2:
        return text.rstrip("\n")
    return text.replace("  ", "\t") if dress == 3 else text.replace(" = ", "=")


MUTATIONS: Sequence[Mutation] = (
    _sign,
    _less,
    _line,
    _twice,
    _moved,
    _gone,
    _joined,
    _named,
    _piece,
    _dress,
)
