"""What the PATHs of a command lead to, being read.

Little is imported here, so that a large tree is being read while the rest of a command is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from migrate.campaign.reading.one_file import Taken, interest, taken
from migrate.files import Discovered, Item, Repository, walk

if TYPE_CHECKING:
    from migrate.policies import PolicySource

Items: TypeAlias = Iterator[tuple[Repository, Item | Taken]]


@contextmanager
def reading(found: Discovered, policies: tuple[PolicySource, ...] = ()) -> Iterator[Items]:
    """The items of every repository with a work tree, what was found in each file in place of the file.

    Only these kinds of `policies` are looked for.
    """
    checkouts = [one for one in found.repositories if not one.bare]
    with walk(checkouts, interest(policies), partial(taken, policies)) as items:
        yield items
