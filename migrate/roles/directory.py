"""The roles, users and groups of one module, each with the policies that the module attaches to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, get_args

from msgspec import Struct
from msgspec.structs import replace

from migrate import hcl
from migrate.iam.holder import Holder
from migrate.iam.managed import managed
from migrate.iam.policy import Policy
from migrate.model import Unknown
from migrate.roles.documents import Documents
from migrate.roles.module import Module, Resource, Written
from migrate.roles.named import Kind, Named
from migrate.roles.who import Held, Who, loose

_KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_MEMBERSHIPS: Final = (
    ("aws_iam_group_membership", "users", "group"),
    ("aws_iam_user_group_membership", "user", "groups"),
)
"""Each type with its arguments for users and for groups."""


def holders(module: Module, documents: Documents) -> tuple[Holder, ...]:
    """Every holder the module makes or attaches something to; then the policies of which it does not say who
    holds them.
    """
    reading = _Reading(module, documents)
    for kind in _KINDS:
        reading.declared(kind)
        reading.listed(kind)
        reading.attached(kind)
    reading.attached_to_several()
    reading.given_away()
    reading.members()
    return tuple(who.holder() for who in (*reading.holders(), *reading.loose()))


class _List(Struct, frozen=True):
    """All policies of one sort that a holder may have, as expressions and as what they come to."""

    address: str
    texts: frozenset[str]


class _Reading:
    def __init__(self, module: Module, documents: Documents) -> None:
        self._module = module
        self._documents = documents
        self._named = Named(module)
        self._lists: dict[tuple[str, str, str], _List] = {}

    def declared(self, kind: Kind) -> None:
        """Roles, users and groups with what stands in their own blocks."""
        for one, hangs_on in self._module.made(f"aws_iam_{kind}"):
            who = self._named.made(kind, one)
            who.hangs_on = hangs_on
            for inline in one.inner("inline_policy"):
                who.keep(self._documents.set_by(inline), hangs_on)
            if any(made.block.labels == ("inline_policy",) for made in one.inner("dynamic")):
                who.keep(Unknown("dynamic inline_policy"))
            for item in self._items(one.get("managed_policy_arns")):
                who.attach(self._by_arn(item), hangs_on)
            boundary = one.get("permissions_boundary")
            if one.ignores("permissions_boundary"):
                who.bound(Unknown(f"{one.address}.permissions_boundary under ignore_changes"))
            elif boundary and self._module.scope.value(str(boundary)) not in (None, ""):
                who.bound(self._by_arn(boundary))

    def listed(self, kind: Kind) -> None:
        """Lists of all that a holder may have: of managed policies they attach those that they name."""
        for one, hangs_on in self._module.made(f"aws_iam_{kind}_policies_exclusive"):
            for who, _ in self._held(kind, one, f"{kind}_name", hangs_on):
                self._lists[who.kind, who.name, "inline"] = self._list(one, "policy_names")
        for one, hangs_on in self._module.made(f"aws_iam_{kind}_policy_attachments_exclusive"):
            for who, among in self._held(kind, one, f"{kind}_name", hangs_on):
                self._lists[who.kind, who.name, "attached"] = self._list(one, "policy_arns")
                for item in self._items(one.get("policy_arns")):
                    who.attach(self._by_arn(item), among)

    def attached(self, kind: Kind) -> None:
        """Policies of their own resources: inline ones, and attachments of managed ones."""
        for one, hangs_on in self._each(f"aws_iam_{kind}_policy"):
            names = (f"{one.address}.name", str(one.get("name")))
            for who, among in self._held(kind, one, kind, hangs_on):
                who.keep(self._documents.set_by(one), self._left_out(who, "inline", *names) or among)
        for one, hangs_on in self._each(f"aws_iam_{kind}_policy_attachment"):
            policy = one.get("policy_arn")
            for who, among in self._held(kind, one, kind, hangs_on):
                left_out = self._left_out(who, "attached", str(policy))
                who.attach(self._by_arn(policy), left_out or among)

    def attached_to_several(self) -> None:
        for one, hangs_on in self._each("aws_iam_policy_attachment"):
            for kind in _KINDS:
                for who, among in self._held(kind, one, f"{kind}s", hangs_on):
                    who.attach(self._by_arn(one.get("policy_arn")), among)

    def given_away(self) -> None:
        """What a module attaches to a holder that it is given is not followed."""
        for who, call in self._named.given_away():
            who.keep(Unknown(f"{call}, which is given its name,"))

    def members(self) -> None:
        """What groups hold, their users hold."""
        for type_, users, groups in _MEMBERSHIPS:
            for one, hangs_on in self._each(type_):
                for user, among in self._held("user", one, users, hangs_on):
                    for group, of_both in self._held("group", one, groups, among):
                        user.join(group, of_both)

    def holders(self) -> Iterable[Who]:
        return self._named.found.values()

    def loose(self) -> Iterator[Who]:
        return loose(
            replace(one, policy=self._documents.filled(one.policy)) for one in self._documents.unused()
        )

    def _each(self, type_: str) -> Iterator[tuple[Resource, str]]:
        """Each instance of the blocks of a type, with what it hangs on that it is made."""
        for block, hangs_on in self._module.made(type_):
            yield from ((one, hangs_on) for one in block.instances())

    def _held(self, kind: Kind, one: Resource, name: str, hangs_on: str) -> Iterator[Held]:
        """Those whom an argument names."""
        for item in self._items(one.get(name)):
            yield from self._named.held(kind, one, item, hangs_on)

    def _list(self, one: Resource, name: str) -> _List:
        items = {str(item) for item in self._items(one.get(name))}
        meant = {text for item in items if (text := self._module.scope.text(item))}
        return _List(one.address, frozenset(items | meant))

    def _left_out(self, who: Who, sort: str, *names: str) -> str:
        """The list of all that a holder may have which does not name a policy, in words; empty: none."""
        only = self._lists.get((who.kind, who.name, sort))
        told = {text for name in names for text in (name, self._module.scope.text(name))}
        return "" if only is None or told & only.texts else f"{only.address}, which does not list {names[0]}"

    def _by_arn(self, at: Written | None) -> tuple[Policy, ...] | Unknown:
        """A managed policy: of this module, or of AWS's own."""
        if at is None:
            return ()
        found = self._documents.of(at)
        arn = self._module.scope.text(str(at))
        own = managed(arn) if arn else None
        if own:
            return (own,)
        return Unknown(arn) if arn and isinstance(found, Unknown) else found

    def _items(self, at: Written | None) -> Iterable[Written]:
        if at is None:
            return ()
        return map(at.of, at.value.items) if isinstance(at.value, hcl.List) else (at,)
