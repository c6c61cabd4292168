"""GitLab, its own host or somebody's: merge requests over the REST API, version 4.

GitLab refuses a second open merge request of one branch into one (409), a draft is a title that begins with
"Draft:", and a line of a description that begins with a slash may be a command to it.
"""

from collections.abc import Mapping
from typing import Final

from migrate.forges.address import Address, token, usable
from migrate.forges.forge import Sleep
from migrate.forges.gitlab.proposals import GitLab
from migrate.forges.wire import TIMEOUT, Wire

NAME: Final = "gitlab"
TOKEN: Final = "GITLAB_TOKEN"  # noqa: S105  the name of it
PUBLIC: Final = "https://gitlab.com"


def reach(url: str | None, environ: Mapping[str, str], sleep: Sleep, /) -> GitLab:
    """Speak to gitlab.com or the GitLab at `url`. Raises RelockError without a token."""
    return connect(Address(usable(url or PUBLIC)), token(environ, "GitLab", TOKEN), sleep=sleep)


def connect(where: Address, key: str, *, sleep: Sleep, timeout: float = TIMEOUT) -> GitLab:
    """Speak to the GitLab at `where` with a token."""
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
    base = f"{where.url.rstrip('/')}/api/v4"
    return GitLab(where, key, Wire(base, headers, sleep=sleep, timeout=timeout))
