"""The acts of the demonstration, in their order; one more is one file and one name here."""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from migrate.demo.acts import both, reader, role, swap
from migrate.demo.beats import Beat
from migrate.demo.stage import Stage


class Act(Protocol):
    """What a module of this folder has; `NAME` names its folder on the stage."""

    @property
    def NAME(self) -> str: ...

    @property
    def TITLE(self) -> str: ...

    def play(self, stage: Stage, /) -> Iterator[Beat]: ...


ACTS: Final[Sequence[Act]] = [swap, both, reader, role]
