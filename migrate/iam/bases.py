"""Which statements of a policy grant a state, and on which pattern: where the grant of its lock belongs.

What a policy's expressions mean is not known here. One is taken for a state's bucket only with a reason,
and that it was taken so is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from migrate.iam.address import SUFFIX, Address
from migrate.iam.glob import Glob, Hole, Wild, glob
from migrate.iam.policy import Policy, Statement, Word
from migrate.iam.profiles import overlap
from migrate.iam.request import Request
from migrate.iam.statements import names
from migrate.iam.target import Grant, Target, lock_patterns
from migrate.iam.truth import TRUE
from migrate.iam.variables import plain, understood

_TABLE_LOCK: Final = ("dynamodb:PutItem", "dynamodb:DeleteItem")
_ANYBODY: Final = Request("", Glob(()))

# What people name such things, and what is never an object of S3.
LOCK_TABLE: Final = re.compile(r"(?i)(?<![bc])lock|tf-?state|terraform|backend")
STATE_BUCKET: Final = re.compile(r"(?i)state|backend")
_NO_OBJECT: Final = re.compile(r"aws_s3_bucket\.[^/]*\barn\}|bucket_arn\}|(?i:dynamodb|kms|table)")
_NO_BUCKET: Final = re.compile(r"(arn:[\w-]*:s3:::)?")


class Base(Struct, frozen=True):
    """A statement that grants the state, and its words that can match it; none where it has NotResource.

    `assumed`: expressions that are taken to mean the state.
    """

    statement: Statement
    words: tuple[Word, ...]
    assumed: tuple[str, ...] = ()


def bases(policy: Policy, target: Target, wish: Grant) -> tuple[Base, ...]:
    """The statements by which a caller writes the state, or reads it and locks it in a table."""
    writing = tuple(_granting(policy, "s3:PutObject", target, wish))
    if writing or not all(any(_table_words(policy, action)) for action in _TABLE_LOCK):
        return writing
    return tuple(_granting(policy, "s3:GetObject", target, wish))


def pattern(policy: Policy, word: Word) -> Glob:
    """The pattern of a resource; what its variables come to is not known."""
    return understood(word, _ANYBODY, wild=True) if policy.has_variables else plain(word, wild=True)


def lock_words(policy: Policy, base: Base, target: Target, wish: Grant) -> tuple[Word, ...]:
    """The patterns of the lock, as words to write."""
    address = target.address
    if address and (wish.scope != "as-state" or not base.words):
        return tuple(
            Word((text,)) for text in lock_patterns(address, wish.scope, workspaces=target.workspaces)
        )
    return tuple(dict.fromkeys(_behind(word, pattern(policy, word), address) for word in base.words))


def _behind(word: Word, meant: Glob, address: Address | None) -> Word:
    """The lock's pattern for the state's: the same with `.tflock` behind it, and bounded to a bucket."""
    if address and _is_any_bucket(meant):
        return Word((f"{address.bucket_arn}/*{SUFFIX}",))
    return word.followed_by(SUFFIX)


def _granting(policy: Policy, action: str, target: Target, wish: Grant) -> Iterator[Base]:
    for one in policy.statements:
        if one.effect != "Allow" or one.resources is None or names(one.actions, action) is not TRUE:
            continue
        if one.resources.negated:
            excepted = tuple(pattern(policy, word) for word in one.resources.words)
            if target.address and not overlap(target.address.state(), excepted):
                yield Base(one, ())
            continue
        words = tuple(word for word in one.resources.words if _may_mean(policy, word, target, wish))
        if words:
            symbols = (symbol for word in words for symbol in _symbols(pattern(policy, word)))
            yield Base(one, words, tuple(dict.fromkeys(symbols)))


def _may_mean(policy: Policy, word: Word, target: Target, wish: Grant) -> bool:
    """Whether a word can mean the state.

    An expression can mean any bucket: it is taken for the state's where its name says so or what stands
    beside it, the very key stands behind it, or the policy also locks in a table of that purpose.
    """
    meant = pattern(policy, word)
    if not _may_be_object(meant) or meant.ends(SUFFIX):
        return False
    if target.address is None:
        return _names_lock_table(policy, wish) and not _is_any_bucket(meant)
    if not any(overlap(state, (meant,)) for state in target.states()):
        return False
    told = meant.ends(f"/{target.address.key}") or any(map(_tells_state, _in_place_of_bucket(meant)))
    return told or not _symbols(meant) or _names_lock_table(policy, wish)


def _names_lock_table(policy: Policy, wish: Grant) -> bool:
    """Whether the policy locks in a table that is known for one, or is named as one."""
    return all(
        any(_is_lock_table(policy, word, wish) for word in _table_words(policy, a)) for a in _TABLE_LOCK
    )


def _is_lock_table(policy: Policy, word: Word, wish: Grant) -> bool:
    written, meant = str(word), pattern(policy, word)
    known = (glob(f"arn:*:dynamodb:*:table/{table}") for table in wish.tables)
    named = LOCK_TABLE.search(written) is not None
    return named or (_tells_table(meant) and any(overlap(table, (meant,)) for table in known))


def _tells_table(meant: Glob) -> bool:
    """Whether something stands behind `table/` that is no expression: this may mean any table."""
    shown = (
        "\0" if isinstance(piece, Hole) else "*" if isinstance(piece, Wild) else piece
        for piece in meant.pieces
    )
    return re.search(r"table/\0*[^\0]", "".join(shown)) is not None


def _table_words(policy: Policy, action: str) -> Iterator[Word]:
    """The resources on which the policy allows an action of a table."""
    for one in policy.statements:
        if one.effect == "Allow" and one.resources and names(one.actions, action) is TRUE:
            yield from one.resources.words


def _may_be_object(meant: Glob) -> bool:
    """Whether it may be an object of S3, and not another service's thing or a bucket alone."""
    match meant.pieces:
        case (Hole(symbol),):
            return _NO_OBJECT.search(symbol) is None
        case pieces:
            shown = "".join(piece if isinstance(piece, str) else "*" for piece in pieces)
    prefix, colons, rest = shown.partition(":::")
    if colons:
        ends_wild = isinstance(pieces[-1], Wild) or "/" in rest
        return ends_wild and prefix.split(":")[2:] in ([], ["s3"], ["*"])
    return not re.match(r"arn:[^:]*:(?!s3:|\*)", shown)


def _is_any_bucket(meant: Glob) -> bool:
    literal = "".join(piece for piece in meant.pieces if isinstance(piece, str))
    return meant.pieces[-1:] == (Wild.ANY,) and _NO_BUCKET.fullmatch(literal) is not None


def _in_place_of_bucket(meant: Glob) -> list[str | Hole]:
    """The expressions and texts where an ARN has its bucket."""
    found: list[str | Hole] = []
    for piece in meant.pieces:
        if isinstance(piece, Hole):
            found.append(piece)
        elif isinstance(piece, str):
            _, colons, text = piece.rpartition(":::")
            found = [text] if colons else [*found, text]
            if "/" in piece:
                return [*found[:-1], str(found[-1]).partition("/")[0]]
    return found


def _symbols(meant: Glob) -> list[str]:
    return [piece.symbol for piece in _in_place_of_bucket(meant) if isinstance(piece, Hole)]


def _tells_state(piece: str | Hole) -> bool:
    return STATE_BUCKET.search(piece.symbol if isinstance(piece, Hole) else piece) is not None
