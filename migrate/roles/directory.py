"""The roles, users and groups of one module, each with the policies that the module attaches to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias, get_args

from msgspec.structs import replace

from migrate import hcl
from migrate.iam.holder import Holder
from migrate.iam.managed import managed
from migrate.iam.policy import Policy
from migrate.model import Unknown
from migrate.roles.documents import Documents
from migrate.roles.module import Module, Resource, Written
from migrate.roles.who import Who, loose

_Kind: TypeAlias = Literal["role", "user", "group"]
_KINDS: Final[tuple[_Kind, ...]] = get_args(_Kind)
_REFERENCE: Final = re.compile(
    r"((?:data\.)?aws_iam_(?:role|user|group)\.[^\W\d][\w-]*)(?:\[[^\]]*\])?\.\w+", re.ASCII
)
_ONE_OF: Final = re.compile(r"(?P<address>aws_iam_\w+\.[\w-]+)\[(?P<at>(?!each\.|count\.)[^\]]*)\]", re.ASCII)
_ONE_OR_NONE: Final = re.compile(r"\?\s*(?:1\s*:\s*0|0\s*:\s*1)\s*\Z")


def holders(module: Module, documents: Documents) -> tuple[Holder, ...]:
    """Every holder the module makes or attaches something to; then the policies of which it does not say who
    holds them.
    """
    reading = _Reading(module, documents)
    for kind in _KINDS:
        reading.declared(kind)
        reading.attached(kind)
    reading.attached_to_several()
    reading.members()
    return tuple(who.holder() for who in (*reading.found.values(), *reading.loose()))


class _Reading:
    def __init__(self, module: Module, documents: Documents) -> None:
        self._module = module
        self._documents = documents
        self.found: dict[tuple[str, str], Who] = {}

    def declared(self, kind: _Kind) -> None:
        """Roles, users and groups with what stands in their own blocks."""
        for one, hangs_on in self._module.made(f"aws_iam_{kind}"):
            who = self._who(kind, one, one.address)
            who.hangs_on = hangs_on
            for inline in one.inner("inline_policy"):
                who.keep(self._of(inline.get("policy")), hangs_on)
            if any(made.block.labels == ("inline_policy",) for made in one.inner("dynamic")):
                who.keep(Unknown("dynamic inline_policy"))
            for item in self._listed(one.get("managed_policy_arns")):
                who.attach(self._by_arn(item), hangs_on)
            boundary = one.get("permissions_boundary")
            if boundary and self._module.scope.value(str(boundary)) not in (None, ""):
                who.bound(self._by_arn(boundary))

    def attached(self, kind: _Kind) -> None:
        """Policies of their own resources: inline ones, and attachments of managed ones."""
        for one, hangs_on in self._module.made(f"aws_iam_{kind}_policy"):
            holder = one.get(kind)
            among = self._among(holder, hangs_on)
            self._named(kind, one, holder).keep(self._of(one.get("policy")), among)
        for one, hangs_on in self._module.made(f"aws_iam_{kind}_policy_attachment"):
            holder = one.get(kind)
            among = self._among(holder, hangs_on)
            for policy in self._each(one, one.get("policy_arn")):
                self._named(kind, one, holder).attach(self._by_arn(policy), among)

    def attached_to_several(self) -> None:
        for one, hangs_on in self._module.made("aws_iam_policy_attachment"):
            policy = one.get("policy_arn")
            for kind in _KINDS:
                for item in self._listed(one.get(f"{kind}s")) if policy else ():
                    self._named(kind, one, item).attach(self._by_arn(policy) if policy else (), hangs_on)

    def members(self) -> None:
        """What groups hold, their users hold."""
        for one, _ in self._module.made("aws_iam_group_membership", "aws_iam_user_group_membership"):
            users = self._listed(one.get("users") or one.get("user"))
            groups = self._listed(one.get("group") or one.get("groups"))
            for user in (self._named("user", one, item) for item in users):
                for item in groups:
                    user.join(self._named("group", one, item))

    def loose(self) -> Iterator[Who]:
        return loose(
            replace(one, policy=self._documents.filled(one.policy)) for one in self._documents.unused()
        )

    def _of(self, policy: Written | None) -> tuple[Policy, ...] | Unknown:
        return self._documents.of(policy) if policy else ()

    def _among(self, holder: Written | None, hangs_on: str) -> str:
        """What else it hangs on where an argument names one of several holders that a block makes."""
        found = _ONE_OF.match(str(holder)) if holder else None
        if found is None or (found["at"] == "0" and self._is_one(found["address"])):
            return hangs_on
        return f"being {found[0]}" + (f", and {hangs_on}" if hangs_on else "")

    def _is_one(self, address: str) -> bool:
        """Whether `count` makes one of a block, or none."""
        block = self._module.resources.get(address)
        count = block.get("count") if block else None
        return count is None or str(count).strip() == "1" or _ONE_OR_NONE.search(str(count)) is not None

    def _named(self, kind: _Kind, one: Resource, at: Written | None) -> Who:
        """The holder that an argument names; of one from elsewhere the rest is not known."""
        expression = str(at) if at else ""
        found = _REFERENCE.fullmatch(expression)
        address = found[1] if found else ""
        if (kind, address) in self.found:
            return self.found[kind, address]
        name = self._module.scope.text(expression)
        known = next((who for who in self.found.values() if (who.kind, who.name) == (kind, name)), None)
        if known:
            return known
        who = self._who(kind, one, address or expression, name or expression)
        if not who.hidden:
            who.hidden.append("it is made elsewhere, with whatever else it holds")
        return who

    def _who(self, kind: _Kind, one: Resource, key: str, name: str | None = None) -> Who:
        if (kind, key) not in self.found:
            written = self._module.scope.text(f"{one.address}.name") if name is None else name
            self.found[kind, key] = Who(kind, written or one.address, one.place)
        return self.found[kind, key]

    def _by_arn(self, at: Written) -> tuple[Policy, ...] | Unknown:
        """A managed policy: of this module, or of AWS's own."""
        found = self._documents.of(at)
        arn = self._module.scope.text(str(at))
        own = managed(arn) if arn else None
        if own:
            return (own,)
        return Unknown(arn) if arn and isinstance(found, Unknown) else found

    def _listed(self, at: Written | None) -> Iterable[Written]:
        if at is None:
            return ()
        return map(at.of, at.value.items) if isinstance(at.value, hcl.List) else (at,)

    def _each(self, one: Resource, at: Written | None) -> Iterable[Written]:
        """An argument; of `each.value` every value that `for_each` gives."""
        if at is None:
            return ()
        many = one.get("for_each")
        if many is None or str(at) not in ("each.value", "each.key"):
            return (at,)
        match many.value:
            case hcl.Call("toset", (hcl.List(items),)):
                return map(many.of, items)
            case hcl.Object(items) if str(at) == "each.value":
                return (many.of(item.value) for item in items)
            case _:
                return (at,)
