"""What goes out of this process, a program or a request, told to whoever listens.

The listener is of the context that a command runs in, and ends with it; a thread that takes part is started
in a copy of that context.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, TypeAlias

Listener: TypeAlias = Callable[[str], None]

_LISTENER: Final[ContextVar[Listener | None]] = ContextVar("listener", default=None)


def listen(listener: Listener) -> None:
    """From here on in this context, each call is told to `listener` before it is made."""
    _LISTENER.set(listener)


def tell(call: str) -> None:
    """One call in a line: a command line with its secrets masked, or method, host and path of a request.

    Never a header, a query, user information of a URL or a body.
    """
    if listener := _LISTENER.get():
        listener(call)
