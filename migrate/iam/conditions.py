"""Whether the conditions of a statement hold in a request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from migrate.iam.doubt import Doubt
from migrate.iam.glob import Glob, Hole
from migrate.iam.operators import Have, Operator, operator
from migrate.iam.policy import Condition
from migrate.iam.request import Absence, Request, Value
from migrate.iam.truth import TRUE, UNKNOWN, Truth, every, some, truth
from migrate.iam.variables import has_variables, names, plain, understood

# Keys of the client and the session are the same in every request of one run; these tell of the one request.
_OF_THE_REQUEST: Final = ("s3:", "kms:", "dynamodb:", "aws:resourcetag/", "aws:requesttag/", "aws:tagkeys")
_OF_THE_CLIENT: Final = ("s3:tlsversion", "s3:authtype", "s3:signatureversion")


class Test(Struct, frozen=True):
    """One condition, ready to be asked many times; no `operator`: `Null`, or one that is not IAM's."""

    condition: Condition
    operator: Operator | None
    key: str
    fixed: tuple[Glob, ...] | None
    """The patterns of the policy's values; None where variables stand in them."""


def prepared(condition: Condition, *, variables: bool) -> Test:
    """The condition as a test; `variables` says whether `${…}` means something in its policy."""
    known = operator(condition.operator)
    wild = known is not None and known.wild
    moving = variables and any(has_variables(word) for word in condition.values)
    fixed = None if moving else tuple(plain(word, wild=wild) for word in condition.values)
    return Test(condition, known, condition.key.lower(), fixed)


def holds(test: Test, request: Request) -> Truth:
    """Whether the condition holds in this request; unknown where the key, a value or the operator is."""
    value = request.value(test.key)
    if test.operator is None:
        return _null(test, value)
    match value:
        case Absence.UNKNOWN:
            return UNKNOWN
        case Absence.MISSING | ():
            return _of_missing(test.operator)
        case Glob():
            return _of_present(test.operator, (value,), _wanted(test, request))
        case _:
            return _of_present(test.operator, value, _wanted(test, request))


def doubt(test: Test, request: Request) -> Doubt:
    """What keeps `holds` from an answer, given that it said unknown."""
    condition = test.condition
    written = f"{condition.operator} {condition.key} {' '.join(str(word) for word in condition.values)}"
    keys = (test.key, *_variables(condition))
    scope = f"{request.action} {request.resource}" if any(map(_is_of_the_request, keys)) else ""
    if request.value(test.key) is Absence.UNKNOWN:
        return Doubt("key", condition.key, written, scope)
    holes = (piece for want in _wanted(test, request) for piece in want.pieces if isinstance(piece, Hole))
    hole = next(holes, None)
    if hole is not None:
        return Doubt(hole.kind, hole.symbol, written, scope)
    return Doubt("operator", condition.operator, written, scope)


def _wanted(test: Test, request: Request) -> tuple[Glob, ...]:
    if test.fixed is not None:
        return test.fixed
    wild = test.operator is not None and test.operator.wild
    return tuple(understood(word, request, wild=wild) for word in test.condition.values)


def _null(test: Test, value: Value) -> Truth:
    """`Null`: "true" wants the key missing, "false" wants it there. Other operators here are not IAM's."""
    if test.condition.operator.lower() != "null" or value is Absence.UNKNOWN:
        return UNKNOWN
    missing = value in (Absence.MISSING, ())
    answers = {"true": truth(missing), "false": truth(not missing)}
    return some(answers.get(str(word).lower(), UNKNOWN) for word in test.condition.values)


def _of_missing(asked: Operator) -> Truth:
    if asked.if_exists or asked.quantifier == "all":
        return TRUE
    return truth(asked.negated and asked.quantifier != "any")


def _of_present(asked: Operator, values: tuple[Have, ...], wanted: tuple[Glob, ...]) -> Truth:
    answers = tuple(_of_one(asked, have, wanted) for have in values)
    match asked.quantifier:
        case "all":
            return every(answers)
        case "any":
            return some(answers)
        case "":  # several values want a quantifier; without one AWS does not say how they are taken
            return answers[0] if len(set(answers)) == 1 else UNKNOWN


def _of_one(asked: Operator, have: Have, wanted: tuple[Glob, ...]) -> Truth:
    matched = some(asked.test(have, want) for want in wanted)
    return ~matched if asked.negated else matched


def _variables(condition: Condition) -> Iterator[str]:
    """The keys whose values a condition compares with."""
    return (name.lower() for word in condition.values for name in names(word))


def _is_of_the_request(key: str) -> bool:
    return key.startswith(_OF_THE_REQUEST) and key not in _OF_THE_CLIENT
