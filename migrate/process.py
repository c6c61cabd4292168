"""The only room that starts programs: a list of arguments in, what came of it out.

No shell, a clean environment, no terminal to ask at, and a session of its own, so that an interrupt is passed
on in an orderly way: the program and all it started are asked to end, and only then killed.
"""

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

INHERITED: Final = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ"),
        *("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "SSH_AUTH_SOCK", "GNUPGHOME", "SSL_CERT_FILE", "SSL_CERT_DIR"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
        *("http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    }
)
"""What every program inherits: where things are and how the network is reached. No credential is among it."""

_GRACE: Final = 5.0
_USERINFO: Final = re.compile(r"(?<=://)[^/\s@]*@")


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that ended by itself. `shown` is its command line, `err` what it said, without secrets."""

    shown: str
    code: int
    out: bytes
    err: str

    @property
    def ok(self) -> bool:
        return self.code == 0


@dataclass(frozen=True, slots=True)
class NotFound:
    """There is no such program on PATH."""

    program: str


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A program that was ended because it took too long."""

    shown: str
    seconds: float


Result: TypeAlias = Finished | NotFound | TimedOut


@dataclass(frozen=True, slots=True)
class Call:
    """One program to run. `env` is added to what is inherited; `secrets` are masked in all that is shown."""

    arguments: Sequence[str]
    cwd: Path
    env: Mapping[str, str]
    stdin: bytes = b""
    timeout: float = 120.0
    secrets: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return masked(" ".join(self.arguments), self.secrets)


def run(call: Call) -> Result:
    """Run a program to its end. Raises KeyboardInterrupt after the program was ended."""
    inherited = {name: value for name, value in os.environ.items() if name in INHERITED}
    try:
        process = subprocess.Popen(
            call.arguments,
            cwd=call.cwd,
            env=inherited | dict(call.env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (FileNotFoundError, PermissionError) as error:
        if not call.cwd.is_dir():
            raise
        return NotFound(str(error.filename or call.arguments[0]))
    with process:
        return _finished(call, process)


def _finished(call: Call, process: subprocess.Popen[bytes]) -> Finished | TimedOut:
    try:
        out, err = process.communicate(call.stdin, timeout=call.timeout)
    except subprocess.TimeoutExpired:
        _end(process)
        return TimedOut(call.shown, call.timeout)
    except BaseException:  # an interrupt above all: nothing that we started outlives us
        _end(process)
        raise
    said = err.decode("utf-8", "replace").strip()
    return Finished(call.shown, process.returncode, out, masked(said, call.secrets))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask the program and all it started to end; kill what has not after a while."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.communicate(timeout=_GRACE)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def masked(text: str, secrets: Sequence[str] = ()) -> str:
    """`text` without the given secrets and without user information in URLs."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    return _USERINFO.sub("***@", text)
