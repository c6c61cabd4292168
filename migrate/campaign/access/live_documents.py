"""Live documents with a lock grant added, and a view of accounts in which they stand."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from migrate.campaign.access.accounts import View
from migrate.compose import compose
from migrate.iam.adding import adds_locks_only
from migrate.iam.holder import Holder, Surroundings
from migrate.iam.kept import Inline, Keeper, Kept, OfBucket, Owner, kept
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Policy
from migrate.iam.quota import DEFAULT, KEPT
from migrate.iam.target import Grant, lock_patterns
from migrate.model import Place, Refusal, RepoId, Source, Suggestion
from migrate.spelling import written
from migrate.spelling.json_text import JsonText
from migrate.spelling.written import Written
from migrate.text import Conflict, Span

_OWN: Final = "TerraformStateLockFile"
_LIVE: Final = RepoId("live")
_SHORTER: Final = "take a wider --lock-scope, which needs fewer patterns"


def granted(one: Kept, grant: Grant) -> Kept | Refusal | None:
    """The document with the least grant added; None where it grants none of these states."""
    source = Source(_LIVE, PurePosixPath(str(one.keeper)), one.text)
    found = Written(source.repo, source.path, "", "", one.policy, one.policy.span, 1, kind=KEPT)
    edits = written.edit(source, found, grant, JsonText(one.text, Span(0, len(one.text))))
    if isinstance(edits, Refusal):
        return edits
    if isinstance(edits, Suggestion) or not edits:
        return None
    text = compose(one.text, edits[source.path])
    after = kept(one.keeper, one.text if isinstance(text, Conflict) else text)
    if not adds_locks_only(one.policy, after.policy):
        why = "the document would not come out as it was with locks added"
        return Refusal(_place(one), why, "grant the lock by hand")
    return after


def new_policy(holder: Holder, grant: Grant) -> Kept:
    """An inline policy of its own that grants the locks by their keys, under a name that is free."""
    patterns = (
        pattern
        for target in grant.targets
        if target.address
        for pattern in lock_patterns(target.address, grant.scope, workspaces=target.workspaces)
    )
    actions = dict.fromkeys(action for target in grant.targets for action in target.actions)
    resources = list(dict.fromkeys(patterns))
    statement = {"Sid": _OWN, "Effect": "Allow", "Action": list(actions), "Resource": resources}
    document = {"Version": "2012-10-17", "Statement": [statement]}
    owner: Owner = "user" if holder.kind == "user" else "role"
    taken = {policy.name for layer in holder.layers for policy in layer.policies}
    keeper = Inline(owner, holder.caller.arn.rpartition("/")[2], _OWN)
    if str(keeper) in taken:
        digest = sha256(" ".join(resources).encode()).hexdigest()[:6]
        keeper = replace(keeper, name=f"{_OWN}{digest}")
    return kept(keeper, document)


def replaced(view: View, holder: Holder, changed: Iterable[Kept]) -> View:
    """The view with these documents in place of those of their names; a new one is the holder's."""
    for one in changed:
        if isinstance(one.keeper, OfBucket):
            near = view.buckets[one.keeper.bucket]
            view = replace(view, buckets={**view.buckets, one.keeper.bucket: _of_bucket(near, one)})
        else:
            view = _of_account(view, holder, one)
    return view


def _of_bucket(near: Surroundings, one: Kept) -> Surroundings:
    layers = (replace(a, policies=(one.policy,)) if a.kind is Kind.BUCKET else a for a in near.layers)
    return replace(near, layers=tuple(layers), document=one)


def _of_account(view: View, holder: Holder, one: Kept) -> View:
    account, name = holder.caller.account, str(one.keeper)
    documents = view.documents.get(account, {})

    def with_it(other: Holder) -> Holder:
        if other.caller.account != account:
            return other
        adds = name not in documents and other.caller == holder.caller
        return replace(other, layers=tuple(_swapped(each, one.policy, adds=adds) for each in other.layers))

    return replace(
        view,
        holders=tuple(map(with_it, view.holders)),
        documents={**view.documents, account: {**documents, name: one}},
    )


def _swapped(layer: Layer, policy: Policy, *, adds: bool) -> Layer:
    """A layer with a policy in place of that of its name, or beside the others where it `adds` one."""
    policies = tuple(policy if one.name == policy.name else one for one in layer.policies)
    return replace(layer, policies=(*policies, policy) if adds and layer.kind is Kind.IDENTITY else policies)


def too_big(one: Kept, view: View, holder: Holder) -> Refusal | None:
    """Why AWS would not take a document as it stands in a view."""
    account = holder.caller.account
    others, quotas = view.documents.get(account, {}).values(), view.quotas.get(account, DEFAULT)
    why = quotas.excess(one, [other for other in others if _same_owner(one.keeper, other.keeper)])
    beside_it = quotas.beside(holder.kind, holder.attached)
    return Refusal(_place(one), why, f"{_SHORTER}, or {beside_it}") if why else None


def _same_owner(one: Keeper, other: Keeper) -> bool:
    return (
        isinstance(one, Inline)
        and isinstance(other, Inline)
        and (one.owner, one.owner_name) == (other.owner, other.owner_name)
    )


def beside(holder: Holder, why: str, remedy: str) -> Refusal:
    """A Refusal that is about a holder and no document of theirs."""
    return Refusal(Place(_LIVE, PurePosixPath(str(holder)), 1), why, remedy)


def _place(one: Kept) -> Place:
    return Place(_LIVE, PurePosixPath(str(one.keeper)), 1)
