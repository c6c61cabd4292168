"""Whether one statement applies to one request, and what keeps it from saying so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from migrate.iam.conditions import Test, doubt, holds, prepared
from migrate.iam.doubt import Doubt
from migrate.iam.glob import Glob, Hole, lowered
from migrate.iam.policy import Element, Part, Policy, Statement, Word
from migrate.iam.principals import Via, speaks_of
from migrate.iam.request import Caller, Request
from migrate.iam.truth import FALSE, TRUE, UNKNOWN, Truth, every, some, truth
from migrate.iam.variables import has_variables, plain, understood

Assumed: TypeAlias = Callable[[Doubt], bool | None]
"""Answers to doubts, to see what would follow: whether the element in doubt is met; None leaves it open."""


Matched: TypeAlias = Callable[[Glob], bool]
"""Which patterns match one class of the resources that a request means."""


class Case(Struct, frozen=True):
    """One request, and what is assumed."""

    request: Request
    assumed: Assumed | None = None

    def settled(self, doubt: Doubt) -> Truth:
        """What is assumed of a doubt."""
        assumed = self.assumed(doubt) if self.assumed else None
        return UNKNOWN if assumed is None else truth(assumed)


def scope(request: Request) -> str:
    """What tells a request from another in a doubt."""
    return f"{request.action} {request.resource}"


class Rule(Struct, frozen=True):
    """A statement, ready to be asked many times about one caller.

    `speaks` and `via`: whether and by which name it means the caller. `fixed`: the patterns of its resources,
    None where policy variables stand in them. `hangs_on`: what decides whether it is in force.
    `acts`: whether it names the action asked about.
    """

    statement: Statement
    tests: tuple[Test, ...]
    speaks: Truth
    via: Via
    fixed: tuple[Glob, ...] | None
    hangs_on: str = ""
    acts: Truth = UNKNOWN


def rules(policy: Policy, caller: Caller, *, named: bool = False) -> tuple[Rule, ...]:
    """The statements of a policy that can speak of the caller at all.

    `named`: each must have a Principal, else none may. What is otherwise AWS refuses, and nobody knows what
    stands instead.
    """
    found = (_rule(policy, one, caller, named=named) for one in policy.statements)
    return tuple(rule for rule in found if rule.speaks is not FALSE)


def _rule(policy: Policy, statement: Statement, caller: Caller, *, named: bool) -> Rule:
    speaks, via, variables = truth(not named), Via.CALLER, policy.has_variables
    if bool(statement.principals) is not named:
        speaks = UNKNOWN
    elif statement.principals:
        speaks, via = speaks_of(statement.principals, statement.effect, caller)
    words = statement.resources.words if statement.resources else ()
    moving = variables and any(has_variables(word) for word in words)
    return Rule(
        statement,
        tuple(prepared(condition, variables=variables) for condition in statement.conditions),
        speaks,
        via,
        None if moving else tuple(plain(word, wild=True) for word in words),
        ", and ".join(filter(None, (policy.hangs_on, statement.hangs_on))),
    )


def acting(rule: Rule, action: str) -> Rule | None:
    """The rule for requests of one action; None if the statement certainly does not name it, in any case."""
    acts = names(rule.statement.actions, action)
    return None if acts is FALSE else replace(rule, acts=acts)


def names(actions: Element, action: str) -> Truth:
    """Whether an `Action` element names an action, whatever the case of its letters."""
    named = some(_names(word.parts, action.lower()) for word in actions.words)
    return ~named if actions.negated else named


@lru_cache(maxsize=16384)
def _names(parts: tuple[Part, ...], action: str) -> Truth:
    pattern = lowered(plain(Word(parts), wild=True))
    return FALSE if not pattern.matches(action) else UNKNOWN if pattern.has_holes else TRUE


def patterns(rule: Rule, request: Request) -> tuple[Glob, ...]:
    """The resource patterns of the statement in this request."""
    if rule.fixed is not None:
        return rule.fixed
    words = rule.statement.resources.words if rule.statement.resources else ()
    return tuple(understood(word, request, wild=True) for word in words)


class Claim(Struct, frozen=True):
    """A statement no element of which is certainly not met. `doubts`: of those that are not certainly met."""

    rule: Rule
    doubts: tuple[Doubt, ...]


def claim(rule: Rule, request: Request, matched: Matched) -> Claim | None:
    """What a statement has to say of one class of resources; most speak of others."""
    touches = _touches(rule, request, matched)
    if touches is FALSE:
        return None
    touched = touches, partial(_doubt_of_resource, rule, request, matched)
    elements = list(_elements(rule, request, touched))
    if any(answer is FALSE for answer, _ in elements):
        return None
    return Claim(rule, tuple(why() for answer, why in elements if answer is UNKNOWN))


def applies(one: Claim, case: Case) -> Truth:
    """Whether the statement applies: every element of it must be met."""
    return every(map(case.settled, one.doubts))


def doubts(one: Claim, case: Case) -> Iterator[Doubt]:
    """What keeps `applies` from an answer, given that it said unknown."""
    return (doubt for doubt in one.doubts if case.settled(doubt) is UNKNOWN)


_Element: TypeAlias = tuple[Truth, Callable[[], Doubt]]
"""The answer of one element of a statement, and how to tell its doubt."""


def _elements(rule: Rule, request: Request, resources: _Element) -> Iterator[_Element]:
    yield rule.acts, partial(_doubt_of_action, rule, request)
    yield rule.speaks, partial(_doubt_of_caller, rule)
    yield resources
    for test in rule.tests:
        yield holds(test, request), partial(doubt, test, request)
    if rule.hangs_on:
        yield UNKNOWN, partial(Doubt, "policy", rule.hangs_on)


def _touches(rule: Rule, request: Request, matched: Matched) -> Truth:
    element = rule.statement.resources
    if element is None:
        return UNKNOWN
    answer = FALSE
    for glob in patterns(rule, request):
        if matched(glob):
            answer = max(answer, UNKNOWN if glob.has_holes else TRUE)
    return ~answer if element.negated else answer


def _doubt_of_action(rule: Rule, request: Request) -> Doubt:
    words = " ".join(str(word) for word in rule.statement.actions.words)
    return Doubt("action", words, scope=request.action)


def _doubt_of_caller(rule: Rule) -> Doubt:
    named = rule.statement.principals.named if rule.statement.principals else ()
    names = " ".join(str(one.word) for one in named)
    return Doubt("principal", names or "a statement without Principal")


def _doubt_of_resource(rule: Rule, request: Request, matched: Matched) -> Doubt:
    for glob in patterns(rule, request):
        hole = next((piece for piece in glob.pieces if isinstance(piece, Hole)), None)
        if hole is not None and matched(glob):
            return Doubt(hole.kind, hole.symbol, f"Resource {glob}", scope(request))
    return Doubt("symbol", "Resource", "a statement without Resource", scope(request))
