"""Where pipelines and scripts run Terraform. To add a kind of file: its module, its name in the list, its
test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from migrate.model import Run
from migrate.pipelines import backend_config, variables
from migrate.plug import Plug

Pipeline: TypeAlias = Plug[Run, None]

PIPELINES: Final[Sequence[Pipeline]] = [backend_config, variables]
