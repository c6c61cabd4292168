"""Where a GitHub answers, and the token it is asked with."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from migrate.forges.answer import ElsewhereError
from migrate.model import RepoId

TOKENS: Final = ("GITHUB_TOKEN", "GH_TOKEN")
HEADERS: Final = {
    "Accept": "application/vnd.github+json, application/json",
    "X-GitHub-Api-Version": "2022-11-28",
}
KEY: Final = "GITHUB_APP_PRIVATE_KEY"
BOT: Final = "ghs_"
"""How the tokens of Apps begin, that of a workflow's run among them."""
_NAME: Final = re.compile(r"(?!\.\.?$)[\w.-]+", re.ASCII)


class Endpoints(Struct, frozen=True):
    """Where one GitHub answers: its host in repository ids, its API, the start of REST paths there, git."""

    host: str
    base: str
    rest: str = ""
    git: str = "https://github.com"


def endpoints(url: str = "https://github.com") -> Endpoints:
    """The API of github.com or of an Enterprise Server, by the URL people open in a browser."""
    host = urlsplit(url).hostname or ""
    if host == "github.com":
        return Endpoints(host, "https://api.github.com")
    return Endpoints(host, f"{url.rstrip('/')}/api", "/v3", url.rstrip("/"))


def owner_of(repo: RepoId, where: Endpoints) -> tuple[str, str]:
    """Owner and name of a repository there. Raises RelockError when it is on another forge."""
    host, _, path = repo.partition("/")
    owner, _, name = path.partition("/")
    if host != where.host or not _NAME.fullmatch(owner) or not _NAME.fullmatch(name):
        raise ElsewhereError(repo, where.host)
    return owner, name
