"""Where a version is chosen. To add a kind of place: its module, its name in the list, its test.

The wish for a pin is the text its version shall have: how far to raise it is `versions`' business, how it is
spelled in its file the plug's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from migrate.model import Pin
from migrate.pins import (
    assignment,
    atlantis,
    devcontainer,
    dockerfile,
    github_workflow,
    image,
    install_line,
    mise,
    package_set,
    pipeline,
    renovate,
    required_version,
    required_version_json,
    terragrunt_constraint,
    tfswitch,
    tool_versions,
    version_file,
)
from migrate.plug import Plug

PinPlug: TypeAlias = Plug[Pin, str]

PINS: Final[Sequence[PinPlug]] = [
    required_version,
    required_version_json,
    terragrunt_constraint,
    version_file,
    tfswitch,
    tool_versions,
    mise,
    github_workflow,
    pipeline,
    atlantis,
    dockerfile,
    image,
    assignment,
    install_line,
    devcontainer,
    package_set,
    renovate,
]

BY_NAME: Final[Mapping[str, PinPlug]] = {plug.NAME: plug for plug in PINS}
