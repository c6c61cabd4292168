"""What AWS lets a policy hold, and its holder. White space does not count, but in a bucket's policy.

Some of it is AWS's default, which it raises for an account that asks, and never lowers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from migrate.iam.glob import Hole
from migrate.iam.kept import Inline, Keeper, Kept, Managed, OfBucket, Other, Owner
from migrate.iam.policy import Element, Policy, Principals, Statement, Word

_MANAGED: Final = 6_144
_VERSIONS: Final = 5
_BUCKET: Final = 20_480
_INLINE: Final[Mapping[Owner, int]] = {"role": 10_240, "user": 2_048, "group": 5_120}
_ATTACHED: Final[Mapping[str, int]] = {"role": 10, "user": 10, "group": 10}


class Quotas(Struct, frozen=True):
    """Those of one account.

    `managed`: characters of a managed policy; `versions` of it, the current one among them. `inline`:
    characters of all inline policies of one owner together; `attached`: its managed policies.
    """

    managed: int
    versions: int
    inline: Mapping[Owner, int]
    attached: Mapping[str, int]

    def beside(self, kind: str, attached: int) -> str:
        """What to do about a grant that its holder's own policies have no room for."""
        most = self.attached.get(kind, 0)
        if attached < most:
            return f"grant the lock in a managed policy, attached to the same {kind}"
        return f"{attached} managed policies are attached, of {most}: join two of them, or ask AWS for more"

    def excess(self, one: Kept, inline: Iterable[Kept] = ()) -> str:
        """By how much a document is too long, in words; empty where it fits. `inline`: all of its owner's."""
        size, most = self._size(one.keeper, one, inline)
        return f"it would have {size:,} characters of {most:,}" if size > most else ""

    def _size(self, keeper: Keeper, one: Kept, inline: Iterable[Kept]) -> tuple[int, int]:
        match keeper:
            case Managed():
                return _dense(one), self.managed
            case OfBucket():
                return len(one.text.encode()), _BUCKET
            case Inline(owner=owner):
                return sum(map(_dense, inline)), self.inline[owner]
            case Other():
                return 0, 0


def quotas(summary: Mapping[str, object]) -> Quotas:
    """Those of the account whose `iam:GetAccountSummary` says this; AWS's default where it says nothing."""

    def told(name: str, default: int) -> int:
        found = summary.get(f"{name}Quota")
        return found if isinstance(found, int) else default

    return Quotas(
        managed=told("PolicySize", _MANAGED),
        versions=told("VersionsPerPolicy", _VERSIONS),
        inline={owner: told(f"{owner.title()}PolicySize", most) for owner, most in _INLINE.items()},
        attached={
            owner: told(f"AttachedPoliciesPer{owner.title()}", most) for owner, most in _ATTACHED.items()
        },
    )


def _dense(one: Kept) -> int:
    return len("".join(one.text.split()))


DEFAULT: Final = quotas({})


KEPT: Final = "kept"
"""The kind of a document as AWS keeps it, which the quotas of its account measure."""

_IN_SOURCE: Final[Mapping[str, int]] = {
    "aws_iam_policy": _MANAGED,
    "aws_iam_role_policy": _INLINE["role"],
    "aws_iam_role": _INLINE["role"],
    "aws_iam_user_policy": _INLINE["user"],
    "aws_iam_group_policy": _INLINE["group"],
    "AWS::IAM::ManagedPolicy": _MANAGED,
    "AWS::IAM::Role": _INLINE["role"],
    "AWS::IAM::User": _INLINE["user"],
    "AWS::IAM::Group": _INLINE["group"],
}


def source_excess(kind: str, policy: Policy) -> str:
    """As `excess`, of a policy in source: `kind` is that of the resource it stands in.

    What its expressions come to does not count, so a policy that is refused is too long whatever they are.
    Where the resource is not known the widest limit there is holds; for what AWS keeps none does.
    """
    if kind == KEPT:
        return ""
    named = any(one.principals for one in policy.statements)
    most = _IN_SOURCE.get(kind, _BUCKET if named else _INLINE["role"])
    size = _shortest(policy)
    return f"it would have {size:,} characters of {most:,}" if size > most else ""


def inline_excess(owner: Owner, policies: Iterable[Policy]) -> str:
    """As `source_excess`, of all inline policies of one holder together."""
    size, most = sum(map(_shortest, policies)), _INLINE[owner]
    return f"its inline policies would have {size:,} characters together of {most:,}" if size > most else ""


def _shortest(policy: Policy) -> int:
    """The length of the shortest JSON that says the same."""
    return len(json.dumps([_plain(one) for one in policy.statements], separators=(",", ":"))) + len(_AROUND)


_AROUND: Final = '{"Version":"2012-10-17","Statement":}'


def _plain(one: Statement) -> dict[str, object]:
    """A statement as the shortest JSON has it."""
    conditions: dict[str, dict[str, object]] = {}
    for test in one.conditions:
        conditions.setdefault(test.operator, {})[test.key] = _texts(test.values)
    found = {
        "Sid": one.sid,
        "Effect": one.effect,
        **(_principals(one.principals) if one.principals else {}),
        **_element("Action", one.actions),
        **(_element("Resource", one.resources) if one.resources else {}),
        "Condition": conditions,
    }
    return {name: value for name, value in found.items() if value}


def _principals(principals: Principals) -> dict[str, object]:
    by_kind: dict[str, list[Word]] = {}
    for named in principals.named:
        by_kind.setdefault(named.kind, []).append(named.word)
    return {"NotPrincipal" if principals.negated else "Principal": {k: _texts(v) for k, v in by_kind.items()}}


def _element(name: str, element: Element) -> dict[str, object]:
    return {f"Not{name}" if element.negated else name: _texts(element.words)}


def _texts(words: Iterable[Word]) -> object:
    texts = [_text(word) for word in words]
    return texts[0] if len(texts) == 1 else texts


def _text(word: Word) -> str:
    return "".join(part for part in word.parts if not isinstance(part, Hole))
