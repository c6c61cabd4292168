"""What a backend writes beside the lock → the actions that a grant of it must hold."""

import pytest
from msgspec.structs import replace

from migrate.campaign.access.questions import target
from migrate.iam.question import Writing
from migrate.iam.target import TRIO
from migrate.model import Known, Unknown
from tests.campaign.access.test_verdicts import asked


@pytest.mark.parametrize(
    ("writing", "beside"),
    [
        (Writing(), []),
        (Writing(encrypt=Known(value=True), kms_key=Known("alias/acme")), []),
        (Writing(acl=Known("private")), ["s3:PutObjectAcl"]),
        (Writing(acl=Unknown("var.acl")), ["s3:PutObjectAcl"]),
        (Writing(lock_tags={"team": "net"}), ["s3:PutObjectTagging"]),
        (Writing(acl=Known("private"), lock_tags={"team": ""}), ["s3:PutObjectAcl", "s3:PutObjectTagging"]),
    ],
)
def test_a_grant_holds_what_the_backend_sends_with_the_lock(writing: Writing, beside: list[str]) -> None:
    assert target(replace(asked(), writing=writing)).actions == (*TRIO, *beside)


def test_named_workspaces_are_granted_where_they_are_used() -> None:
    assert [target(asked(uses_workspaces=used)).workspaces for used in (True, False)] == [True, False]
