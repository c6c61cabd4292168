"""What a forge answered, and what it means: the words people are told, and how long it asks us to wait."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final, NoReturn, TypeAlias

from msgspec import Struct

from migrate.errors import RelockError
from migrate.model import Unknown

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"


class Reply(Struct, frozen=True):
    """What the forge said, and that it is sure of it."""

    status: int
    body: Json
    headers: Mapping[str, str]

    @property
    def message(self) -> str:
        """The forge's own words: one line, without control characters, or nothing."""
        said = self.body if isinstance(self.body, dict) else {}
        message = said.get("message")
        parts = [*_listed(message), said.get("error"), *map(_detail, _listed(said.get("errors")))]
        return plain("; ".join(part for part in parts if isinstance(part, str) and part), 400)


class ElsewhereError(RelockError):
    """A repository that is on another forge than the one that was asked."""

    def __init__(self, repo: str, here: str) -> None:
        super().__init__("this repository is not on this forge", repo, f"name the forge it is on, not {here}")


class LaterError(RelockError):
    """The forge asks us to wait longer than a command waits by itself."""

    def __init__(self, seconds: float, where: str) -> None:
        super().__init__(
            f"the forge asks us to wait {seconds:.0f} seconds", where, "run the same command again after that"
        )
        self.seconds = seconds


class Silence(Struct, frozen=True):
    """Nobody knows whether the forge did what it was asked."""

    why: str


def refused(reply: Reply, where: str) -> NoReturn:
    """Raise what a reply outside 2xx means, with what to do."""
    what, try_this = MEANINGS.get(reply.status, (f"the forge answered {reply.status}", "see its status page"))
    raise RelockError(f"{what}{f' ({reply.message})' if reply.message else ''}", where, try_this)


MEANINGS: Final[Mapping[int, tuple[str, str]]] = {
    401: ("the forge does not accept the token", "set a token that is valid and not expired"),
    403: (
        "the token may not do this",
        "give it write access to contents and pull requests of this repository, and single sign-on",
    ),
    404: (
        "the forge shows no such repository to this token",
        "check the name, and that the token was given this repository",
    ),
    409: ("the forge says this conflicts with what it has", "run the same command again"),
    410: ("the forge has switched this off", "ask the owners of the repository"),
    422: (
        "the forge finds the request wrong",
        "read its words above; a branch or a rule of the repository is the usual cause",
    ),
}


def unseen(reply: Reply, forge: str, repo: str) -> Unknown | None:
    """What a forge means that hides a repository from the token (403 or 404); None for any other reply."""
    if reply.status not in (403, 404):
        return None
    return Unknown(f"{forge} does not show {repo} to this token", f"give it access to {repo}")


def asked_pause(reply: Reply) -> float | None:
    """The seconds a forge asks us to wait; None when it did not refuse for a limit.

    GitHub says 403 or 429 with `Retry-After`, or with no calls left and the time of the reset; its secondary
    limit may say neither, and then a minute is asked for ("Rate limits for the REST API"). Its own clock is
    used, not ours.
    """
    if reply.status not in (403, 429):
        return None
    after, spent = reply.headers.get("retry-after", ""), reply.headers.get("x-ratelimit-remaining") == "0"
    if after.isdecimal():
        return float(after)
    if reply.status == 403 and not spent and "rate limit" not in reply.message.lower():
        return None
    reset, now = reply.headers.get("x-ratelimit-reset", ""), time_of(reply)
    if spent and reset.isdecimal() and now is not None:
        return max(1.0, float(reset) - now)
    return 60.0


def time_of(reply: Reply) -> float | None:
    """When the forge answered by its own clock, in seconds of the calendar; None where it does not say."""
    try:
        return parsedate_to_datetime(reply.headers.get("date", "")).timestamp()
    except (ValueError, OverflowError):
        return None


def trees_of(reply: Reply, where: str, key: str = "") -> list[dict[str, Json]]:
    """The objects of a reply that says yes: of the list that it is, or has under `key`.

    Raises RelockError for any other: what is no list does not say that there is nothing.
    """
    body = _granted(reply, where)
    if key and isinstance(body, dict):
        body = [] if body.get(key, "") is None else body.get(key)  # Gitea says null for an empty list
    trees = [tree for tree in body if isinstance(tree, dict)] if isinstance(body, list) else []
    if not isinstance(body, list) or len(trees) < len(body):
        raise odd(where)
    return trees


def tree_of(reply: Reply, where: str) -> dict[str, Json]:
    """The one object of a reply that says yes. Raises RelockError for any other."""
    body = _granted(reply, where)
    if not isinstance(body, dict):
        raise odd(where)
    return body


def number_of(tree: Mapping[str, Json], where: str, key: str = "number") -> str:
    """The number of a proposal. Raises RelockError: what has none is no proposal."""
    number = text(tree, key)
    if not (number.isascii() and number.isdecimal()):
        raise odd(where)
    return number


def _granted(reply: Reply, where: str) -> Json:
    return reply.body if 200 <= reply.status < 300 else refused(reply, where)


def odd(where: str) -> RelockError:
    """What there is to say of an answer that nobody understands."""
    return RelockError("the forge's answer is not of its kind", where, "check the URL of the forge")


def plain(text: str, most: int) -> str:
    """One line without control characters, of at most so many characters."""
    line = re.sub(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+", " ", text)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def text(tree: Json | Mapping[str, Json], *route: str) -> str:
    """The string or number at `route` of an answer; empty where there is none (a body may be null)."""
    for name in route:
        tree = tree.get(name) if isinstance(tree, Mapping) else None
    return str(tree) if isinstance(tree, str | int) else ""


def lines(body: str) -> str:
    """A body edited in a browser comes back with CRLF."""
    return body.replace("\r\n", "\n").rstrip()


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _detail(error: Json) -> Json:
    return error.get("message") if isinstance(error, dict) else error
