"""Whether policies can speak of a state at all: asked of every holder and state, so it must cost little.

What passes here is looked at closely by `bases`; what does not pass would not pass there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from migrate.iam.address import Address, Workspaces
from migrate.iam.bases import LOCK_TABLE, STATE_BUCKET
from migrate.iam.glob import Hole
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Statement, Word
from migrate.iam.statements import names
from migrate.iam.truth import FALSE

_OBJECTS: Final = ("s3:PutObject", "s3:GetObject")
_VARIABLE: Final = re.compile(r"\$\{[^{}]*\}")
_OPEN: Final = re.compile(r"[*?\0]|\$\{")
_ITEMS: Final = ("dynamodb:PutItem",)


class Objects(Struct, frozen=True):
    """A state's objects in all workspaces: at `key`, and at `start`, a workspace's name, `end`."""

    bucket: str
    key: str
    start: str
    end: str


def objects(address: Address) -> Objects:
    """The objects of a state, with its bucket as an ARN and a slash behind it."""
    bucket = f"{address.bucket_arn}/"
    start, _, end = address.state(Workspaces.EVERY).pieces
    return Objects(bucket, address.key, str(start).removeprefix(bucket), str(end))


class _Start(Struct, frozen=True):
    """How an ARN begins: what its bucket must look like, and its key up to what is no plain text.

    `whole`: there is nothing behind that.
    """

    bucket: re.Pattern[str]
    key: str = ""
    whole: bool = False

    def may(self, state: Objects) -> bool:
        """Whether it may be one of a state's objects."""
        key, start = self.key, state.start
        if self.whole and not (key == state.key or key.endswith(state.end)):
            return False
        return self.bucket.match(state.bucket) is not None and (
            state.key.startswith(key) or start.startswith(key) or key.startswith(start)
        )


class Speaker(Struct, frozen=True):
    """What one holder's policies may say of states. `vague`: something of them is not known."""

    starts: tuple[_Start, ...]
    symbols: tuple[tuple[str, str], ...]
    """Of patterns whose bucket is an expression: that, and the text at the end."""
    tells_table: bool
    vague: bool

    def may(self, state: Objects) -> bool:
        """Whether the policies may grant a state."""
        return any(start.may(state) for start in self.starts) or any(
            self.tells_table or STATE_BUCKET.search(symbol) or tail.endswith(state.key)
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
    starts = [start for word in words if (start := _start(word))]
    tables = (str(word) for word in _words(allowing, _ITEMS))
    return Speaker(
        tuple(dict.fromkeys(starts)),
        tuple(dict.fromkeys(_symbol(word) for word in words if _start(word) is None)),
        any(LOCK_TABLE.search(table) or "table/" in table for table in tables),
        any(layer.hidden for layer in own) or any(_start(word) is None for word in words),
    )


def _words(statements: Iterable[Statement], actions: tuple[str, ...]) -> Iterator[Word]:
    for one in statements:
        if one.resources and any(names(one.actions, action) is not FALSE for action in actions):
            yield from (Word(("*",)),) if one.resources.negated else one.resources.words


def _start(word: Word) -> _Start | None:
    """How the resource begins; None where an expression stands in place of its bucket."""
    head, colons, behind = "", False, ""
    for at, part in enumerate(word.parts):
        if isinstance(part, Hole):
            if colons:
                return None
            head += "\0"
        else:
            start, slash, rest = part.partition("/")
            colons = colons or ":::" in start
            head += start
            if slash:
                head += "/"
                behind = rest + "\0" * (at + 1 < len(word.parts))
                break
    if head.startswith("\0") and not colons:
        return None
    return _begun(_VARIABLE.sub("\0", head), behind)


def _begun(head: str, behind: str) -> _Start:
    """A wild card in place of the bucket can mean a part of the key too, so that no text is known of it."""
    spelt = {"*": ".*", "?": ".", "\0": ".*"}
    bucket = re.compile("".join(spelt.get(sign, re.escape(sign)) for sign in head))
    if not head.endswith("/") or "*" in head or _OPEN.search(head.rpartition(":::")[2]):
        return _Start(bucket)
    key = _OPEN.split(behind)[0]
    return _Start(bucket, key, key == behind)


def _symbol(word: Word) -> tuple[str, str]:
    last = word.parts[-1]
    parts = (part.symbol if isinstance(part, Hole) else part.partition("/")[0] for part in word.parts)
    symbols = " ".join(parts)
    return symbols, last if isinstance(last, str) else ""
