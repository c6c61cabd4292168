"""The only room that starts programs: a list of arguments in, what came of it out.

No shell, a clean environment, no terminal to ask at, and a session of its own, so that an interrupt is passed
on in an orderly way: the program and all it started are asked to end, and only then killed.
"""

import errno
import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, TypeAlias

from msgspec import Struct

from migrate.errors import RelockError
from migrate.outgoing import tell

INHERITED: Final = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ"),
        *("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "SSH_AUTH_SOCK", "GNUPGHOME", "SSL_CERT_FILE", "SSL_CERT_DIR"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
        *("GIT_CONFIG_GLOBAL", "GIT_SSH_COMMAND", "GIT_ASKPASS"),
        *("http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    }
)
"""What every program inherits: where things are and how the network is reached. No credential is among it."""

_NO_PROGRAM: Final = (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR)
_GRACE: Final = 5.0
_USERINFO: Final = re.compile(r"(?<=://)[^/\s]*@")


class Finished(Struct, frozen=True):
    """A program that ended by itself. `shown` is its command line, `err` what it said, without secrets."""

    shown: str
    code: int
    out: bytes
    err: str

    @property
    def ok(self) -> bool:
        return self.code == 0


class NotFound(Struct, frozen=True):
    """There is no such program on PATH, or none that this machine can start."""

    program: str


class TimedOut(Struct, frozen=True):
    """A program that was ended because it took too long."""

    shown: str
    seconds: float


Result: TypeAlias = Finished | NotFound | TimedOut


class Call(Struct, frozen=True):
    """One program to run. `env` is added to what is inherited; `secrets` are masked in all that is shown.

    `holds` are descriptors that stay open in it: a lock on one outlives us.
    """

    arguments: Sequence[str]
    cwd: Path
    env: Mapping[str, str]
    stdin: bytes = b""
    timeout: float = 120.0
    secrets: tuple[str, ...] = ()
    holds: tuple[int, ...] = ()

    @property
    def shown(self) -> str:
        return masked(" ".join(self.arguments), self.secrets)


def run(call: Call) -> Result:
    """Run a program to its end. Raises KeyboardInterrupt after the program was ended."""
    process = _opened(call, subprocess.PIPE, subprocess.PIPE)
    if isinstance(process, NotFound):
        return process
    with process:
        return _finished(call, process)


def _opened(call: Call, out: int | IO[bytes], err: int | IO[bytes]) -> subprocess.Popen[bytes] | NotFound:
    tell(call.shown)
    inherited = {name: value for name, value in os.environ.items() if name in INHERITED}
    try:
        return subprocess.Popen(
            call.arguments,
            cwd=call.cwd,
            env=inherited | dict(call.env),
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=err,
            start_new_session=True,
            pass_fds=call.holds,
        )
    except OSError as error:
        if error.errno not in _NO_PROGRAM or not call.cwd.is_dir():
            raise
        return NotFound(str(error.filename or call.arguments[0]))


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


class Running(Struct, frozen=True):
    """A program that was started and goes on by itself; what it says is kept in files, so it never waits."""

    call: Call
    process: subprocess.Popen[bytes]
    out: IO[bytes]
    err: IO[bytes]

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    @property
    def said(self) -> bytes:
        """What it has written to its output so far."""
        return _content(self.out)

    def ask_to_end(self) -> None:
        """Ask the program and all it started to end, and wait for nothing."""
        if not self.ended:
            _signal(self.process, signal.SIGTERM)

    def finished(self) -> Finished | TimedOut:
        """Wait for its end; a program that takes too long from now on is ended."""
        try:
            self.process.wait(self.call.timeout)
        except subprocess.TimeoutExpired:
            _end(self.process)
            return TimedOut(self.call.shown, self.call.timeout)
        said = _content(self.err).decode("utf-8", "replace").strip()
        code, secrets = self.process.returncode, self.call.secrets
        return Finished(self.call.shown, code, self.said, masked(said, secrets))


def _content(file: IO[bytes]) -> bytes:
    """All that is in the file, whoever wrote it; its position is the program's own and does not move."""
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


@contextmanager
def started(call: Call) -> Iterator[Running]:
    """Start a program and go on beside it; where the block ends, so does the program.

    Its standard input gets nothing and stays open until then: a program that reads it sees our end, however
    we end. Raises RelockError where there is no such program.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        process = _opened(call, out, err)
        if isinstance(process, NotFound):
            raise RelockError("there is no such program", process.program, "install it or name its path")
        with process:
            try:
                yield Running(call, process, out, err)
            finally:
                if process.poll() is None:
                    _end(process)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let a request to end wait for the end of the block: a program that is started in it, and not yet known
    to whoever would end it, would outlive us. The program itself heeds such requests as always.
    """
    asked: list[int] = []
    here = threading.current_thread() is threading.main_thread()
    heeded = {number: signal.getsignal(number) for number in _REQUESTS if here}
    handlers = {number: handler for number, handler in heeded.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda number, _: asked.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if asked:
            signal.raise_signal(asked[0])


_REQUESTS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask the program and all it started to end; kill what has not after a while."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if not _signal(process, number):
            return
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_GRACE)


def _signal(process: subprocess.Popen[bytes], number: int) -> bool:
    """Whether there was anybody to tell it."""
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):  # macOS says the latter of what has ended but for its name
        return False
    return True


def masked(text: str, secrets: Sequence[str] = ()) -> str:
    """`text` without the given secrets and without user information in URLs."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    return _USERINFO.sub("***@", text)
