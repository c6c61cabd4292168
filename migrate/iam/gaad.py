"""What `iam:GetAccountAuthorizationDetails` answers: an account's roles and users, with all their policies.

What is attached to a holder and not in the answer makes its layer not wholly visible; it is never left out
unsaid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from msgspec import Struct

from migrate.iam.holder import Holder
from migrate.iam.kept import Inline, Kept, Managed, Owner, kept
from migrate.iam.layers import Kind, Layer
from migrate.iam.quota import DEFAULT, Quotas, quotas
from migrate.iam.request import Caller

Tree = Mapping[str, object]

_SUMMARY: Final = "SummaryMap"
_LISTS: Final = ("UserDetailList", "GroupDetailList", "RoleDetailList", "Policies")
_OWNERS: Final[Mapping[str, Owner]] = {"RoleDetailList": "role", "UserDetailList": "user"}
_CUT: Final = "ends in the middle: more roles and policies were not saved; save it without --max-items"
_HELD: Final = "which its roles and users hold: save it without --filter"
_NOBODY: Final = "has no roles and no users, and every account has: save it without --filter"
_SHOWN: Final = 3
_INNER: Final = (
    *_LISTS,
    *("RolePolicyList", "UserPolicyList", "GroupPolicyList"),
    *("AttachedManagedPolicies", "GroupList", "PolicyVersionList"),
)


class Account(Struct, frozen=True):
    """One account's holders, and its documents by the names that their layers give them.

    `number` is empty where nothing tells it. `flaws` say what of the answer is missing or is not as AWS
    gives it. `quotas` are AWS's defaults where no answer of `iam:GetAccountSummary` is among the pages.
    """

    number: str
    holders: tuple[Holder, ...]
    documents: Mapping[str, Kept]
    flaws: tuple[str, ...] = ()
    quotas: Quotas = DEFAULT


def read_account(pages: Sequence[object], name: str) -> Account | str:
    """All pages of one answer as JSON trees; why not, where they are none. `name` is for people.

    One page whose answer goes on is read for what it has, and its end is a flaw.
    """
    mappings = [page for page in pages if isinstance(page, Mapping)]
    trees = [page for page in mappings if _SUMMARY not in page]
    summaries = [one for page in mappings if isinstance(one := page.get(_SUMMARY), Mapping)]
    if not any(one in tree for tree in trees for one in _LISTS):
        return f"{name}: this is no answer of aws iam get-account-authorization-details"
    answer = _Answer({name: [one for tree in trees for one in _trees(tree, name)] for name in _LISTS})
    holders = tuple(answer.holders())
    return Account(
        number=next((one.caller.account for one in holders if one.caller.account), ""),
        holders=holders,
        documents={str(one.keeper): one for one in answer.documents.values()},
        flaws=tuple(f"{name} {flaw}" for flaw in _flaws(trees, holders, tuple(answer.missing))),
        quotas=quotas(summaries[0]) if summaries else DEFAULT,
    )


def _flaws(trees: Sequence[Tree], holders: Sequence[Holder], missing: Sequence[str]) -> Iterator[str]:
    strange = next(_strange(trees), None)
    if strange:
        yield f"has {strange} not as AWS gives it: save it once more"
    if trees[-1].get("IsTruncated") is True or trees[-1].get("NextToken") is not None:
        yield _CUT
    elif not holders:
        yield _NOBODY
    elif missing:
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        yield f"does not have {', '.join(missing[:_SHOWN])}{more}, {_HELD}"


def _strange(trees: Iterable[Tree]) -> Iterator[str]:
    """Each member of another type than AWS gives it: what it would say is not known."""
    for tree in trees:
        yield from (name for name, one in tree.items() if name in _INNER and not isinstance(one, list))
        boundary = tree.get("PermissionsBoundary")
        if boundary is not None and not isinstance(boundary, Mapping):
            yield "PermissionsBoundary"
        yield from _strange(detail for name in _LISTS for detail in _trees(tree, name))


class _Answer:
    def __init__(self, lists: Mapping[str, Sequence[Tree]]) -> None:
        self._lists = lists
        self._managed = {_text(one, "Arn"): _managed(one) for one in lists["Policies"]}
        self._groups = {_text(one, "GroupName"): one for one in lists["GroupDetailList"]}
        self.missing: dict[str, None] = {}
        self.documents: dict[str, Kept] = {str(one.keeper): one for one in self._managed.values()}

    def holders(self) -> Iterator[Holder]:
        for name, owner in _OWNERS.items():
            for detail in self._lists[name]:
                yield self._holder(owner, detail)

    def _holder(self, owner: Owner, detail: Tree) -> Holder:
        own = [*self._inline(owner, detail), *self._attached(detail)]
        for group in _texts(detail, "GroupList"):
            known = self._groups.get(group)
            if known:
                own += [*self._inline("group", known), *self._attached(known)]
            else:
                own.append(self._missed(f"group {group}"))
        layers = [_layer(Kind.IDENTITY, own), *self._boundary(detail)]
        name = _text(detail, f"{owner.title()}Name")
        attached = len(_trees(detail, "AttachedManagedPolicies"))
        return Holder(owner, name, Caller(_text(detail, "Arn")), tuple(layers), "seen", attached=attached)

    def _boundary(self, detail: Tree) -> Iterator[Layer]:
        boundary = detail.get("PermissionsBoundary")
        if boundary is not None:
            arn = _text(boundary, "PermissionsBoundaryArn") if isinstance(boundary, Mapping) else ""
            yield _layer(Kind.BOUNDARY, [self._of_arn(arn)])

    def _inline(self, owner: Owner, detail: Tree) -> Iterator[Kept]:
        for one in _trees(detail, f"{owner.title()}PolicyList"):
            keeper = Inline(owner, _text(detail, f"{owner.title()}Name"), _text(one, "PolicyName"))
            yield self._keep(kept(keeper, one.get("PolicyDocument")))

    def _attached(self, detail: Tree) -> Iterator[Kept | str]:
        for one in _trees(detail, "AttachedManagedPolicies"):
            yield self._of_arn(_text(one, "PolicyArn"))

    def _of_arn(self, arn: str) -> Kept | str:
        return self._managed.get(arn) or self._missed(f"policy {arn}")

    def _missed(self, what: str) -> str:
        self.missing[what] = None
        return what

    def _keep(self, one: Kept) -> Kept:
        return self.documents.setdefault(str(one.keeper), one)


def _layer(kind: Kind, found: Sequence[Kept | str]) -> Layer:
    missing = [one for one in found if isinstance(one, str)]
    unseen = f"the answer does not have {', '.join(missing)}" if missing else ""
    return Layer(kind, tuple(one.policy for one in found if isinstance(one, Kept)), unseen)


def _managed(detail: Tree) -> Kept:
    """A managed policy in the version that counts."""
    versions = _trees(detail, "PolicyVersionList")
    current = _text(detail, "DefaultVersionId")
    document = next((one.get("Document") for one in versions if _text(one, "VersionId") == current), None)
    names = tuple(_text(one, "VersionId") for one in versions)
    return kept(Managed(_text(detail, "Arn"), current, names), document)


def _trees(tree: Tree, name: str) -> list[Tree]:
    found = tree.get(name)
    return [cast("Tree", one) for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _texts(tree: Tree, name: str) -> list[str]:
    found = tree.get(name)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _text(tree: Tree, name: str) -> str:
    found = tree.get(name)
    return found if isinstance(found, str) else ""
