"""The conversation with a forge over HTTP: what is asked again, what an answer means, where the token goes.

A request that the forge refused did nothing and may be sent again. One that was answered by silence (no
answer, a broken one, a 5xx) may have done its work: reading and setting are repeated here, making is given
back as `Silence`, for the caller to look first. Waiting is a port, so that no test waits.
"""

import ssl
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, Literal, TypeAlias, TypeVar

import httpx

from migrate.errors import RelockError
from migrate.forges.answer import Json, LaterError, Reply, Silence, asked_pause
from migrate.forges.body import PACKED, read
from migrate.forges.forge import Paces, Sleep
from migrate.outgoing import tell

Verb: TypeAlias = Literal["GET", "PATCH", "POST", "PUT"]

TIMEOUT: Final = 30.0
PATIENCE: Final = 120.0
"""The longest wait, in seconds, that a forge may ask of us; past it people are told instead."""
TRIES: Final = 4
PAUSES: Final = (2.0, 4.0, 8.0)
"""Seconds before a second, third and last attempt at what failed without a word."""
_REDIRECTS: Final = frozenset({301, 302, 307, 308})
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
R = TypeVar("R")


@cache
def _certificates() -> ssl.SSLContext:
    """Whom we believe. Reading them takes longer than a request, and an App has several conversations."""
    return httpx.create_ssl_context()


class Wire:
    """One API. `headers` hold the token and leave for `base` alone; `sleep` waits that many seconds."""

    def __init__(
        self, base: str, headers: Mapping[str, str], *, sleep: Sleep, timeout: float = TIMEOUT
    ) -> None:
        self._base = _checked(base)
        self._sleep = sleep
        self._timeout = timeout
        told = {"User-Agent": "tfrelock", "Accept-Encoding": PACKED, **headers}
        self._client = httpx.Client(
            headers=told, timeout=timeout, follow_redirects=False, verify=_certificates()
        )

    @property
    def host(self) -> str:
        return self._base.netloc.decode()

    def close(self) -> None:
        self._client.close()

    def get(self, path: str, *, query: Mapping[str, str] | None = None) -> Reply:
        return self._surely("GET", path, query=query)

    def set(self, path: str, body: Json) -> Reply:
        """Write what may be written twice.

        Raises RelockError when the forge stays silent or asks for a longer wait than `PATIENCE`.
        """
        return self._surely("PATCH", path, body=body)

    def put(self, path: str, body: Json) -> Reply:
        """As `set`, for a forge that says PUT."""
        return self._surely("PUT", path, body=body)

    def add(self, path: str, body: Json) -> Reply:
        """As `set`, for a POST that names what it wants and so makes nothing twice."""
        return self._surely("POST", path, body=body)

    def make(self, path: str, body: Json) -> Reply | Silence:
        """Write what must not be written twice: after `Silence`, look."""
        return self._patiently("POST", path, body=body)

    def surely(self, attempt: Callable[[], R | Silence]) -> R:
        """What `attempt` comes to. After a silence it is made again: it looks before it makes anything.

        Raises RelockError when the forge stays silent.
        """
        pauses = iter(PAUSES)
        while isinstance(answer := attempt(), Silence):
            pause = next(pauses, None)
            if pause is None:
                raise self._silent(answer)
            self._sleep(pause)
        return answer

    def _surely(
        self, verb: Verb, path: str, *, body: Json = None, query: Mapping[str, str] | None = None
    ) -> Reply:
        return self.surely(lambda: self._patiently(verb, path, body=body, query=query))

    def _patiently(
        self, verb: Verb, path: str, *, body: Json = None, query: Mapping[str, str] | None = None
    ) -> Reply | Silence:
        """Send, waiting as long as the forge asks us to: a request that hit a limit did nothing."""
        for attempt in range(1, TRIES + 1):
            answer = self._send(verb, path, body=body, query=query)
            pause = asked_pause(answer) if isinstance(answer, Reply) else None
            if pause is None:
                return answer
            if pause > PATIENCE or attempt == TRIES:
                raise LaterError(pause, self.host)
            self._sleep(pause)
        raise AssertionError(TRIES)

    def _send(self, verb: Verb, path: str, *, body: Json, query: Mapping[str, str] | None) -> Reply | Silence:
        if verb != "GET" and isinstance(self._sleep, Paces):
            self._sleep.write()
        url = httpx.URL(f"{self._base}{path}", params=dict(query) if query else None)
        for _ in range(TRIES):
            tell(f"{verb} {url.host}{url.path}")
            answer = self._answered(verb, url, body)
            if not isinstance(answer, httpx.URL):
                return answer
            url = answer
        raise RelockError("the forge redirects in a circle", self.host, "check the URL of the forge")

    def _answered(self, verb: Verb, url: httpx.URL, body: Json) -> Reply | Silence | httpx.URL:
        """What comes back for one request; a URL: it is to be made there."""
        try:
            with self._client.stream(verb, url, json=body) as answer:
                if answer.status_code in _REDIRECTS:
                    return self._followed(url, answer.headers.get("location", ""))
                return read(answer, self._timeout)
        except httpx.TimeoutException:
            return Silence("it did not answer in time")
        except httpx.TransportError as error:
            return Silence(f"the connection broke ({type(error).__name__})")
        except zlib.error:
            return Silence("its answer cannot be unpacked")

    def _followed(self, url: httpx.URL, location: str) -> httpx.URL:
        """Where a redirect leads, on the same host: a renamed repository does that. A token goes nowhere
        else. What was asked for is asked for there too, should the redirect not say it again.
        """
        try:
            target = url.join(location)
        except httpx.InvalidURL:
            target = httpx.URL()
        target = target if target.query else target.copy_with(query=url.query or None)
        if (target.scheme, target.netloc) != (self._base.scheme, self._base.netloc):
            raise RelockError(
                f"the forge redirects to another host ({target.host or 'none'}), and that is refused",
                self.host,
                "name the forge by the URL at which it answers itself",
            )
        return target

    def _silent(self, silence: Silence) -> RelockError:
        return RelockError(
            f"the forge gave no answer: {silence.why}",
            self.host,
            "run the same command again: it looks before it makes",
        )


def _checked(base: str) -> httpx.URL:
    url = httpx.URL(base.rstrip("/"))
    if url.scheme == "https" or (url.scheme == "http" and url.host in _LOOPBACK):
        return url
    raise RelockError(
        "the forge's URL is not https", f"{url.scheme}://{url.host}", "name it by its https URL"
    )
