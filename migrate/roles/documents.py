"""What a `policy` argument is set to → the policies it means, or why that is not known."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from migrate import hcl
from migrate.evaluation.evaluate import Data
from migrate.iam.policy import Flaw, Policy, Statement
from migrate.model import Unknown
from migrate.roles.fill import Look, filled
from migrate.roles.module import CODE, Module, Resource, Written
from migrate.spelling import written as spelt

_INDEX: Final = r"(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\]|\.\*)?"
_NAME: Final = r"[^\W\d][\w-]*"
_DOCUMENT: Final = re.compile(
    rf"(data\.aws_iam_policy_document\.{_NAME}){_INDEX}\.(?:json|minified_json)", re.ASCII
)
_POLICY: Final = re.compile(rf"(aws_iam_policy\.{_NAME}){_INDEX}\.(?:policy|arn|id)", re.ASCII)
_LOCAL: Final = re.compile(rf"local\.({_NAME})", re.ASCII)
_BELOW: Final = ("source_policy_documents", "source_json")
_ABOVE: Final = ("override_policy_documents", "override_json")
_DEEPEST: Final = 10


class Documents(Struct):
    """The policies that were found in a repository, followed from the arguments of one module.

    `used` are those that an argument led to, by file and name.
    """

    module: Module
    written: Mapping[PurePosixPath, Sequence[spelt.Written]]
    used: set[tuple[PurePosixPath, str]] = field(default_factory=set)

    def set_by(self, one: Resource, depth: int = 0) -> tuple[Policy, ...] | Unknown:
        """The policies that a resource sets; what one is by now whose changes are ignored, nobody knows."""
        at = one.get("policy")
        found = self.of(at, depth) if at else ()
        return Unknown(f"{one.address}.policy under ignore_changes") if one.ignores("policy") else found

    def of(self, at: Written, depth: int = 0) -> tuple[Policy, ...] | Unknown:
        """The policies an argument means."""
        expression = str(at)
        if depth > _DEEPEST:
            return Unknown(expression)
        match at.value:
            case hcl.Object() | hcl.Heredoc():
                return self._inside(at) or Unknown(_short(expression))
            case hcl.Call("jsonencode" | "one", (inner,)) | hcl.Call("join", (hcl.Literal(""), inner)):
                found = self.of(at.of(inner), depth + 1)
                return Unknown(_short(expression)) if isinstance(found, Unknown) else found
            case hcl.Call("file" | "templatefile" as name, (path, *more)):
                variables = more[0] if name == "templatefile" and more else None
                return self._file(at, path, variables)
            case _:
                return self._referred(expression, depth)

    def _referred(self, expression: str, depth: int) -> tuple[Policy, ...] | Unknown:
        """The policies of what an expression names."""
        if found := _DOCUMENT.fullmatch(expression):
            return self._document(found[1], depth)
        if (found := _POLICY.fullmatch(expression)) and found[1] in self.module.resources:
            return self.set_by(self.module.resources[found[1]], depth + 1) or Unknown(expression)
        if (found := _LOCAL.fullmatch(expression)) and found[1] in self.module.locals:
            return self.of(self.module.locals[found[1]], depth + 1)
        return Unknown(_short(expression))

    def unused(self) -> Iterator[spelt.Written]:
        """The policies of the module's own files that no argument led to."""
        for path, found in sorted(self.written.items()):
            if path.parent == self.module.folder and path.suffix in CODE:
                yield from (one for one in found if not self._is_used(one))

    def _is_used(self, one: spelt.Written) -> bool:
        """Whether an argument led to it, or it stands in a block of which nothing is made."""
        names = one.name.split(".")
        block = self.module.resources.get(".".join(names[: 3 if names[0] == "data" else 2]))
        return (one.path, one.name) in self.used or (
            block is not None and self.module.hangs_on(block) is None
        )

    def filled(self, policy: Policy) -> Policy:
        return filled(policy, self.module.scope.value)

    def _inside(self, at: Written) -> tuple[Policy, ...]:
        within = [one for one in self.written.get(at.path, ()) if at.value.span.contains(one.span)]
        return self._named(within, self.module.scope.value)

    def _named(self, found: Iterable[spelt.Written], look: Look) -> tuple[Policy, ...]:
        policies = []
        for one in found:
            self.used.add((one.path, one.name))
            policies.append(replace(filled(one.policy, look), name=f"{one.path}:{one.line}"))
        return tuple(policies)

    def _file(
        self, at: Written, path: hcl.Value, variables: hcl.Value | None
    ) -> tuple[Policy, ...] | Unknown:
        """A policy in a file of its own; of a template with what the call fills in."""
        named = self.module.scope.text(str(at.of(path)))
        inside = PurePosixPath(posixpath.normpath(named)) if named else PurePosixPath()
        found = self._named(self.written.get(inside, ()), self._filling(at, variables))
        return found or Unknown(_short(str(at)))

    def _filling(self, at: Written, variables: hcl.Value | None) -> Look:
        items = variables.items if isinstance(variables, hcl.Object) else ()
        given = {str(item.name): str(at.of(item.value)) for item in items}

        def look(name: str) -> Data | Unknown:
            return self.module.scope.value(given[name]) if name in given else Unknown(name)

        return look

    def _document(self, address: str, depth: int) -> tuple[Policy, ...] | Unknown:
        """A document with those it is made of: a statement of the same Sid takes the place of an earlier."""
        resource = self.module.resources.get(address)
        path = resource.place.path if resource else PurePosixPath()
        own = self._named((one for one in self.written.get(path, ()) if one.name == address), self._look)
        if resource is None or not own:
            return Unknown(address)
        below, above = (tuple(self._parts(resource, names, depth)) for names in (_BELOW, _ABOVE))
        parts = [*below, *own, *above]
        statements = {_key(policy, one): one for policy in parts for one in policy.statements}
        flaws = [flaw for policy in parts for flaw in policy.flaws]
        flaws += _replacing((*(own if below else ()), *above))
        return (replace(own[0], statements=tuple(statements.values()), flaws=tuple(flaws)),)

    def _look(self, expression: str) -> Data | Unknown:
        return self.module.scope.value(expression)

    def _parts(self, resource: Resource, names: tuple[str, ...], depth: int) -> Iterator[Policy]:
        """The documents that another is made of; one that is not known is a flaw."""
        for argument in filter(None, map(resource.get, names)):
            items = argument.value.items if isinstance(argument.value, hcl.List) else (argument.value,)
            for item in map(argument.of, items):
                found = self.of(item, depth + 1)
                if isinstance(found, Unknown):
                    flaw = Flaw(f"{found.why} is not followed", str(resource.place), denies=False)
                    yield Policy((), flaws=(flaw,))
                else:
                    yield from found


def _replacing(policies: Iterable[Policy]) -> Iterator[Flaw]:
    """Statements that may take the place of one below them, since an expression makes their Sid."""
    for one in (one for policy in policies for one in policy.statements if "${" in one.sid):
        why = f"its Sid {one.sid} may be that of a statement which it then replaces"
        yield Flaw(why, one.where, denies=False)


def _key(policy: Policy, one: Statement) -> object:
    return one.sid or (policy.name, one.span)


def _short(expression: str) -> str:
    """An expression for people: the first line of it."""
    first, *more = expression.split("\n")
    return f"{first.strip()} …" if more else first
