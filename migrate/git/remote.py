"""Remotes, reached from a repository of our own with the user's own credentials."""

import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from migrate.errors import RelockError
from migrate.git.command import output
from migrate.git.own import AS_USER, Own
from migrate.process import Finished, Result

_HOST: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*|::1")
_SCP: Final = re.compile(r"(?:[A-Za-z0-9_][\w.-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?![/:-])[^\s:]+")
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_SLOW: Final = 900.0
FETCH: Final = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
WITHOUT_LARGE: Final = (f"--filter=blob:limit={1 << 24}",)
"""A file beyond that is read nowhere, so clones of our own have none."""
_DEPTHS: Final = (16, 256, 4096, 0x7FFFFFFF)  # git takes the last for "all"


@dataclass(frozen=True, slots=True)
class Remote:
    """A checked URL and, for https, the token of its forge. Made by `remote`."""

    url: str
    scheme: str
    token: str | None = field(default=None, repr=False)


class Rejected(Struct, frozen=True):
    """A branch was not put: somebody pushed meanwhile, a rule of the remote says no, its name is taken."""

    why: str
    remedy: str = "see the rules of that repository"


def remote(url: str, token: str | None = None) -> Remote:
    """Check a URL: https, ssh or `user@host:path`; RelockError for all else (`ext::` runs a program)."""
    if url.isprintable() and " " not in url:
        if _SCP.fullmatch(url):
            return Remote(url, "ssh")
        split = _split(url)
        plain = split.scheme == "http" and split.hostname in _LOOPBACK
        if (split.scheme in ("https", "ssh") or plain) and _HOST.fullmatch(split.hostname or ""):
            return Remote(url, split.scheme, None if split.scheme == "ssh" else token)
    raise RelockError(f"not a remote we push to: {url!r}", "", "use an https:// or ssh:// URL as origin")


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")


def asked(own: Own, at: Remote, *arguments: str) -> Result:
    """Run git with a remote: as the user's configuration says, and with the token of its forge."""
    protocols = "https:ssh:http" if at.scheme == "http" else "https:ssh"
    env = AS_USER | _authorization(at) | {"GIT_ALLOW_PROTOCOL": protocols}
    return own.ask(*arguments, env=env, timeout=_SLOW, secrets=(at.token,) if at.token else ())


def _authorization(at: Remote) -> dict[str, str]:
    """The token as a header for that host alone: never among the arguments, never in a file. A redirect is
    not followed: from the second request on git would take the header along, wherever it leads.
    """
    if at.token is None:
        return {}
    basic = b64encode(f"x-access-token:{at.token}".encode()).decode()
    host = _split(at.url).netloc.rpartition("@")[2]
    return {
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": f"http.{at.scheme}://{host}/.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: Basic {basic}",
        "GIT_CONFIG_KEY_1": f"http.{at.scheme}://{host}/.followRedirects",
        "GIT_CONFIG_VALUE_1": "false",
    }


def remote_tip(own: Own, at: Remote, branch: str) -> str | None:
    """Where a branch of the remote stands, None: nowhere. Raises RelockError when it does not answer."""
    return tips(own, at, [branch]).get(branch)


def tips(own: Own, at: Remote, branches: Iterable[str]) -> dict[str, str]:
    """Where these branches of the remote stand; what it does not have is left out. Raises RelockError.

    `ls-remote` lists whatever ends as it is asked, `refs/other/refs/heads/main` too.
    """
    names = [f"refs/heads/{branch}" for branch in branches]
    told = output(asked(own, at, "ls-remote", "--", at.url, *names), at.url).decode("utf-8", "replace")
    found = (line.partition("\t") for line in told.splitlines())
    return {ref.removeprefix("refs/heads/"): commit for commit, _, ref in found if ref in names}


def remote_branches(own: Own, at: Remote, prefix: str) -> list[str]:
    """The branches of the remote whose names begin with `prefix` and a slash. Raises RelockError."""
    beneath = f"refs/heads/{prefix}/"
    told = output(asked(own, at, "ls-remote", "--", at.url, f"{beneath}*"), at.url)
    refs = (line.partition("\t")[2] for line in told.decode("utf-8", "replace").splitlines())
    return [ref.removeprefix("refs/heads/") for ref in refs if ref.startswith(beneath)]


def fetch(own: Own, at: Remote, branch: str) -> str:
    """Bring a branch of the remote into our own repository and give its commit. Raises RelockError."""
    kept = f"refs/fetched/{branch}"
    options = (*FETCH, *(WITHOUT_LARGE if own.shallow else ()))
    output(asked(own, at, "fetch", *options, "--", at.url, f"+refs/heads/{branch}:{kept}"), at.url)
    return own.get("rev-parse", "--verify", kept).decode().strip()


def fetch_down_to(own: Own, at: Remote, branch: str, base: str, commit: str) -> str:
    """As `fetch`, in a history that ends somewhere: back to where the branch leaves `base`.

    `commit` is of the branch `base`. Only as far as needed is fetched, at worst all. Raises RelockError.
    """
    refs = [f"+refs/heads/{name}:refs/fetched/{name}" for name in dict.fromkeys((branch, base))]
    tip = ""
    for depth in _DEPTHS:
        options = (*FETCH, *WITHOUT_LARGE, f"--depth={depth}")
        output(asked(own, at, "fetch", *options, "--", at.url, *refs), at.url)
        tip = own.get("rev-parse", "--verify", f"refs/fetched/{branch}").decode().strip()
        found = own.ask("merge-base", commit, tip)
        if isinstance(found, Finished) and found.ok:
            break
    return tip


def push(own: Own, at: Remote, branch: str, tip: str, seen: str | None) -> Rejected | None:
    """Put `tip` on a branch of the remote if that is still where it was `seen` (None: nowhere).

    Raises RelockError when the remote does not answer; a "no" is a value.
    """
    name = f"refs/heads/{branch}"
    lease = f"--force-with-lease={name}:{seen or ''}"
    options = ("--porcelain", "--no-verify", "--recurse-submodules=no")
    result = asked(own, at, "push", *options, lease, "--", at.url, f"{tip}:{name}")
    if isinstance(result, Finished) and not result.ok:
        lines = result.out.decode("utf-8", "replace").splitlines()
        if refused := [line.split("\t")[-1] for line in lines if line.startswith("!")]:
            said = [line.rstrip() for line in result.err.splitlines() if line.startswith("remote:")]
            return Rejected(f"the push was refused: {'; '.join((*refused, *said))}")
    output(result, at.url)
    return None
