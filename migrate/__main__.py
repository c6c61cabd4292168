"""The entry point, of `tfrelock` and of `python -m migrate`: an interrupt at any moment ends with one line.

Imports take the first quarter of a second. In the middle of one, an exception has a long traceback or is
swallowed by what imports; so, as long as there is no work to unwind, and once it is done, the end is at once.
Little is imported before that holds.
"""

import os
import signal
import sys

_INTERRUPTED = 130  # of `cli.exits`, which is not imported yet


def _end(number: int, frame: object) -> None:
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
    unwinding = signal.getsignal(signal.SIGINT)
    heeded = unwinding is signal.default_int_handler  # not where whoever started us wants no interrupt
    at_once = _end if heeded else unwinding
    signal.signal(signal.SIGINT, at_once)
    from migrate.cli.main import main as run  # noqa: PLC0415  not before an interrupt ends with one line

    try:
        signal.signal(signal.SIGINT, unwinding)
        code = run()
        signal.signal(signal.SIGINT, at_once)
    except KeyboardInterrupt:  # a second one, while the first was told
        return _end(signal.SIGINT, None)
    sys.exit(code)


if __name__ == "__main__":
    main()
