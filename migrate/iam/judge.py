"""What all policies together answer: allowed, denied, or unknown because of exactly this.

The order is AWS's: a Deny anywhere decides; else every layer that limits the caller must allow, and a
policy of the caller or of the resource must grant. In one account one of the two is enough, across accounts
both are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from migrate.iam.doubt import Doubt
from migrate.iam.glob import Glob
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Statement
from migrate.iam.profiles import TooWideError, profiles
from migrate.iam.request import Caller, Request
from migrate.iam.statements import Assumed, Case, Claim, Matched, Rule, acting, claim, patterns, rules
from migrate.iam.truth import FALSE, TRUE, UNKNOWN
from migrate.iam.weights import (
    LIMITS,
    NAMING,
    RESOURCES,
    Weight,
    account_doubt,
    all_doubts,
    granted,
    limited,
    of,
    weighed,
)

Asked: TypeAlias = tuple[tuple[Layer, tuple[Rule, ...]], ...]
Claims: TypeAlias = tuple[tuple[Layer, tuple[Claim, ...]], ...]
Matching: TypeAlias = frozenset[Glob]
"""The patterns that match one class of resources."""


class Answer(Enum):
    ALLOWED = "allowed"
    DENIED = "denied"
    PARTLY = "partly"
    """Of a request for many resources: allowed for some of them, denied for others."""
    UNKNOWN = "unknown"


class Decision(Struct, frozen=True):
    """The answer to one request and what decided it.

    `statement` allowed it, or denied it explicitly (then no further Allow can help); None where nothing
    allows it: `layer` says where. `doubts` are what an unknown answer hangs on. `unseen` names the layers
    that are not wholly visible and could still turn an answer that is not unknown.
    """

    answer: Answer
    layer: str = ""
    statement: Statement | None = None
    doubts: tuple[Doubt, ...] = ()
    unseen: tuple[str, ...] = ()


class Hearing(Struct, frozen=True):
    """One request before a judge: how each class of the resources that it means is decided."""

    request: Request
    classes: Sequence[Callable[[Assumed | None], Decision]]

    def decide(self, assumed: Assumed | None = None) -> Decision:
        """The answer; `assumed` answers doubts, to see what would follow."""
        found = _joined([decide(assumed) for decide in self.classes])
        if found.answer is not Answer.PARTLY or not self.request.resource.has_holes:
            return found
        one = Doubt("symbol", str(self.request.resource))  # which of them it is, nobody knows
        return Decision(Answer.UNKNOWN, doubts=(one,))


class Judge:
    """All that has a say about one caller, ready to be asked many times."""

    def __init__(self, caller: Caller, layers: Iterable[Layer]) -> None:
        self._caller = caller
        self._layers = tuple(
            (replace(layer, unseen=layer.hidden), _of_all(layer, caller)) for layer in layers
        )
        self._by_action: dict[str, Asked] = {}
        self._alone: dict[str, tuple[Glob, ...] | None] = {}
        self._decided: dict[tuple[str, str | None, bool | None, Matching], Decision] = {}

    def decide(self, request: Request, assumed: Assumed | None = None) -> Decision:
        """The answer to a request; `assumed` answers doubts, to see what would follow."""
        return self.hear(request).decide(assumed)

    def hear(self, request: Request) -> Hearing:
        """What is to be weighed of a request, in as many worlds as somebody asks about."""
        asked = self._asked(request.action)
        deciding = self._alone[request.action]
        try:
            if deciding is not None:
                classes = profiles(request.resource.widest, deciding)
                return Hearing(request, [partial(self._remembered, asked, request, one) for one in classes])
            claims = [_claims(asked, request, one) for one in _classes(request, asked)]
            return Hearing(request, [partial(self._one, one, request) for one in claims])
        except TooWideError:
            return Hearing(request, [partial(_tangled, request)])

    def _remembered(
        self, asked: Asked, request: Request, matching: Matching, assumed: Assumed | None
    ) -> Decision:
        """The answer for one class, the same for every resource of it: thousands of states are of a few."""
        one_account = assumed(account_doubt()) if assumed else None
        key = (request.action, request.owner, one_account, matching)
        if key not in self._decided:
            claims = _claims(asked, request, partial(_is_in, matching))
            self._decided[key] = self._one(claims, request, assumed)
        return self._decided[key]

    def _asked(self, action: str) -> Asked:
        """The layers that are asked about an action, each with the statements that name it."""
        if action not in self._by_action:
            self._by_action[action] = tuple(
                (layer, tuple(filter(None, (acting(rule, action) for rule in found))))
                for layer, found in self._layers
                if layer.concerns(action)
            )
            self._alone[action] = _alone(self._by_action[action])
        return self._by_action[action]

    def _one(self, claims: Claims, request: Request, assumed: Assumed | None) -> Decision:
        case = Case(request, assumed)
        weights = [weighed(layer, found, case) for layer, found in claims]
        denied = next((weight for weight in weights if weight.denies is TRUE), None)
        if denied:
            return Decision(Answer.DENIED, denied.layer.kind.value, denied.denier)
        grants = granted(weights, self._caller, case)
        if grants is FALSE:
            return _nothing_allows(weights, case)
        if grants is UNKNOWN or any(weight.denies is UNKNOWN for weight in weights):
            found = dict.fromkeys(all_doubts(weights, self._caller, case))
            return Decision(Answer.UNKNOWN, doubts=tuple(found))
        return _allowed(weights)


def _of_all(layer: Layer, caller: Caller) -> tuple[Rule, ...]:
    named = layer.kind in NAMING
    return tuple(rule for policy in layer.policies for rule in rules(policy, caller, named=named))


def _alone(asked: Asked) -> tuple[Glob, ...] | None:
    """The patterns of all statements, where nothing but which of them match makes an answer."""
    if any(layer.unseen for layer, _ in asked) or not all(
        _is_plain(rule) for _, found in asked for rule in found
    ):
        return None
    return tuple(dict.fromkeys(glob for _, found in asked for rule in found for glob in rule.fixed or ()))


def _is_plain(rule: Rule) -> bool:
    """Whether nothing but the resource decides if the statement applies, and that for certain."""
    fixed = rule.fixed is not None and rule.statement.resources is not None
    sure = rule.acts is TRUE and rule.speaks is TRUE and not (rule.tests or rule.hangs_on)
    return fixed and sure and not any(glob.has_holes for glob in rule.fixed or ())


def _classes(request: Request, asked: Asked) -> list[Matched]:
    """For each class of the resources that are asked about, which patterns match it."""
    text = request.resource.literal
    if text is not None:
        return [lambda glob: glob.matches(text)]
    globs = (glob for _, found in asked for rule in found for glob in patterns(rule, request))
    union = tuple(dict.fromkeys(glob.widest for glob in globs))
    return [partial(_is_in, profile) for profile in profiles(request.resource.widest, union)]


def _claims(asked: Asked, request: Request, matched: Matched) -> Claims:
    """What every layer has to say of one class of resources."""
    return tuple(
        (layer, tuple(filter(None, (claim(rule, request, matched) for rule in found))))
        for layer, found in asked
    )


def _tangled(request: Request, _: Assumed | None) -> Decision:
    return Decision(Answer.UNKNOWN, doubts=(Doubt("tangle", str(request.resource)),))


def _is_in(profile: Matching, glob: Glob) -> bool:
    return glob.widest in profile


def _nothing_allows(weights: Sequence[Weight], case: Case) -> Decision:
    """Denied because no statement allows it: the first layer that is the reason."""
    for weight in of(weights, *LIMITS):
        if limited(weight, case) is FALSE:
            return Decision(Answer.DENIED, weight.layer.kind.value)
    own = any(weight.says is not FALSE for weight in of(weights, Kind.IDENTITY))
    resource = next((weight.layer.kind for weight in of(weights, *RESOURCES)), Kind.BUCKET)
    return Decision(Answer.DENIED, (resource if own else Kind.IDENTITY).value)


def _allowed(weights: Sequence[Weight]) -> Decision:
    granting = next((weight for weight in of(weights, Kind.IDENTITY, *RESOURCES) if weight.allower), None)
    unseen = tuple(dict.fromkeys(weight.layer.kind.value for weight in weights if weight.layer.unseen))
    if granting is None:  # only an assumption grants it
        return Decision(Answer.ALLOWED, unseen=unseen)
    return Decision(Answer.ALLOWED, granting.layer.kind.value, granting.allower, unseen=unseen)


def _joined(decisions: Sequence[Decision]) -> Decision:
    """One decision for all classes: what they agree on, else partly where all are certain."""
    answers = {decision.answer for decision in decisions}
    if len(answers) == 1 and Answer.UNKNOWN not in answers:
        return decisions[0]
    if Answer.UNKNOWN not in answers:
        denied = next(decision for decision in decisions if decision.answer is Answer.DENIED)
        return replace(denied, answer=Answer.PARTLY)
    found = dict.fromkeys(doubt for decision in decisions for doubt in decision.doubts)
    return Decision(Answer.UNKNOWN, doubts=tuple(found))
