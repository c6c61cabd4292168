"""The exit codes of the contract, and which of several wins."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final


class Exit(IntEnum):
    """What a command ends with; `PRECEDENCE` says which of several wins."""

    OK = 0
    ERROR = 1  # the tool or its environment
    FINDINGS = 2  # at or above --fail-on; with --check: changes pending
    NOTHING = 3  # a path or a filter names nothing at all
    CLOSED = 4  # asked for by name, held by a closed gate
    PARTIAL = 5  # something could not be read, or was refused
    UNKNOWN = 6  # asked for by name, no gate closed, one unknown
    USAGE = 64
    INTERRUPTED = 130


PRECEDENCE: Final = (
    Exit.INTERRUPTED,
    Exit.USAGE,
    Exit.ERROR,
    Exit.PARTIAL,
    Exit.CLOSED,
    Exit.UNKNOWN,
    Exit.FINDINGS,
    Exit.NOTHING,
    Exit.OK,
)


def worst(exits: Iterable[Exit]) -> Exit:
    """The one code that several outcomes end with; `OK` when there were none."""
    return min(exits, key=PRECEDENCE.index, default=Exit.OK)
