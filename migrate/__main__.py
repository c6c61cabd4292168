"""The entry point, of `tfrelock` and of `python -m migrate`: an interrupt at any moment ends with one line.

A request to end (what a runner sends on cancel, or a terminal that is closed) is an interrupt like another:
what we started ends with us, and what was begun is undone or can be taken up.

Imports take the first quarter of a second. In the middle of one, an exception has a long traceback or is
swallowed by what imports; so, as long as there is no work to unwind, and once it is done, the end is at once.
Little is imported before that holds.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable
from types import FrameType

_INTERRUPTED = 130  # of `cli.exits`, which is not imported yet
_REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _end(number: int, frame: FrameType | None) -> None:
    os.write(2, b"\ntfrelock: interrupted\n")
    os._exit(_INTERRUPTED)


def _lead_nowhere() -> None:
    """Each stream that was closed before we began; else the next file that is opened would be that stream."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def main() -> None:
    """Run the command line of `sys.argv` and exit with its code."""
    _lead_nowhere()
    # Whoever started us may want none of them heeded: `nohup`, the background of a shell.
    heeded = [number for number in _REQUESTS if signal.getsignal(number) != signal.SIG_IGN]
    _heed(heeded, _end)
    from migrate.cli.main import main as run  # noqa: PLC0415  not before an interrupt ends with one line

    try:
        _heed(heeded, signal.default_int_handler)
        code = run()
        _heed(heeded, _end)
    except KeyboardInterrupt:  # a second one, while the first was told
        return _end(signal.SIGINT, None)
    sys.exit(code)


def _heed(requests: Iterable[int], how: Callable[[int, FrameType | None], None]) -> None:
    for number in requests:
        signal.signal(number, how)


if __name__ == "__main__":
    main()
