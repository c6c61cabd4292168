"""The policies of buckets that source sets.

Where the name of a bucket is an expression, its policy may be that of each bucket with such a name: it is
taken for a state's where something written says so, as the expressions of other policies are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.iam.bases import STATE_BUCKET
from migrate.iam.conditions import holds, prepared
from migrate.iam.glob import Glob, Hole, Wild, exact, join
from migrate.iam.policy import Policy, Statement, Word
from migrate.iam.request import Request
from migrate.iam.statements import names
from migrate.iam.target import TRIO
from migrate.iam.truth import FALSE
from migrate.iam.variables import plain
from migrate.model import Place, Unknown
from migrate.roles.documents import Documents
from migrate.roles.module import Module, Written
from migrate.spelling import written as spelt
from migrate.spelling.hcl_words import parts_of

_TYPES: Final = ("aws_s3_bucket_policy", "aws_s3_bucket")
_REFERENCE: Final = re.compile(r"(aws_s3_bucket\.[^\W\d][\w-]*)(?:\[[^\]]*\])?\.(?:id|bucket)", re.ASCII)
_ANY: Final = Glob((Wild.ANY,))
_OBJECTS: Final = ("s3:", "*")
_BY_TLS: Final = Request("", Glob(()), context={"aws:securetransport": ("true",)})
_WORD: Final = re.compile(r"[^\W_]")


class Guard(Struct, frozen=True):
    """The policy of a bucket whose name is one that `bucket` means.

    `unseen` says why it is not known, where it is not. `called`: the names that source has for it.
    """

    bucket: Glob
    place: Place
    policies: tuple[Policy, ...] = ()
    unseen: str = ""
    called: str = ""

    def may_be_of(self, bucket: str) -> bool:
        """Whether it may be the policy of a state's bucket, and something written says so: a part of the
        name, what source calls it, or a resource that it speaks of.
        """
        words = (piece for piece in self.bucket.pieces if isinstance(piece, str))
        told = any(map(_WORD.search, words)) or STATE_BUCKET.search(self.called)
        return self.bucket.matches(bucket) and (bool(told) or self._speaks_of(bucket))

    def _speaks_of(self, bucket: str) -> bool:
        elements = (one.resources for policy in self.policies for one in policy.statements)
        words = [word for one in elements if one for word in one.words]
        holes = (part.symbol for word in words for part in word.parts if isinstance(part, Hole))
        return any(f":::{bucket}" in str(word) for word in words) or any(map(STATE_BUCKET.search, holes))

    @property
    def may_refuse(self) -> bool:
        """Whether it may keep somebody from a lock whose policies grant it."""
        if self.unseen or any(flaw.denies for policy in self.policies for flaw in policy.flaws):
            return True
        return any(_may_refuse(one) for policy in self.policies for one in policy.statements)

    @property
    def names_bucket(self) -> bool:
        return self.bucket.literal is not None


def guards(module: Module, documents: Documents) -> Iterator[Guard]:
    """The policies that a module sets for buckets."""
    for block, hangs_on in module.made(*_TYPES):
        for one in block.instances() if block.get("policy") else ():
            bucket = one.get("bucket")
            name = _name(module, bucket) if bucket else _ANY
            called = f"{one.address} {bucket}"
            yield guard(Guard(name, one.place, called=called), documents.set_by(one), hangs_on)


def guard(whose: Guard, found: tuple[Policy, ...] | Unknown, hangs_on: str = "") -> Guard:
    """The guard with the policies that were found, made where what it hangs on makes it."""
    if isinstance(found, Unknown):
        return replace(whose, unseen=f"{found.why} is not followed")
    return replace(whose, policies=tuple(replace(policy, hangs_on=hangs_on) for policy in found))


def unplaced(written: Iterable[spelt.Written]) -> Iterator[Guard]:
    """Policies of which nobody says whose they are, and that speak of objects: each may be a bucket's."""
    for one in written:
        naming = [statement for statement in one.policy.statements if statement.principals]
        words = (str(word).lower() for statement in naming for word in statement.actions.words)
        if any(word.startswith(_OBJECTS) for word in words):
            policy = replace(one.policy, name=f"{one.path}:{one.line}")
            yield Guard(_ANY, one.place, (policy,), called=one.name)


def _may_refuse(one: Statement) -> bool:
    """A Deny of a lock's actions; not one of requests without TLS alone, which no backend sends."""
    met = (holds(prepared(test, variables=False), _BY_TLS) for test in one.conditions)
    acts = (names(one.actions, action) for action in TRIO)
    return one.effect == "Deny" and any(act is not FALSE for act in acts) and FALSE not in met


def _name(module: Module, at: Written) -> Glob:
    """What a bucket may be called, as far as its name is written."""
    found = _REFERENCE.fullmatch(str(at))
    own = module.resources.get(found[1]) if found else None
    if own is None:
        return _pattern(module, at)
    named, start = own.get("bucket"), own.get("bucket_prefix")
    if named:
        return _pattern(module, named)
    return join((*_pattern(module, start).pieces, Wild.ANY)) if start else _ANY


def _pattern(module: Module, at: Written) -> Glob:
    text = module.scope.text(str(at))
    return exact(text) if text else plain(Word(parts_of(at.text, at.value)), wild=False).widest
