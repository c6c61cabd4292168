"""Gitea and Forgejo: pull requests over their REST API, version 1, which both have alike.

They refuse a second open pull request of one branch into one (409); a draft is a title that begins with
"WIP:". They do not search by branch: the list is read page by page, newest first, to an open one or to its
end.
"""

from collections.abc import Mapping
from typing import Final

from migrate.errors import RelockError
from migrate.forges.address import Address, token, usable
from migrate.forges.forge import Sleep
from migrate.forges.gitea.proposals import Gitea
from migrate.forges.wire import TIMEOUT, Wire

NAME: Final = "gitea"
TOKEN: Final = "GITEA_TOKEN"  # noqa: S105  the name of it


def reach(url: str | None, environ: Mapping[str, str], sleep: Sleep, /) -> Gitea:
    """Speak to the Gitea or Forgejo at `url`. Raises RelockError without a URL or a token."""
    if url is None:
        raise RelockError("Gitea and Forgejo have no public host", "--forge-url", "say where yours is")
    return connect(Address(usable(url)), token(environ, "Gitea", TOKEN), sleep=sleep)


def connect(where: Address, key: str, *, sleep: Sleep, timeout: float = TIMEOUT) -> Gitea:
    """Speak to the Gitea or Forgejo at `where` with a token."""
    headers = {"Authorization": f"token {key}", "Accept": "application/json"}
    base = f"{where.url.rstrip('/')}/api/v1"
    return Gitea(where, key, Wire(base, headers, sleep=sleep, timeout=timeout))
