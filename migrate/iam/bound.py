"""Policies of source with their expressions taken for one state's bucket and table, where something says so.

Without that no verdict could be had of most policies that people write. What was taken so is told beside the
verdict; partition, region and account of an ARN that fits otherwise need no telling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.iam.bases import bases
from migrate.iam.glob import Glob, Hole
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Element, Part, Policy, Statement, Word
from migrate.iam.profiles import overlap
from migrate.iam.target import Grant, Target
from migrate.iam.variables import plain

_LOCK_TABLE: Final = re.compile(r"(?i)lock")


class Fill(Struct, frozen=True):
    """What expressions stand for: states of one fill are spoken of in the same words."""

    bucket: str
    table: str
    symbols: frozenset[str]
    """Those that are taken for the bucket."""

    def layers(self, layers: Iterable[Layer]) -> tuple[Layer, ...]:
        """The layers with what is known written in."""
        return tuple(_layer(layer, self.word) for layer in layers)

    def assumed(self, word: Word) -> list[str]:
        """The expressions of a word that are taken for the bucket."""
        return (
            [] if self._as_bucket(word) is None else [hole.symbol for hole in _behind_colons(_cut(word)[0])]
        )

    def word(self, word: Word) -> Word:
        """The word with the expressions in its bucket's or table's place filled."""
        if not any(isinstance(part, Hole) for part in word.parts):
            return word
        return self._as_bucket(word) or self._as_table(word) or word

    def _as_bucket(self, word: Word) -> Word | None:
        head, tail = _cut(word)
        naming = _behind_colons(head)
        texts = _texts(head, self.bucket) if self.bucket and tail else None
        if texts is None or any(hole.symbol not in self.symbols for hole in naming):
            return None
        return Word(("".join(texts) + str(tail[0]), *tail[1:]), word.span)

    def _as_table(self, word: Word) -> Word | None:
        named = "dynamodb" in str(word) and ("table/" in str(word) or _LOCK_TABLE.search(str(word)))
        texts = _texts(word.parts, self.table) if self.table and named else None
        return None if texts is None else Word(("".join(texts),), word.span)


class Bound(Struct, frozen=True):
    """`assumed`: the expressions that were taken for the bucket. `speaks`: a policy grants the state."""

    fill: Fill
    assumed: tuple[str, ...]
    speaks: bool


def bound(layers: Sequence[Layer], target: Target, table: Glob | None) -> Bound:
    """How the layers speak of one state."""
    own = [policy for layer in layers if layer.kind is Kind.IDENTITY for policy in layer.policies]
    granting = Policy(tuple(one for policy in own for one in policy.statements))
    found = bases(granting, target, Grant((target,), tables=tuple(_named(granting, table))))
    symbols = frozenset(symbol for base in found for symbol in base.assumed)
    fill = Fill(target.address.bucket_arn if target.address else "", str(table or ""), symbols)
    words = (
        word for policy in own for one in policy.statements if one.resources for word in one.resources.words
    )
    assumed = dict.fromkeys(symbol for word in words for symbol in fill.assumed(word))
    return Bound(fill, tuple(assumed), bool(found))


def _named(policy: Policy, table: Glob | None) -> Iterator[str]:
    """The lock table's name, where the policy itself writes it: an expression could mean any table."""
    name = str(table or "").rpartition("/")[2]
    for one in policy.statements:
        for word in one.resources.words if one.resources else ():
            meant = plain(word, wild=True)
            if table and (meant.ends(f"/{name}") or (not meant.has_holes and overlap(table, (meant,)))):
                yield name
                return


def _layer(layer: Layer, fill: Callable[[Word], Word]) -> Layer:
    return replace(layer, policies=tuple(_policy(policy, fill) for policy in layer.policies))


def _policy(policy: Policy, fill: Callable[[Word], Word]) -> Policy:
    return replace(policy, statements=tuple(_statement(one, fill) for one in policy.statements))


def _statement(one: Statement, fill: Callable[[Word], Word]) -> Statement:
    if one.resources is None:
        return one
    return replace(one, resources=Element(tuple(map(fill, one.resources.words)), one.resources.negated))


def _cut(word: Word) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The parts up to the slash behind the bucket, and the rest; the rest begins with text."""
    for at, part in enumerate(word.parts):
        if isinstance(part, str) and "/" in part:
            head, slash, rest = part.partition("/")
            return (*word.parts[:at], head), (slash + rest, *word.parts[at + 1 :])
    return word.parts, ()


def _behind_colons(head: Sequence[Part]) -> list[Hole]:
    """The expressions in place of the bucket: all, or those behind `:::`."""
    found: list[Hole] = []
    for part in head:
        if isinstance(part, Hole):
            found.append(part)
        elif ":::" in part:
            found = []
    return found


def _texts(parts: Sequence[Part], whole: str) -> list[str] | None:
    """What the parts come to where together they mean `whole`; wild cards stay as they are written."""
    spelt = (
        "(.*?)" if isinstance(part, Hole) else re.escape(part).replace(r"\*", ".*").replace(r"\?", ".")
        for part in parts
    )
    found = re.fullmatch("".join(spelt), whole)
    if found is None:
        return None
    values = iter(found.groups())
    return [next(values) if isinstance(part, Hole) else part for part in parts]
