"""The layers of policies that have a say in a request."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from migrate.iam.policy import Policy


class Kind(Enum):
    """Which layer it is, in the words people see."""

    SCP = "service control policies"
    RCP = "resource control policies"
    ENDPOINT = "VPC endpoint policy"
    BOUNDARY = "permissions boundary"
    SESSION = "session policy"
    IDENTITY = "identity policies"
    BUCKET = "bucket policy"
    KEY = "key policy"
    TABLE = "table policy"


_ONLY_FOR = {Kind.BUCKET: "s3", Kind.ENDPOINT: "s3", Kind.KEY: "kms", Kind.TABLE: "dynamodb"}


class Layer(Struct, frozen=True):
    """The policies of one layer; a layer that is certainly not there is left out.

    Each level of the organization has a layer of its own, for each must allow. `unseen` says why some of
    the layer could not be read; empty: all of it is here.
    """

    kind: Kind
    policies: tuple[Policy, ...] = ()
    unseen: str = ""

    def concerns(self, action: str) -> bool:
        """Whether the layer is asked about actions of that service."""
        return _ONLY_FOR.get(self.kind, "") in ("", action.split(":", maxsplit=1)[0].lower())

    @property
    def hidden(self) -> str:
        """What of this layer is not known: what could not be read, else the first flaw in what was."""
        return self.unseen or next(self._flaws(denying=False), "")

    @property
    def may_deny(self) -> str:
        """The first flaw in what was read that may be a Deny; empty where none can."""
        return next(self._flaws(denying=True), "")

    def _flaws(self, *, denying: bool) -> Iterator[str]:
        for policy in self.policies:
            for flaw in policy.flaws:
                if flaw.denies or not denying:
                    yield f"{flaw.where}: {flaw.why}"
