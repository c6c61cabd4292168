"""GitHub and GitHub Enterprise Server: pull requests over the REST API, drafts over the GraphQL API.

GitHub itself refuses a second open pull request of one branch into one base (422, "already exists"); with a
look after every POST that nobody answered, and before each that is sent again, no proposal is made twice.
"""

from collections.abc import Mapping
from typing import Final

from migrate.forges.address import token, usable
from migrate.forges.forge import Sleep
from migrate.forges.github.app import App, identity
from migrate.forges.github.login import BOT, HEADERS, KEY, TOKENS, Endpoints, endpoints
from migrate.forges.github.proposals import GitHub
from migrate.forges.wire import TIMEOUT, Wire

NAME: Final = "github"
PUBLIC: Final = "https://github.com"


def reach(url: str | None, environ: Mapping[str, str], sleep: Sleep, /) -> GitHub | App:
    """Speak to github.com or the Enterprise Server at `url`, as an App whose key is there, else with a token.

    Raises RelockError without either.
    """
    where, actions = endpoints(usable(url or PUBLIC)), environ.get("GITHUB_ACTIONS") == "true"
    if environ.get(KEY):
        return App(where, identity(environ), lambda key: connect(where, key, sleep=sleep), sleep=sleep)
    key = token(environ, "GitHub", *TOKENS)
    return connect(where, key, sleep=sleep, actions=actions and key.startswith(BOT))


def connect(
    where: Endpoints, key: str, *, sleep: Sleep, timeout: float = TIMEOUT, actions: bool = False
) -> GitHub:
    """Speak to the GitHub at `where` with a token; `actions`: it is the one of a workflow's run."""
    headers = {"Authorization": f"Bearer {key}", **HEADERS}
    return GitHub(where, key, Wire(where.base, headers, sleep=sleep, timeout=timeout), actions=actions)
