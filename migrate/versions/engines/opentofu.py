"""What OpenTofu's releases do to the migration.

Tried with 1.9.4, 1.10.10 and 1.12.6, but for the encryption header and the shared cache: those were read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from migrate.versions.engines.fact import EngineFact
from migrate.versions.release import Release

FACTS: Final[Sequence[EngineFact]] = [
    EngineFact(
        name="lockfile-missing",
        tool="opentofu",
        until=Release(1, 10, 0),
        bearing="lacks",
        what="does not know use_lockfile",
        consequence="init refuses the argument",
        sources=("opentofu/opentofu#599", "opentofu/opentofu#2521"),
    ),
    EngineFact(
        name="lock-without-encryption-header",
        tool="opentofu",
        since=Release(1, 10, 0),
        until=Release(1, 10, 2),
        bearing="avoid",
        what="writes the lock without the encryption header",
        consequence="a bucket policy that denies unencrypted writes refuses it",
        sources=("opentofu/opentofu#2970",),
    ),
    EngineFact(
        name="table-supported",
        tool="opentofu",
        bearing="know",
        what="keeps the table lock without deprecation",
        consequence="no warning asks for the migration",
        sources=("opentofu/opentofu:website/docs/language/settings/backends/s3.mdx",),
    ),
    EngineFact(
        name="top-level-assume-role-kept",
        tool="opentofu",
        bearing="know",
        what="still takes top-level role_arn and its companions, as deprecated",
        consequence="the floor does not wait for a rewrite",
        sources=("opentofu/opentofu:internal/backend/remote-state/s3/backend.go",),
    ),
    EngineFact(
        name="backend-expressions",
        tool="opentofu",
        since=Release(1, 8, 0),
        bearing="know",
        what="evaluates variables and locals in a backend block",
        consequence="a table that is named by an expression is still a table",
        sources=("opentofu/opentofu#1718",),
    ),
    EngineFact(
        name="tofu-files",
        tool="opentofu",
        since=Release(1, 8, 0),
        bearing="know",
        what="reads .tofu files and leaves out a .tf file of the same name",
        consequence="the backend that counts may stand in either",
        sources=("opentofu/opentofu#1738",),
    ),
    EngineFact(
        name="required-version-ignored",
        tool="opentofu",
        since=Release(1, 12, 0),
        bearing="know",
        what="reads required_version in .tofu files only",
        consequence="a constraint in a .tf file holds older releases back, not this one",
        sources=("opentofu/opentofu#3300", "opentofu/opentofu:internal/configs/diagnostics.go"),
    ),
    EngineFact(
        name="checksum-switched-off",
        tool="opentofu",
        since=Release(1, 10, 0),
        bearing="know",
        what="sends no checksum at all where skip_s3_checksum is set",
        consequence="a bucket with Object Lock refuses the lock there; stores that are not Amazon's take it",
        sources=("opentofu/opentofu#2596",),
    ),
    EngineFact(
        name="lock-tags",
        tool="opentofu",
        since=Release(1, 11, 0),
        bearing="know",
        what="takes lock_tags and state_tags",
        consequence="roles that lock need s3:PutObjectTagging where they are set",
        sources=("opentofu/opentofu#3038",),
    ),
    EngineFact(
        name="shared-provider-cache",
        tool="opentofu",
        since=Release(1, 10, 0),
        bearing="know",
        what="lets several processes share one provider cache where the file system has locks",
        consequence="inits may run side by side; Terraform's may not",
        sources=("opentofu/opentofu#1878",),
    ),
]
