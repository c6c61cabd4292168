"""How values of the model are spelled in every format: locks, facts, states, names that may hold anything."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import msgspec.json

from migrate.estate import effective
from migrate.estate.changes import lock_of
from migrate.model import Backend, Fact, Known, Lock, Refusal, Site, Stack, Table, Unknown
from migrate.report import Audit, Finding

LOCKS: Final = ("table", "both", "lockfile", "none", "mixed", "unknown")
"""What the writers of a state lock with, in one word."""

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


def dumps(document: dict[str, Json]) -> str:
    """JSON for programs and eyes alike: one line for each item of a list at the top.

    Bytes that are no UTF-8 come out escaped, never broken. (`indent` would take the encoder that is written
    in Python, at four times the cost.)
    """
    lines = [f"  {_line(name)}: {_items(value)}" for name, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _items(value: Json) -> str:
    if not isinstance(value, list) or not value:
        return _line(value)
    return "[\n    " + ",\n    ".join(map(_line, value)) + "\n  ]"


def _line(value: Json) -> str:
    """As `json.dumps` has it, at a third of the time where all is plain ASCII."""
    try:
        text = msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text if text.isascii() and "\x7f" not in text else json.dumps(value)


def printable(text: object) -> str:
    r"""`text` for a terminal or a table: control characters, bidi marks and stray bytes as `\x1b`."""
    plain = str(text)
    return plain if plain.isprintable() else "".join(map(_shown, plain))


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def counted(number: int, one: str, many: str = "") -> str:
    """`1 state`, `2 states`, `2 repositories`."""
    several = many or (f"{one[:-1]}ies" if one.endswith("y") else f"{one}s")
    return f"{number} {one if number == 1 else several}"


def value(fact: Fact[str] | None) -> str | None:
    """The value of a fact; None where there is none, or it is not known."""
    return fact.value if isinstance(fact, Known) else None


def lock(fact: Fact[Lock]) -> str:
    """A lock in one word, `unknown` where it is not known."""
    return fact.value.value if isinstance(fact, Known) else "unknown"


def counts(audit: Audit) -> Mapping[str, int]:
    """`states` that something here writes, and these by lock; `only_read`: those that are read here and
    written elsewhere; readers; mentions that may set a lock.
    """
    stacks = audit.estate.stacks
    written = [stack for stack in stacks if stack.backends]
    by_lock = Counter(lock_of(stack) for stack in written)
    return {
        "repositories": len(audit.checkouts),
        "states": len(written),
        **{word: by_lock[word] for word in LOCKS},
        "only_read": len(stacks) - len(written),
        "readers": sum(len(stack.readers) for stack in stacks),
        "unaccounted": sum(not mention.accounted for mention in audit.estate.mentions),
    }


def how_to_state(gate: str) -> str:
    """What `facts:` is, and where it is said how one that opens the gate is written."""
    return f"what a person states in the file given by --config; tfrelock explain {gate} shows how"


def untouched(audit: Audit) -> Iterator[str]:
    """How many states a change does nothing to, if there are any."""
    written = sum(bool(stack.backends) for stack in audit.estate.stacks)
    if left := written - len(audit.listed):
        stays = "stays as it is" if left == 1 else "stay as they are"
        yield f"{counted(left, 'other state' if audit.listed else 'state')} {stays}"


def by_remedy(findings: Iterable[Finding]) -> Mapping[str, list[Finding]]:
    """The findings under what is to be done about each, in the order they come."""
    return _alike(findings, lambda finding: finding.remedy)


def by_message(findings: Iterable[Finding]) -> Mapping[str, list[Finding]]:
    """The findings under what is said of each."""
    return _alike(findings, lambda finding: finding.message)


def _alike(findings: Iterable[Finding], said: Callable[[Finding], str]) -> Mapping[str, list[Finding]]:
    alike: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        alike[said(finding)].append(finding)
    return alike


def table(stack: Stack) -> Table | None:
    """The lock table that the state's backends name; of several the first by place."""
    return next((backend.table for backend in stack.backends if backend.table), None)


def literal(site: Site, name: str) -> str | None:
    """A setting's literal as text; None where it is absent, null or an expression."""
    setting = site.setting(name)
    match setting.value if setting else Known(None):
        case Known(None) | Unknown():
            return None
        case Known(given):
            return str(given)


def expressions(site: Site) -> dict[str, str]:
    """The settings that no literal gives, with their text; the table by the name of its field."""
    return {_FIELDS.get(s.name, s.name): s.value.why for s in site.settings if isinstance(s.value, Unknown)}


_FIELDS = {"dynamodb_table": "table", "lock_table": "table"}


def refusal(one: Refusal) -> Json:
    """An edit that is not made, for programs."""
    where = one.where
    return {
        "repository": where.repo,
        "path": str(where.path),
        "line": where.line,
        "why": one.why,
        "remedy": one.remedy,
    }


def required_version(backend: Backend) -> str | None:
    """All constraints of the root, joined as one."""
    texts = [value(pin.version) for pin in backend.pins if pin.kind == "constraint"]
    return ", ".join(text for text in texts if text) or None


def own_lock(site: Site) -> str:
    """What one place says by itself."""
    return lock(effective.lock(effective.joined([site]), complete=True))
