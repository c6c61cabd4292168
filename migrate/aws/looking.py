"""One read of AWS and its answer: what was seen, that there is nothing, or why nobody knows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from migrate.model import Fact, Known, Unknown

PATIENCE: Final = Config(connect_timeout=5, read_timeout=30, retries={"mode": "adaptive", "max_attempts": 10})
"""Throttled reads wait and ask again."""

ANY_REGION: Final = "us-east-1"
"""For what is the same everywhere."""

_REGION: Final = re.compile(r"(?!\d+\Z)(?!-)[a-z0-9-]{1,40}(?<!-)")

T = TypeVar("T")


def region_named(written: str) -> str:
    """A region as source has it; empty where it could be none, so that it makes up no host."""
    return written if _REGION.fullmatch(written) else ""


_ENDED: Final = ("ExpiredToken", "ExpiredTokenException", "RequestExpired", "UnauthorizedSSOTokenError")
_STRANGE: Final = ("InvalidClientTokenId", "UnrecognizedClientException")
_TOO_FAST: Final = ("Throttling", "ThrottlingException", "RequestLimitExceeded", "TooManyRequestsException")


def named(error: BotoCoreError | ClientError) -> str:
    """What AWS calls it, as `ExpiredToken`; where it did not answer, what our side does."""
    if isinstance(error, ClientError):
        return error.response["Error"]["Code"]
    return type(error).__name__


def next_step(name: str, otherwise: str) -> str:
    """What to do about an error of that name."""
    if name in _ENDED:
        return "sign in again: these credentials have expired"
    if name in _TOO_FAST:
        return "ask again when others ask less"
    return f"{otherwise}; keys of GovCloud or China need AWS_REGION too" if name in _STRANGE else otherwise


def looked(what: str, ask: Callable[[], T], nothing: tuple[str, ...] = ()) -> Fact[T | None]:
    """The answer, None where AWS answers with one of the codes that mean `nothing`; a denial is Unknown."""
    try:
        return Known(ask(), "seen")
    except ClientError as error:
        code = named(error)
        if code in nothing:
            return Known(None, "seen")
        return Unknown(f"{what} was answered {code}", next_step(code, f"let the reader call {what}"))
    except BotoCoreError as error:
        return Unknown(f"{what} was not answered: {named(error)}", next_step(named(error), "ask again"))
