"""Whether policies can speak of a state at all: asked of every holder and state, so it must cost little.

What passes here is looked at closely by `bases`; what does not pass would not pass there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from migrate.iam.address import Address
from migrate.iam.bases import LOCK_TABLE, STATE_BUCKET
from migrate.iam.glob import Hole
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Statement, Word
from migrate.iam.statements import names
from migrate.iam.truth import FALSE

_OBJECTS: Final = ("s3:PutObject", "s3:GetObject")
_VARIABLE: Final = re.compile(r"\$\{[^{}]*\}")
_ITEMS: Final = ("dynamodb:PutItem",)


class Speaker(Struct, frozen=True):
    """What one holder's policies may say of states. `vague`: something of them is not known."""

    patterns: tuple[re.Pattern[str], ...]
    symbols: tuple[tuple[str, str], ...]
    """Of patterns whose bucket is an expression: that, and the text at the end."""
    tells_table: bool
    vague: bool

    def may(self, address: Address) -> bool:
        """Whether the policies may grant a state."""
        state = f"{address.bucket_arn}/"
        return any(pattern.match(state) for pattern in self.patterns) or any(
            self.tells_table or STATE_BUCKET.search(symbol) or tail.endswith(address.key)
            for symbol, tail in self.symbols
        )


def speaker(layers: Iterable[Layer]) -> Speaker:
    own = [layer for layer in layers if layer.kind is Kind.IDENTITY]
    allowing = [
        one
        for layer in own
        for policy in layer.policies
        for one in policy.statements
        if one.effect == "Allow"
    ]
    words = [*_words(allowing, _OBJECTS)]
    patterns = [pattern for word in words if (pattern := _pattern(word))]
    tables = (str(word) for word in _words(allowing, _ITEMS))
    return Speaker(
        tuple(dict.fromkeys(patterns)),
        tuple(dict.fromkeys(_symbol(word) for word in words if _pattern(word) is None)),
        any(LOCK_TABLE.search(table) or "table/" in table for table in tables),
        any(layer.hidden for layer in own) or any(_pattern(word) is None for word in words),
    )


def _words(statements: Iterable[Statement], actions: tuple[str, ...]) -> Iterator[Word]:
    for one in statements:
        if one.resources and any(names(one.actions, action) is not FALSE for action in actions):
            yield from (Word(("*",)),) if one.resources.negated else one.resources.words


def _pattern(word: Word) -> re.Pattern[str] | None:
    """What the start of a bucket's ARN must look like; None where an expression stands there."""
    head, colons = "", False
    for part in word.parts:
        if isinstance(part, Hole):
            if colons or not head:
                return None
            head += "\0"
        else:
            start, slash, _ = part.partition("/")
            colons = colons or ":::" in start
            head += start
            if slash:
                head += "/"
                break
    head = _VARIABLE.sub("\0", head)
    spelt = {"*": ".*", "?": ".", "\0": ".*"}
    return re.compile("".join(spelt.get(sign, re.escape(sign)) for sign in head))


def _symbol(word: Word) -> tuple[str, str]:
    last = word.parts[-1]
    symbols = " ".join(part.symbol for part in word.parts if isinstance(part, Hole))
    return symbols, last if isinstance(last, str) else ""
