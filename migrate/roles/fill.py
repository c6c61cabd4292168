"""The expressions of a policy filled with what they come to; what they do not come to stays a hole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec.structs import replace

from migrate.evaluation.evaluate import Data
from migrate.iam.glob import Hole
from migrate.iam.policy import Condition, Element, Part, Policy, Principals, Statement, Word
from migrate.model import Unknown

Look: TypeAlias = "Callable[[str], Data | Unknown]"
"""What an expression comes to."""


def filled(policy: Policy, look: Look) -> Policy:
    """The same policy with every expression that comes to a text, or to a list of texts, in its place."""
    return replace(policy, statements=tuple(_statement(one, look) for one in policy.statements))


def acting(policy: Policy, look: Look) -> Policy:
    """The same policy with its actions filled, and all else as it is written."""
    statements = (replace(one, actions=_element(one.actions, look)) for one in policy.statements)
    return replace(policy, statements=tuple(statements))


def _statement(one: Statement, look: Look) -> Statement:
    return replace(
        one,
        actions=_element(one.actions, look),
        resources=_element(one.resources, look) if one.resources else None,
        principals=_principals(one.principals, look) if one.principals else None,
        conditions=tuple(_condition(test, look) for test in one.conditions),
    )


def _element(element: Element, look: Look) -> Element:
    return replace(element, words=tuple(new for word in element.words for new in _words(word, look)))


def _principals(principals: Principals, look: Look) -> Principals:
    named = (replace(one, word=new) for one in principals.named for new in _words(one.word, look))
    return replace(principals, named=tuple(named))


def _condition(test: Condition, look: Look) -> Condition:
    return replace(test, values=tuple(new for word in test.values for new in _words(word, look)))


def _words(word: Word, look: Look) -> Iterator[Word]:
    """A word as it is filled; an expression of a list stands for a word for each of its items.

    None where a condition leaves it out; what one may leave out is not known.
    """
    answers = [(look(condition), wanted, condition) for condition, wanted in word.only_if]
    if any(found is not wanted for found, wanted, _ in answers if isinstance(found, bool)):
        return
    open_ = next((condition for found, _, condition in answers if not isinstance(found, bool)), None)
    if open_ is not None:
        yield Word((Hole(f"${{{open_}}}"),), word.span)
        return
    first, *behind = word.parts or ("",)
    found = look(first.symbol[2:-1]) if isinstance(first, Hole) else None
    if isinstance(found, tuple):
        for item in found:
            yield Word(_joined((item if isinstance(item, str) else first, *behind)), word.span)
    else:
        yield Word(_joined(tuple(_part(part, look) for part in word.parts)), word.span)


def _part(part: Part, look: Look) -> Part:
    if isinstance(part, str):
        return part
    found = look(part.symbol[2:-1])
    return found if isinstance(found, str) else part


def _joined(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Neighbouring texts as one, as a reader of the policy would have them."""
    joined: list[Part] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, str) and isinstance(last, str):
            joined[-1] = last + part
        else:
            joined.append(part)
    return tuple(joined)
