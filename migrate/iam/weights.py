"""What each layer says of one request, and what follows from all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from migrate.iam.doubt import Doubt
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Statement
from migrate.iam.principals import Via
from migrate.iam.request import Caller
from migrate.iam.statements import Case, Claim, applies, doubts, scope
from migrate.iam.truth import FALSE, TRUE, UNKNOWN, Truth, every, some, truth

RESOURCES: Final = (Kind.BUCKET, Kind.KEY, Kind.TABLE)
LIMITS: Final = (Kind.SCP, Kind.RCP, Kind.ENDPOINT, Kind.BOUNDARY, Kind.SESSION)
NAMING: Final = (*RESOURCES, Kind.RCP, Kind.ENDPOINT)
"""Layers whose statements must say by a Principal whom they mean."""
_CERTAIN: Final = (Kind.BOUNDARY, Kind.SESSION)
"""Limits that are there for certain where anything tells of them: the others may not be in use."""


class Weight(Struct, frozen=True):
    """What one layer says; `allows` is by the name through which it means the caller."""

    layer: Layer
    allows: Mapping[Via, Truth]
    denies: Truth
    allower: Statement | None
    denier: Statement | None
    doubtful: tuple[Claim, ...]

    @property
    def says(self) -> Truth:
        return some(self.allows.values())


def weighed(layer: Layer, claims: Sequence[Claim], case: Case) -> Weight:
    """Ask every statement of a layer that has a say."""
    allows: dict[Via, Truth] = {}
    allower = denier = None
    denies = case.settled(_deny_doubt(layer, case)) if layer.may_deny else FALSE
    doubtful = []
    for one in claims:
        rule, met = one.rule, applies(one, case)
        if met is UNKNOWN:
            doubtful.append(one)
        if rule.statement.effect == "Deny":
            denies = max(denies, met)
            denier = denier or (rule.statement if met is TRUE else None)
        else:
            allows[rule.via] = max(allows.get(rule.via, FALSE), met)
            allower = allower or (rule.statement if met is TRUE else None)
    return Weight(layer, allows, denies, allower, denier, tuple(doubtful))


def of(weights: Sequence[Weight], *kinds: Kind) -> Iterator[Weight]:
    return (weight for weight in weights if weight.layer.kind in kinds)


def limited(weight: Weight, case: Case) -> Truth:
    """What a limiting layer lets through.

    A boundary or a session policy that is not wholly visible may limit; any other such layer may not be in
    use at all: it lets all through, and is named.
    """
    if weight.layer.unseen and weight.layer.kind not in _CERTAIN:
        return TRUE
    return _grants(weight, case)


def granted(weights: Sequence[Weight], caller: Caller, case: Case) -> Truth:
    """Whether all layers together grant the request, explicit denials apart."""
    outer = every(limited(weight, case) for weight in of(weights, Kind.SCP, Kind.RCP, Kind.ENDPOINT))
    match same_account(caller, case):
        case Truth.TRUE:
            return min(outer, _in_one_account(weights, caller, case))
        case Truth.FALSE:
            return min(outer, _across_accounts(weights, case))
        case Truth.UNKNOWN:
            here, abroad = _in_one_account(weights, caller, case), _across_accounts(weights, case)
            return min(outer, here if here is abroad else UNKNOWN)


def same_account(caller: Caller, case: Case) -> Truth:
    """Whether caller and resource are of one account; `account` is the doubt where nobody knows."""
    owner = case.request.owner
    if caller.account and owner:
        return truth(caller.account == owner)
    return case.settled(account_doubt())


def account_doubt() -> Doubt:
    return Doubt("account", "whether caller and bucket are of one account")


def layer_doubt(layer: Layer, case: Case) -> Doubt:
    return Doubt("layer", layer.kind.value, layer.unseen, scope(case.request))


def _deny_doubt(layer: Layer, case: Case) -> Doubt:
    """Another doubt than whether what is not visible allows: it may do either."""
    return Doubt("layer", layer.kind.value, layer.may_deny, f"a Deny of {scope(case.request)}")


def all_doubts(weights: Sequence[Weight], caller: Caller, case: Case) -> Iterator[Doubt]:
    """What an unknown answer can hang on."""
    if same_account(caller, case) is UNKNOWN:
        yield account_doubt()
    for weight in weights:
        open_to_allow = weight.says is not TRUE or weight.layer.kind in RESOURCES
        for one in weight.doubtful:
            if open_to_allow or one.rule.statement.effect == "Deny":
                yield from doubts(one, case)
        counts = weight.layer.unseen and weight.layer.kind in (*_CERTAIN, Kind.IDENTITY, *RESOURCES)
        if weight.layer.may_deny and weight.denies is UNKNOWN:
            yield _deny_doubt(weight.layer, case)
        elif counts and open_to_allow and _hidden(weight, case) is UNKNOWN:
            yield layer_doubt(weight.layer, case)


def _in_one_account(weights: Sequence[Weight], caller: Caller, case: Case) -> Truth:
    """Identity or resource.

    A grant of the resource needs the leave of boundary and session policy only where it names the role: one
    to the session, to everyone, or to a user is given past them. A key's policy must hand over to the
    account before identity policies count at all.
    """
    inner = _inner(weights, case)
    own = min(_own(weights, case), inner)
    resource = next(of(weights, *RESOURCES), None)
    if resource is None:
        return own
    allows = _by_name(resource, case)
    if resource.layer.kind is Kind.KEY:
        own = min(own, allows[Via.ACCOUNT])
    bound = {} if caller.is_user else {Via.CALLER: inner}
    named = (min(met, bound.get(via, TRUE)) for via, met in allows.items() if via is not Via.ACCOUNT)
    return max(own, some(named))


def _across_accounts(weights: Sequence[Weight], case: Case) -> Truth:
    """Identity and resource, each in its own account."""
    resource = some(_grants(weight, case) for weight in of(weights, *RESOURCES))
    return every((_own(weights, case), _inner(weights, case), resource))


def _own(weights: Sequence[Weight], case: Case) -> Truth:
    return some(_grants(weight, case) for weight in of(weights, Kind.IDENTITY))


def _inner(weights: Sequence[Weight], case: Case) -> Truth:
    return every(limited(weight, case) for weight in of(weights, *_CERTAIN))


def _grants(weight: Weight, case: Case) -> Truth:
    """What a layer lets through; what of it is not visible may do so too."""
    return max(weight.says, _hidden(weight, case))


def _hidden(weight: Weight, case: Case) -> Truth:
    """Whether what is not visible of a layer lets through."""
    if not weight.layer.unseen:
        return FALSE
    return case.settled(layer_doubt(weight.layer, case))


def _by_name(weight: Weight, case: Case) -> Mapping[Via, Truth]:
    """What a layer says of each name; what of it is not visible may speak of any."""
    hidden = _hidden(weight, case)
    return {via: max(weight.allows.get(via, FALSE), hidden) for via in Via}
