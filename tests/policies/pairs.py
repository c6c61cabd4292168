"""What is asked of every edit of every policy source: of the text before, and of the text after."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TypeAlias

from migrate.compose import compose
from migrate.iam.address import Address
from migrate.iam.target import Grant, Target
from migrate.model import Refusal, RepoId, Source, Suggestion
from migrate.policies import PolicySource
from migrate.spelling import written
from migrate.spelling.written import PolicyWish
from migrate.text import Conflict, Op

REPO = RepoId("git.acme.example/acme/net")
WISH = Grant((Target(Address("acme-state", "net/terraform.tfstate", "eu-west-1")),))

Answer: TypeAlias = str | Refusal | Suggestion


def source(path: str, text: str) -> Source:
    return Source(REPO, PurePosixPath(path), text)


def edited(plug: PolicySource, given: Source, wish: PolicyWish = WISH) -> Answer:
    """The text after the wish was asked of every policy in it, or the first answer that is no edit."""
    ops: list[Op] = []
    for found in plug.find(given).items:
        answer = plug.edit({given.path: given}, found, wish)
        if isinstance(answer, Refusal | Suggestion):
            return answer
        ops += answer.get(given.path, ())
    text = compose(given.text, ops)
    assert not isinstance(text, Conflict)
    return text


def check_change(plug: PolicySource, path: str, before: str, after: str, wish: PolicyWish = WISH) -> None:
    """`before` becomes exactly `after`, however its lines end; a second run edits nothing."""
    for dress in (str, _with_crlf, _with_mark, _without_end):
        given, wanted = source(path, dress(before)), dress(after)
        assert edited(plug, given, wish) == wanted
        assert edited(plug, source(path, wanted), wish) == wanted, "a second run edits nothing"


def check_untouched(plug: PolicySource, path: str, text: str, wish: PolicyWish = WISH) -> None:
    check_change(plug, path, text, text, wish)


def refusal(plug: PolicySource, path: str, text: str) -> tuple[int, str]:
    """Line and reason of the refusal."""
    answer = edited(plug, source(path, text))
    assert isinstance(answer, Refusal)
    return answer.where.line, answer.why


def suggestion(plug: PolicySource, path: str, text: str) -> tuple[int, str, str]:
    """Line, reason and text of the suggestion."""
    answer = edited(plug, source(path, text))
    assert isinstance(answer, Suggestion)
    return answer.where.line, answer.why, answer.text


def notes(plug: PolicySource, path: str, text: str) -> list[str]:
    found = plug.find(source(path, text)).items
    return [note for one in found for note in written.notes(one, WISH)]


def _with_crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def _with_mark(text: str) -> str:
    return f"\ufeff{text}"


def _without_end(text: str) -> str:
    return text.removesuffix("\n")
