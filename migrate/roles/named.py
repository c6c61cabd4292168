"""Whom an argument such as `role` means: one that the module makes, one from elsewhere, or any of several."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from migrate.roles.module import Module, Resource, Written
from migrate.roles.who import Held, Who, both

Kind: TypeAlias = Literal["role", "user", "group"]

_ADDRESS: Final = re.compile(r"\b(?:data\.)?aws_iam_(?:role|user|group)\.[^\W\d][\w-]*", re.ASCII)
_REFERENCE: Final = re.compile(rf"({_ADDRESS.pattern})(?:\[[^\]]*\])?\.\w+", re.ASCII)
_WRAPPED: Final = re.compile(r'"\$\{\s*([^{}]*?)\s*\}"')  # as Terraform up to 0.11 had every expression
_LOCAL: Final = re.compile(r"\blocal\.([^\W\d][\w-]*)", re.ASCII)
_ITS_OWN: Final = re.compile(r"\b(?:each|count)\.")  # means something else in every block
_ONE_OF: Final = re.compile(r"(?P<address>aws_iam_\w+\.[\w-]+)\[(?P<at>(?!each\.|count\.)[^\]]*)\]", re.ASCII)
_ONE_OR_NONE: Final = re.compile(r"\?\s*(?:1\s*:\s*0|0\s*:\s*1)\s*\Z")


class Named:
    """The holders of one module by their addresses, or by what names them where they are from elsewhere."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self.found: dict[tuple[Kind, str], Who] = {}

    def made(self, kind: Kind, one: Resource) -> Who:
        """The holder that a block makes."""
        return self._who(kind, one, one.address, self._module.scope.text(f"{one.address}.name"))

    def given_away(self) -> Iterator[tuple[Who, str]]:
        """Whom a module is given by name, which may attach more to them, and that module."""
        for call, text in self._module.calls.items():
            for kind, address in self.found:
                if re.search(rf"\b{re.escape(address)}(?:\[[^\]]*\])?\.(?:name|id)\b", text):
                    yield self.found[kind, address], call

    def held(self, kind: Kind, one: Resource, at: Written, hangs_on: str) -> Iterator[Held]:
        """Whom an argument means: an expression which nobody follows may mean each of whom it speaks."""
        wrapped = _WRAPPED.fullmatch(str(at))
        expression = wrapped[1] if wrapped else str(at)
        known = self._known(kind, expression)
        spoken = [] if known else self._spoken(kind, one, expression)
        for who in spoken:
            here = f" in {one.address}" if _ITS_OWN.search(expression) else ""
            yield who, both(f"{expression}{here} being {who.name}", hangs_on)
        if not spoken:
            yield known or self._elsewhere(kind, one, expression), self._among(expression, hangs_on)

    def _known(self, kind: Kind, expression: str) -> Who | None:
        """The holder of this module that an expression means."""
        found = _REFERENCE.fullmatch(expression)
        if found and (kind, found[1]) in self.found:
            return self.found[kind, found[1]]
        name = self._module.scope.text(expression)
        return next((who for who in self.found.values() if (who.kind, who.name) == (kind, name)), None)

    def _spoken(self, kind: Kind, one: Resource, expression: str) -> list[Who]:
        """The holders of this module that an expression speaks of, or what it is made of."""
        texts, told = [expression], set[str]()
        texts += [str(one.get("for_each"))] if "each." in expression else []
        for text in texts:
            names = set(_LOCAL.findall(text)) & self._module.locals.keys() - told
            texts += (str(self._module.locals[name]) for name in sorted(names))
            told |= names
        addresses = {address for text in texts for address in _ADDRESS.findall(text)}
        return [self.found[kind, address] for address in sorted(addresses) if (kind, address) in self.found]

    def _elsewhere(self, kind: Kind, one: Resource, expression: str) -> Who:
        """A holder that is made elsewhere, of which the rest is not known."""
        found = _REFERENCE.fullmatch(expression)
        name = self._module.scope.text(expression)
        who = self._who(kind, one, found[1] if found else expression, name or expression)
        who.made = False
        return who

    def _among(self, expression: str, hangs_on: str) -> str:
        """What else it hangs on where an argument names one of several holders that a block makes."""
        found = _ONE_OF.match(expression)
        if found is None or (found["at"] == "0" and self._is_one(found["address"])):
            return hangs_on
        return both(f"being {found[0]}", hangs_on)

    def _is_one(self, address: str) -> bool:
        """Whether `count` makes one of a block, or none."""
        block = self._module.resources.get(address)
        count = block.get("count") if block else None
        return count is None or str(count).strip() == "1" or _ONE_OR_NONE.search(str(count)) is not None

    def _who(self, kind: Kind, one: Resource, key: str, name: str | None) -> Who:
        if (kind, key) not in self.found:
            self.found[kind, key] = Who(kind, name or one.address, one.place)
        return self.found[kind, key]
