"""Where a state and its lock are kept: object names and ARNs, of one workspace or of all."""

from __future__ import annotations

import posixpath
from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct

from migrate.iam.glob import Glob, Wild, exact, join

_PARTITIONS: Final = {
    "cn-": "aws-cn",
    "us-gov-": "aws-us-gov",
    "us-iso-": "aws-iso",
    "us-isob-": "aws-iso-b",
    "eu-isoe-": "aws-iso-e",
    "us-isof-": "aws-iso-f",
    "eusc-": "aws-eusc",
}
SUFFIX: Final = ".tflock"


class Workspaces(Enum):
    EVERY = "every workspace"
    """Every workspace there can be, the default one apart."""


Workspace: TypeAlias = str | Workspaces
"""A workspace by name; `default` is the one whose state is at the key itself."""


class Address(Struct, frozen=True):
    """A state in a bucket. `prefix` is the backend's `workspace_key_prefix`.

    `home` is the partition of whoever asks, for where no region tells it.
    """

    bucket: str
    key: str
    region: str = ""
    prefix: str = "env:"
    home: str = "aws"

    @property
    def partition(self) -> str:
        """The partition its region is of."""
        if not self.region:
            return self.home
        for start, partition in _PARTITIONS.items():
            if self.region.startswith(start):
                return partition
        return "aws"

    @property
    def bucket_arn(self) -> str:
        return f"arn:{self.partition}:s3:::{self.bucket}"

    def state(self, workspace: Workspace = "default") -> Glob:
        """The ARN of the state object."""
        if workspace == "default":
            return exact(f"{self.bucket_arn}/{self.key}")
        # as the backend joins it: `//` and `.` go away here, and stay in the default workspace
        prefix, key = posixpath.normpath(self.prefix or "."), posixpath.normpath(self.key)
        start = f"{self.bucket_arn}/" if prefix == "." else f"{self.bucket_arn}/{prefix}/"
        return join((start, workspace if isinstance(workspace, str) else Wild.SEGMENT, f"/{key}"))

    def lock(self, workspace: Workspace = "default") -> Glob:
        """The ARN of the lock object."""
        return join((*self.state(workspace).pieces, SUFFIX))

    def lock_key(self, workspace: str) -> str:
        """The key of the lock object."""
        return str(self.lock(workspace)).removeprefix(f"{self.bucket_arn}/")
