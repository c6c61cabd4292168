"""What a policy grants on lock tables, and the least that takes it out again.

A statement that is about nothing else goes as a whole; of one that grants other things too only the table's
words go, and with them the actions that nothing is left for. What is not certain is a Hold: never an empty
list, never a pattern that may mean another table, never a Deny.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from migrate.iam.bases import pattern
from migrate.iam.glob import Glob, Hole, Piece, Wild, glob
from migrate.iam.grant import Hold
from migrate.iam.policy import Policy, Statement, Word
from migrate.iam.profiles import TooWideError, overlap
from migrate.iam.statements import names
from migrate.iam.truth import TRUE

_LOCKING: Final = ("getitem", "putitem", "deleteitem", "describetable")
_WIDER: Final = ("*", "*item", "describe*")
_OF_LOCKS: Final = re.compile(r"(?i)(?<![bc])lock")  # a blocklist is none, nor a clock
_OF_TERRAFORM: Final = re.compile(r"(?i)tf-?state|terraform|backend")
_NO_TABLE: Final = re.compile(r"(?i)s3|bucket|kms|role|log")
EMPTY: Final = "delete it, and what attaches it"
_RETIRE: Final = "tfrelock edit --phase retire comes first"


class Revoke(Struct, frozen=True):
    """The wish: nobody holds rights to lock tables any more.

    `tables` are the names that are known for lock tables, `used` those that a client names still; a `*` in
    `used` is one that an expression names.
    """

    tables: tuple[str, ...] = ()
    used: tuple[str, ...] = ()


class Removal(Struct, frozen=True):
    """What goes of one statement: all of it, or these words. `assumed`: words taken for a lock table."""

    statement: Statement
    words: tuple[Word, ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        return not self.words


class _HeldError(Exception):
    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(why)
        self.why, self.remedy = why, remedy


def removals(policy: Policy, wish: Revoke) -> tuple[Removal, ...] | Hold:
    """What goes of a policy; nothing where it grants nothing on a lock table."""
    found: list[Removal] = []
    for statement in policy.statements:
        try:
            found += _of_statement(policy, statement, wish)
        except TooWideError:
            return Hold(statement, "its patterns are too tangled to compare", "take the table out by hand")
        except _HeldError as held:
            return Hold(statement, held.why, held.remedy)
    if found and all(one.whole for one in found) and len(found) == len(policy.statements):
        return Hold(found[0].statement, "nothing would be left of this policy", EMPTY)
    return tuple(found)


def _of_statement(policy: Policy, statement: Statement, wish: Revoke) -> Iterator[Removal]:
    resources, actions = statement.resources, statement.actions
    if statement.effect != "Allow" or resources is None or resources.negated or actions.negated:
        return
    locks = names(actions, "dynamodb:PutItem") is TRUE and names(actions, "dynamodb:DeleteItem") is TRUE
    tables = [word for word in resources.words if _is_lock_table(policy, word, wish, locks=locks)]
    ours = [word for word in actions.words if _service(word) == "dynamodb"]
    if locks and not tables:
        _hold_where_it_may_be(policy, statement, wish)
    if not tables or not (ours or any("*" in _service(word) for word in actions.words)):
        return
    _hold_unless_certain(policy, statement, tables, wish)
    assumed = tuple(str(word) for word in tables if not _is_known(pattern(policy, word), wish))
    others = [word for word in resources.words if word not in tables]
    if not others:
        yield Removal(statement, (), assumed)
    elif any(_may_be_table(pattern(policy, word)) for word in others):
        _hold_where_open(policy, others)
        yield Removal(statement, tuple(tables), assumed)
    else:
        if len(ours) == len(actions.words):
            raise _HeldError("its other resources have no action of their own", _BY_HAND)
        yield Removal(statement, (*ours, *tables), assumed)


_BY_HAND: Final = "take the table out by hand"


def _hold_unless_certain(policy: Policy, statement: Statement, tables: Sequence[Word], wish: Revoke) -> None:
    for word in tables:
        meant = pattern(policy, word)
        if _may_be(meant, wish.used):
            raise _HeldError(f"{word} may be a table that a client still names", _RETIRE)
        if any(isinstance(piece, Hole) and piece.several for piece in word.parts):
            raise _HeldError(f"{word} makes several resources, which may not all be lock tables", _BY_HAND)
        if _is_wide(meant):
            raise _HeldError(f"{word} may mean other tables too", "name those that stay, one by one")
    for word in statement.actions.words:
        if _service(word) != "dynamodb" and "*" in _service(word):
            raise _HeldError(f"its action {word} is of more than one service", _BY_HAND)
        if _is_of_more(word):
            raise _HeldError(
                f"it allows {word} as well: more than a lock needs", "ask whoever manages or reads the table"
            )


def _hold_where_it_may_be(policy: Policy, statement: Statement, wish: Revoke) -> None:
    """An expression beside the actions of a lock, and no others, may be a table that is known for one."""
    if any(map(_is_of_more, statement.actions.words)):
        return
    for word in statement.resources.words if statement.resources else ():
        meant = pattern(policy, word)
        if "dynamodb" in str(word) and not _tells_name(meant) and _may_be(meant, wish.tables):
            raise _HeldError(f"whether {word} is the lock table is not known", _BY_HAND)


def _is_of_more(action: Word) -> bool:
    """Whether it is an action of tables that no lock needs."""
    act = str(action).partition(":")[2].lower()
    return _service(action) == "dynamodb" and act not in (*_LOCKING, *_WIDER)


def _hold_where_open(policy: Policy, others: Sequence[Word]) -> None:
    """Beside the lock's there are other tables; an expression or `*` may be the lock's once more."""
    for word in others:
        meant = pattern(policy, word)
        if meant.has_holes or _is_wide(meant) or meant.pieces == (Wild.ANY,):
            raise _HeldError(f"whether {word} is the lock table too is not known", _BY_HAND)


def _is_lock_table(policy: Policy, word: Word, wish: Revoke, *, locks: bool) -> bool:
    """Known for one, or named as one; a right to every table is no right to the lock's.

    `locks`: it is granted beside the actions of a lock, so that a name that tells of Terraform is enough.
    """
    written = str(word)
    if "dynamodb" not in written or written.endswith((":*", "table/*")):
        return False
    named = _OF_LOCKS.search(written) or (locks and _OF_TERRAFORM.search(written))
    return bool(named) or _is_known(pattern(policy, word), wish)


def _is_known(meant: Glob, wish: Revoke) -> bool:
    """Whether it writes the name of a table that is known for one."""
    return _tells_name(meant) and _may_be(meant, wish.tables)


def _may_be(meant: Glob, tables: Iterable[str]) -> bool:
    return any(overlap(_named(name), (meant,)) for name in tables)


def _tells_name(meant: Glob) -> bool:
    """Whether the table's name stands there, without an expression in it."""
    shown = "".join("\0" if isinstance(piece, Hole) else _shown(piece) for piece in meant.pieces)
    _, found, name = shown.partition("table/")
    return bool(found) and "\0" not in name


def _may_be_table(meant: Glob) -> bool:
    """Whether it may be of DynamoDB: by the service in its ARN, or by the name of the expression it is."""
    fields = "".join(_shown(piece) for piece in meant.pieces).split(":")
    if len(fields) > 2:
        return glob(fields[2]).matches("dynamodb")
    symbols = [piece.symbol for piece in meant.pieces if isinstance(piece, Hole)]
    return not symbols or _NO_TABLE.search(symbols[0]) is None


def _shown(piece: Piece) -> str:
    return piece if isinstance(piece, str) else "*"


def _named(table: str) -> Glob:
    return glob(table if table.startswith("arn:") else f"arn:*:dynamodb:*:*:table/{table}")


def _is_wide(meant: Glob) -> bool:
    """Whether a `*` stands in the table's name; that of its indexes is none."""
    shown = "".join(
        "*" if isinstance(one, Wild) else one for one in meant.pieces if not isinstance(one, Hole)
    )
    _, found, name = shown.partition("table/")
    return bool(found) and ("*" in name.partition("/")[0])


def _service(word: Word) -> str:
    return str(word).partition(":")[0].lower()
