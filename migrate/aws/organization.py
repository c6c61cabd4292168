"""The policies an organization sets over an account: one layer for the account and each level above it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import boto3

from migrate.aws.looking import ANY_REGION, PATIENCE, looked
from migrate.iam.kept import Kept, Other, kept
from migrate.iam.layers import Kind, Layer
from migrate.model import Fact, Known, Unknown

Control: TypeAlias = Literal["SERVICE_CONTROL_POLICY", "RESOURCE_CONTROL_POLICY"]

_CONTROLS: Final[dict[Kind, Control]] = {
    Kind.SCP: "SERVICE_CONTROL_POLICY",
    Kind.RCP: "RESOURCE_CONTROL_POLICY",
}
_NO_ORGANIZATION: Final = ("AWSOrganizationsNotInUseException",)
_NOT_ENABLED: Final = ("PolicyTypeNotEnabledException",)


def limits(session: boto3.Session, account: str, kind: Kind) -> tuple[Layer, ...]:
    """The layers of one kind; none outside an organization, and for the account that manages it.

    Only that account and its delegates may ask; for all others the layer is there and not visible.
    """
    levels = _Levels(session, kind)
    manager = levels.manager()
    if isinstance(manager, Unknown):
        return (Layer(kind, unseen=manager.why),)
    return () if manager.value in (None, account) else tuple(_layers(levels, account))


class _Levels:
    """What the organization says of an account, folder or root, each by its id."""

    def __init__(self, session: boto3.Session, kind: Kind) -> None:
        region = session.region_name or ANY_REGION
        self._client = session.client("organizations", region_name=region, config=PATIENCE)
        self.kind = kind

    def manager(self) -> Fact[str | None]:
        """The account that manages the organization, None outside of one."""
        return looked(
            "organizations:DescribeOrganization",
            lambda: str(self._client.describe_organization()["Organization"]["MasterAccountId"]),
            _NO_ORGANIZATION,
        )

    def layer(self, target: str) -> Layer | None:
        """The policies at one level; None where this kind of policy is not in use."""
        pages = self._client.get_paginator("list_policies_for_target")
        found = looked(
            "organizations:ListPoliciesForTarget",
            lambda: [
                one
                for page in pages.paginate(TargetId=target, Filter=_CONTROLS[self.kind])
                for one in page["Policies"]
            ],
            _NOT_ENABLED,
        )
        if isinstance(found, Unknown):
            return Layer(self.kind, unseen=found.why)
        if found.value is None:
            return None
        read = [self._document(one["Id"], one["Name"]) for one in found.value]
        unseen = next((one.why for one in read if isinstance(one, Unknown)), "")
        policies = (one.value.policy for one in read if isinstance(one, Known) and one.value)
        return Layer(self.kind, tuple(policies), unseen)

    def parent(self, child: str) -> Fact[str | None]:
        """The level above, None above the root."""
        if child.startswith("r-"):
            return Known(None, "seen")
        what = "organizations:ListParents"
        return looked(what, lambda: self._client.list_parents(ChildId=child)["Parents"][0]["Id"])

    def _document(self, policy: str, name: str) -> Fact[Kept | None]:
        def read() -> Kept:
            content = self._client.describe_policy(PolicyId=policy)["Policy"]["Content"]
            return kept(Other(f"{self.kind.value}/{name}"), content)

        return looked("organizations:DescribePolicy", read)


def _layers(levels: _Levels, account: str) -> Iterator[Layer]:
    level: Fact[str | None] = Known(account)
    while isinstance(level, Known) and level.value:
        layer = levels.layer(level.value)
        if layer:
            yield layer
        level = levels.parent(level.value)
    if isinstance(level, Unknown):
        yield Layer(levels.kind, unseen=level.why)
