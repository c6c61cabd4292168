"""What names come to in one module: variables, locals, and those attributes of resources that names give.

An attribute that AWS makes up is not known; of an ARN that is all but account and region, which stand as `*`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.evaluation import opentofu
from migrate.evaluation.evaluate import Data, Made, evaluated
from migrate.model import Unknown

_DEEPEST: Final = 30
_NAMED: Final = {
    "aws_s3_bucket": "bucket",
    "aws_dynamodb_table": "name",
    "aws_iam_role": "name",
    "aws_iam_user": "name",
    "aws_iam_group": "name",
    "aws_iam_policy": "name",
    "data.aws_s3_bucket": "bucket",
    "data.aws_dynamodb_table": "name",
    "data.aws_iam_role": "name",
    "data.aws_iam_user": "user_name",
}
"""The argument that names a resource; its `id` and `name` are the same."""

_ARNS: Final = {
    "aws_s3_bucket": "arn:aws:s3:::{}",
    "aws_dynamodb_table": "arn:aws:dynamodb:*:*:table/{}",
    "aws_iam_role": "arn:aws:iam:::role/{}",
    "aws_iam_user": "arn:aws:iam:::user/{}",
}

Attributes = Mapping[str, str]
"""Name → expression as it is written."""


class Scope(Struct, frozen=True):
    """`resources`: address (`aws_s3_bucket.state`, `data.aws_s3_bucket.state`) → what is written of it."""

    here: opentofu.Directory
    resources: Mapping[str, Attributes]
    folder: str = "."
    depth: int = 0

    def look(self, name: str, /) -> Data | Unknown:
        match name:
            case "var":
                return _Names(self, self.here.variables, "var.")
            case "local":
                return _Names(self, self.here.locals, "local.")
            case "path":
                return Made({"module": self.folder})
            case "data":
                return _Data(self)
            case _:
                return _Type(self, name)

    def call(self, name: str, arguments: tuple[Data, ...], /) -> Data | Unknown:
        match name, arguments:
            case "toset" | "tolist", (tuple(items),):
                return items
            case "length", (tuple(items),):
                return str(len(items))
            case _:
                return Unknown(f"{name}()")

    def value(self, expression: str) -> Data | Unknown:
        """What an expression comes to; a chain of names that goes round does not end in an error."""
        if self.depth > _DEEPEST:
            return Unknown(expression)
        return evaluated(expression, replace(self, depth=self.depth + 1))

    def text(self, expression: str | None) -> str | None:
        """The text an expression comes to, if it does."""
        found = self.value(expression) if expression else None
        return found if isinstance(found, str) else None


class _Names(Struct, frozen=True):
    scope: Scope
    expressions: Mapping[str, str]
    start: str

    def look(self, name: str, /) -> Data | Unknown:
        expression = self.expressions.get(name)
        return Unknown(f"{self.start}{name}") if expression is None else self.scope.value(expression)


class _Data(Struct, frozen=True):
    scope: Scope

    def look(self, name: str, /) -> Data | Unknown:
        return _Type(self.scope, f"data.{name}")


class _Type(Struct, frozen=True):
    scope: Scope
    type: str

    def look(self, name: str, /) -> Data | Unknown:
        address = f"{self.type}.{name}"
        written = self.scope.resources.get(address)
        return Unknown(address) if written is None else _Resource(self.scope, self.type, address, written)


class _Resource(Struct, frozen=True):
    """A resource, or any of those that `count` or `for_each` makes of it: all are written alike."""

    scope: Scope
    type: str
    address: str
    written: Attributes

    def look(self, name: str, /) -> Data | Unknown:
        if name.isdecimal():
            return self
        naming = _NAMED.get(self.type, "")
        own = self.scope.text(self.written.get(naming))
        if own is not None and name in ("id", "name", naming):
            return own
        arn = _ARNS.get(self.type.removeprefix("data."))
        return arn.format(own) if arn and own is not None and name == "arn" else self._unknown(name)

    def _unknown(self, name: str) -> Unknown:
        return Unknown(f"{self.address}.{name}")
