"""Why no edit is made of a policy that limits everybody behind it."""

from __future__ import annotations

from typing import Final

ORGANIZATION: Final = "an organization's policy limits its accounts: its owner adds the statement"
ENDPOINT: Final = "a VPC endpoint's policy limits all who go through it: its owner adds the statement"
BOUNDARY: Final = "a permissions boundary limits whoever has it: its owner adds the statement"
