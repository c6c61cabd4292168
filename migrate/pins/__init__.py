"""Where a version is chosen. To add a kind of place: its module, its name in the list, its test.

The wish for a pin is the text its version shall have: how far to raise it is `versions`' business, how it is
spelled in its file the plug's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from migrate.model import Pin
from migrate.pins import required_version, version_file
from migrate.plug import Plug

PinPlug: TypeAlias = Plug[Pin, str]

PINS: Final[Sequence[PinPlug]] = [required_version, version_file]

BY_NAME: Final[Mapping[str, PinPlug]] = {plug.NAME: plug for plug in PINS}
