"""A tree of JSON to a policy: what is there with its place, and what is not as IAM wants it as a flaw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from migrate.iam.policy import (
    Condition,
    Effect,
    Element,
    Flaw,
    Named,
    Part,
    Policy,
    Principals,
    Statement,
    Word,
)
from migrate.jsontree import Array, Constant, Node, Number, Object, Text
from migrate.text import Span

Spell: TypeAlias = Callable[[Node], tuple[Part, ...] | None]
"""What a string means in the language it stands in, with a hole for each expression; None: no string."""


def as_json(node: Node) -> tuple[Part, ...] | None:
    """A string of plain JSON; IAM takes numbers and booleans for strings."""
    match node:
        case Text(value) | Number(value):
            return (value,)
        case Constant(bool(value)):
            return (str(value).lower(),)
        case _:
            return None


class Reading(Struct, frozen=True):
    """How to read one document: what its strings mean, and how people are told of a place in it."""

    spell: Spell = as_json
    where: Callable[[Span], str] = lambda span: ""


def is_policy(node: Node) -> bool:
    """Whether a tree is a policy document, good or flawed, and not some other JSON."""
    if not isinstance(node, Object):
        return False
    statements = node.get("Statement")
    items = statements.items if isinstance(statements, Array) else (statements,)
    return any(isinstance(item, Object) and item.all("Effect") for item in items)


def read_policy(node: Object, name: str, reading: Reading) -> Policy:
    """Read a document; a statement that cannot be read is a flaw of the policy, never left out unsaid."""
    version = node.get("Version")
    written = version.value if isinstance(version, Text) else _VERSIONS[0]
    statements, flaws = [], [*_strangers(node, _TOP, reading), *_repeated(node, reading)]
    if version and written not in _VERSIONS:
        flaws.append(Flaw(f"Version {written} is none of IAM's", reading.where(version.span)))
    for item in _listed(node.get("Statement")):
        read = _statement(item, reading)
        if isinstance(read, Flaw):
            flaws.append(read)
        else:
            statements.append(read)
            flaws += _strangers(item, _ELEMENTS, reading)
    flaws += _doubled(statements)
    return Policy(tuple(statements), name, written, tuple(flaws), node.span)


_VERSIONS: Final = ("2008-10-17", "2012-10-17")
_TOP: Final = ("Version", "Id", "Statement")
_ELEMENTS: Final = (
    *("Sid", "Effect", "Condition"),
    *("Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource"),
)


class _FlawError(Exception):
    def __init__(self, why: str, span: Span) -> None:
        super().__init__(why)
        self.why = why
        self.span = span


def _statement(node: Node, reading: Reading) -> Statement | Flaw:
    try:
        return _read(_object(node, "a statement"), reading)
    except _FlawError as flaw:
        effect = node.get("Effect") if isinstance(node, Object) else None
        allows = isinstance(effect, Text) and effect.value == "Allow"
        return Flaw(flaw.why, reading.where(flaw.span), denies=not allows)


def _read(node: Object, reading: Reading) -> Statement:
    actions = _element(node, "Action", reading)
    if actions is None:
        raise _FlawError("a statement without Action", node.span)
    sid = _only(node, "Sid")
    return Statement(
        _effect(node),
        actions,
        _element(node, "Resource", reading),
        _principals(node, reading),
        tuple(_conditions(_only(node, "Condition"), reading)),
        sid.value if isinstance(sid, Text) else "",
        reading.where(node.span),
        node.span,
    )


def _effect(node: Object) -> Effect:
    match _only(node, "Effect"):
        case Text("Allow"):
            return "Allow"
        case Text("Deny"):
            return "Deny"
        case other:
            raise _FlawError("Effect is neither Allow nor Deny", other.span if other else node.span)


def _element(node: Object, name: str, reading: Reading) -> Element | None:
    plain, negated = _only(node, name), _only(node, f"Not{name}")
    if plain and negated:
        raise _FlawError(f"both {name} and Not{name}", negated.span)
    found = plain or negated
    return Element(_words(found, reading), negated=negated is not None) if found else None


def _principals(node: Object, reading: Reading) -> Principals | None:
    plain, negated = _only(node, "Principal"), _only(node, "NotPrincipal")
    found = plain or negated
    if found is None:
        return None
    if isinstance(found, Object):
        named = [Named(m.key.value, word) for m in found.members for word in _words(m.value, reading)]
    else:
        named = [Named("*", word) for word in _words(found, reading)]
    return Principals(tuple(named), negated=plain is None)


def _conditions(node: Node | None, reading: Reading) -> Iterator[Condition]:
    for block in _object(node, "Condition").members if node else ():
        for test in _object(block.value, f"Condition {block.key.value}").members:
            yield Condition(block.key.value, test.key.value, _words(test.value, reading))


def _words(node: Node, reading: Reading) -> tuple[Word, ...]:
    return tuple(_word(item, reading) for item in _listed(node))


def _word(node: Node, reading: Reading) -> Word:
    parts = reading.spell(node)
    if parts is None:
        raise _FlawError("a string should stand here", node.span)
    return Word(parts, node.span)


def _listed(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; IAM takes a single one without its brackets too."""
    if isinstance(node, Array):
        return node.items
    return (node,) if node else ()


def _object(node: Node, name: str) -> Object:
    if not isinstance(node, Object):
        raise _FlawError(f"{name} is not an object", node.span)
    unnamed = next((member for member in node.members if not member.key.value), None)
    if unnamed:  # a key that an expression makes, where the document is written in HCL
        raise _FlawError(f"{name} has a member without a name", unnamed.span)
    return node


def _only(node: Object, name: str) -> Node | None:
    found = node.all(name)
    if len(found) > 1:
        raise _FlawError(f"{name} stands twice", found[1].span)
    return found[0].value if found else None


def _strangers(node: Node, known: tuple[str, ...], reading: Reading) -> Iterator[Flaw]:
    """Members that IAM does not know: it refuses the document, so nobody can say what it does."""
    for member in node.members if isinstance(node, Object) else ():
        if member.key.value not in known:
            yield Flaw(f"{member.key.value} is no element of a policy", reading.where(member.span))


def _repeated(node: Object, reading: Reading) -> Iterator[Flaw]:
    """A member of the document that stands there twice: which of the two counts, nobody says."""
    for name in _TOP:
        for member in node.all(name)[1:]:
            yield Flaw(f"{name} stands twice", reading.where(member.span))


def _doubled(statements: Iterable[Statement]) -> Iterator[Flaw]:
    """A Sid that stands twice: IAM refuses such a policy of an identity."""
    seen: set[str] = set()
    for one in statements:
        if one.sid in seen and one.principals is None and "${" not in one.sid:
            yield Flaw(f"Sid {one.sid} stands twice", one.where)
        seen.update([one.sid] if one.sid else [])
