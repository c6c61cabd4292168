"""What is asked of every edit of every policy source: of the text before, and of the text after."""

from __future__ import annotations

from migrate.iam.address import Address
from migrate.iam.target import Grant, Target
from migrate.model import Refusal, Source, Suggestion
from migrate.policies import PolicyPlug
from migrate.spelling import written
from migrate.spelling.written import PolicyWish
from tests.pairs import Answer, check_dressed, edited, source

WISH = Grant((Target(Address("acme-state", "net/terraform.tfstate", "eu-west-1")),))


def check_change(plug: PolicyPlug, path: str, before: str, after: str, wish: PolicyWish = WISH) -> None:
    """`before` becomes exactly `after`, however its lines end; a second run edits nothing."""
    check_dressed(lambda text: edited(plug, source(path, text), wish), before, after)


def check_untouched(plug: PolicyPlug, path: str, text: str, wish: PolicyWish = WISH) -> None:
    check_change(plug, path, text, text, wish)


def granted(plug: PolicyPlug, given: Source) -> Answer:
    """What becomes of the text when the lock of one state is wished for."""
    return edited(plug, given, WISH)


def refusal(plug: PolicyPlug, path: str, text: str) -> tuple[int, str]:
    """Line and reason of the refusal."""
    answer = granted(plug, source(path, text))
    assert isinstance(answer, Refusal)
    return answer.where.line, answer.why


def suggestion(plug: PolicyPlug, path: str, text: str) -> tuple[int, str, str]:
    """Line, reason and text of the suggestion."""
    answer = granted(plug, source(path, text))
    assert isinstance(answer, Suggestion)
    return answer.where.line, answer.why, answer.text


def notes(plug: PolicyPlug, path: str, text: str) -> list[str]:
    found = plug.find(source(path, text)).items
    return [note for one in found for note in written.notes(one, WISH)]
