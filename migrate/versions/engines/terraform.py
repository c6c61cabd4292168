"""What Terraform's releases do to the migration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from migrate.versions.engines.fact import EngineFact
from migrate.versions.release import Release

REMOVED_ARGUMENTS: Final[Mapping[str, str]] = {
    "role_arn": "role_arn",
    "session_name": "session_name",
    "external_id": "external_id",
    "assume_role_duration_seconds": "duration",
    "assume_role_policy": "policy",
    "assume_role_policy_arns": "policy_arns",
    "assume_role_tags": "tags",
    "assume_role_transitive_tag_keys": "transitive_tag_keys",
}
"""The top-level arguments of the S3 backend that 1.10.0 removed, and their names inside `assume_role`."""

FACTS: Final[Sequence[EngineFact]] = [
    EngineFact(
        name="lockfile-missing",
        tool="terraform",
        until=Release(1, 10, 0),
        bearing="lacks",
        what="does not know use_lockfile",
        consequence="a fresh init refuses it, a directory already initialised goes on with the table alone",
        sources=("hashicorp/terraform#35661",),
    ),
    EngineFact(
        name="top-level-assume-role",
        tool="terraform",
        since=Release(1, 10, 0),
        bearing="prepare",
        what="has no top-level role_arn and its seven companions any more",
        consequence="backends and terraform_remote_state move them into assume_role first",
        sources=("hashicorp/terraform#35721", "hashicorp/terraform#36037"),
    ),
    EngineFact(
        name="saved-backend",
        tool="terraform",
        since=Release(1, 10, 0),
        bearing="prepare",
        what="takes the backend that an older release saved for a changed one",
        consequence="a directory initialised by 1.9 or older wants init -reconfigure once, in any case",
        sources=("hashicorp/terraform#35721",),
    ),
    EngineFact(
        name="lock-without-checksum",
        tool="terraform",
        since=Release(1, 10, 0),
        until=Release(1, 10, 1),
        bearing="avoid",
        what="writes the lock without a checksum",
        consequence="a bucket with Object Lock refuses it",
        sources=("hashicorp/terraform#36113", "hashicorp/terraform#36120"),
    ),
    EngineFact(
        name="lockfile-experimental",
        tool="terraform",
        since=Release(1, 10, 0),
        until=Release(1, 11, 0),
        bearing="know",
        what="calls use_lockfile experimental",
        consequence="it is generally available from 1.11.0 on, which is therefore the floor",
        sources=("hashicorp/terraform#36338",),
    ),
    EngineFact(
        name="table-deprecated",
        tool="terraform",
        since=Release(1, 11, 0),
        bearing="know",
        what="calls dynamodb_table deprecated",
        consequence="it still works; its removal is announced for a minor release that has no number yet",
        sources=("hashicorp/terraform#36338",),
    ),
    EngineFact(
        name="warning-shown",
        tool="terraform",
        since=Release(1, 15, 0),
        bearing="know",
        what="shows the deprecation of dynamodb_table on commands that succeed, on stdout",
        consequence="its absence proves nothing of older ones; plain output and workspace list carry it",
        sources=("hashicorp/terraform:internal/command/meta_backend.go",),
    ),
    EngineFact(
        name="output-polluted",
        tool="terraform",
        since=Release(1, 15, 0),
        until=Release(1, 15, 2),
        bearing="avoid",
        what="prints warnings into output -json",
        consequence="scripts that read them break while the table is named",
        sources=("hashicorp/terraform#38484", "hashicorp/terraform#38530"),
    ),
    EngineFact(
        name="raw-output-polluted",
        tool="terraform",
        since=Release(1, 15, 0),
        until=Release(1, 15, 1),
        bearing="avoid",
        what="prints warnings into output -raw",
        consequence="scripts that read them break while the table is named",
        sources=("hashicorp/terraform#38484", "hashicorp/terraform#38487"),
    ),
    EngineFact(
        name="backend-validated",
        tool="terraform",
        since=Release(1, 15, 0),
        until=Release(1, 15, 1),
        bearing="know",
        what="checks the arguments of backend blocks in validate",
        consequence="validate fails where -backend-config gives the rest",
        sources=("hashicorp/terraform#38021", "hashicorp/terraform#38466"),
    ),
    EngineFact(
        name="child-backend-reported",
        tool="terraform",
        since=Release(1, 15, 9),
        bearing="know",
        what="reports backend blocks of child modules in validate",
        consequence="blocks that never took effect begin to show",
        sources=("hashicorp/terraform#38994",),
    ),
    EngineFact(
        name="wrong-digest-advised",
        tool="terraform",
        since=Release(1, 6, 0),
        until=Release(1, 9, 0),
        bearing="know",
        what="advises the stored checksum where a digest does not match the state",
        consequence="following it changes nothing: delete the row, or write the calculated checksum",
        sources=("hashicorp/terraform:internal/backend/remote-state/s3/client.go",),
    ),
    EngineFact(
        name="business-licence",
        tool="terraform",
        since=Release(1, 6, 0),
        bearing="know",
        what="is under the Business Source License",
        consequence="who stays on 1.5 for the licence gets the lockfile from OpenTofu alone",
        sources=("hashicorp/terraform:LICENSE",),
    ),
]
