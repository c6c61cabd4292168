"""Whether a statement of a resource policy speaks of a caller, and by which of the caller's names."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from migrate.iam.policy import Effect, Named, Principals
from migrate.iam.request import Caller
from migrate.iam.truth import FALSE, TRUE, UNKNOWN, Truth, truth


class Via(IntEnum):
    """The name by which a statement means a caller; a later one needs no more leave than an earlier one.

    A grant to an account only lets that account's own policies decide; one to a session needs nobody else's
    leave.
    """

    ACCOUNT = 0
    CALLER = 1
    EVERYONE = 2
    SESSION = 3


_UNIQUE_IDS: Final = ("AROA", "AIDA")


def speaks_of(principals: Principals, effect: Effect, caller: Caller) -> tuple[Truth, Via]:
    """Whether the statement's principals mean the caller, and the strongest name by which they do."""
    found = [_means(named, caller) for named in principals.named]
    if principals.negated:
        return _excepted(found, effect), Via.EVERYONE
    certain = [via for sure, via in found if sure is TRUE]
    if certain:
        return TRUE, max(certain)
    possible = [via for sure, via in found if sure is UNKNOWN]
    return (UNKNOWN, max(possible)) if possible else (FALSE, Via.ACCOUNT)


def _excepted(found: list[tuple[Truth, Via]], effect: Effect) -> Truth:
    """`NotPrincipal`: true where no name of the caller is excepted.

    A Deny reaches a caller through each name that is not excepted, so role *and* account must be; where
    only one of the two is, AWS's page and practice differ: unknown.
    """
    if all(sure is FALSE for sure, _ in found):
        return TRUE
    names = {via for sure, via in found if sure is TRUE}
    if Via.EVERYONE in names or (effect == "Allow" and names) or names >= {Via.ACCOUNT, Via.CALLER}:
        return FALSE
    return UNKNOWN


def _means(named: Named, caller: Caller) -> tuple[Truth, Via]:
    match named.kind:
        case "AWS" | "*":
            return _means_by_arn(named.word.literal, caller)
        case "Service":
            return FALSE, Via.ACCOUNT
        case "Federated":  # how a role's session was signed in; a user's never was
            return FALSE if caller.is_user else UNKNOWN, Via.SESSION
        case _:  # `CanonicalUser` is an account by a number that nobody told
            return UNKNOWN, Via.ACCOUNT


def _means_by_arn(text: str | None, caller: Caller) -> tuple[Truth, Via]:
    if text is None:
        return UNKNOWN, Via.CALLER
    if text == "*":
        return TRUE, Via.EVERYONE
    if text.isdigit() or text.endswith(":root"):
        return _same_account(text if text.isdigit() else Caller(text).account, caller), Via.ACCOUNT
    if ":assumed-role/" in text:
        return _same_session(text, caller), Via.SESSION
    return _same_caller(text, caller), Via.CALLER


def _same_account(account: str, caller: Caller) -> Truth:
    return truth(account == caller.account) if caller.account else UNKNOWN


def _same_session(arn: str, caller: Caller) -> Truth:
    if caller.session is not None:
        return truth(arn == caller.session)
    role = arn.split(":assumed-role/")[1].split("/", maxsplit=1)[0]
    return UNKNOWN if caller.arn.split("/")[-1] == role and not caller.is_user else FALSE


def _same_caller(arn: str, caller: Caller) -> Truth:
    if arn.startswith(_UNIQUE_IDS):
        return UNKNOWN
    if caller.account:
        return truth(arn == caller.arn)
    return UNKNOWN if arn.split(":")[5:] == caller.arn.split(":")[5:] else FALSE
