"""The votes on an edited policy: one that did more or less than was wished is not given out."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from migrate.campaign.editing.policy_votes import strayed
from migrate.campaign.reading.inventory import Inventory
from migrate.estate import Survey
from migrate.iam.revoke import Revoke
from migrate.model import RepoId, Source
from migrate.policies import BY_NAME
from migrate.proof import only_grows
from migrate.spelling.written import PolicyWish
from tests.policies import test_cloudformation, test_json_in_hcl, test_plain_json, test_policy_document
from tests.policies.pairs import WISH

REPO = RepoId("acme/net")
YAML = """\
Resources:
  Ci:
    Type: AWS::IAM::Role
    Properties:
      Policies:
        - PolicyDocument:
            Statement:
              - Effect: Allow
                Action: [s3:GetObject, s3:PutObject, s3:DeleteObject]
                Resource: !Sub "arn:${AWS::Partition}:s3:::acme-state/*"
"""
GRANT = """\
              - Sid: TerraformStateLockFile
                Effect: Allow
                Action: [s3:GetObject, s3:PutObject, s3:DeleteObject]
                Resource: !Sub "arn:${AWS::Partition}:s3:::acme-state/*.tflock"
"""
BEYOND = "after the edit its policies would not be as they were with locks added"
OTHERWISE = "the second parser sees another difference than the one wished for"
LESS = "it would not be complete after the edit"


def vote(before: str, after: str, wish: PolicyWish = WISH) -> list[str]:
    source = Source(REPO, PurePosixPath("ci.yaml"), before)
    policies = BY_NAME["cloudformation"].find(source).items
    inventory = Inventory(Survey(REPO), {source.path: source}, policies=policies)
    texts = {(REPO, source.path): after}
    why = [said for _, said in strayed(texts, [inventory], wish, {})]
    assert bool(texts) is not bool(why)
    return why


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (YAML + GRANT, []),
        (YAML, []),
        (YAML + GRANT.replace("/*.tflock", "/*"), [BEYOND]),
        (YAML.replace(", s3:DeleteObject]", "]") + GRANT, [BEYOND]),
        (YAML.replace("  Ci:\n", "  Cd:\n") + GRANT, [BEYOND]),
        (
            YAML.replace("      Policies", "      Path: /\n      Policies").replace("Properties", "Metadata"),
            [BEYOND],
        ),
        (YAML + GRANT + "Outputs:\n  A: {Value: !Ref Ci}\n", []),
    ],
)
def test_a_grant_adds_statements_of_locks(after: str, why: list[str]) -> None:
    assert vote(YAML, after) == why


def test_a_grant_is_complete() -> None:
    short = YAML.replace(", s3:DeleteObject]", "]")
    assert vote(short, short.replace("Ci:", "Ci:  #")) == [LESS]


def test_what_no_policy_holds_is_held_by_the_second_parser() -> None:
    more = "Outputs:\n  A: {Value: !Ref Ci}\n"
    assert vote(YAML + more, YAML + GRANT) == [OTHERWISE]


def test_a_revocation_adds_nothing() -> None:
    assert vote(YAML + GRANT, YAML, Revoke()) == []
    assert vote(YAML, YAML.replace("Allow", "Deny"), Revoke()) == [OTHERWISE]


TEMPLATES = ("ci.yaml", "ci.template")
PAIRS = [
    *((path, *change) for path in TEMPLATES for _, *change in test_cloudformation.CHANGES),
    *(("ci.json", before, after) for _, before, after in test_plain_json.CHANGES),
    *(("ci.tf", before, after) for _, before, after in test_json_in_hcl.CHANGES),
    *(("ci.tf", before, after) for _, before, after in test_policy_document.CHANGES),
]


@pytest.mark.parametrize(("path", "before", "after"), PAIRS)
def test_the_second_parser_sees_every_kind_of_grant_grow_and_none_shrink(
    path: str, before: str, after: str
) -> None:
    head = test_cloudformation.HEAD if path in TEMPLATES else ""
    old, new = (Source(REPO, PurePosixPath(path), head + text) for text in (before, after))
    assert only_grows(old, new.text)
    assert not only_grows(new, old.text)


@pytest.mark.parametrize(("less", "more"), [("{}", "{"), ("{", "{}")])
def test_what_the_second_parser_reads_no_more_does_not_grow(less: str, more: str) -> None:
    assert not only_grows(Source(REPO, PurePosixPath("ci.json"), less), more)
    assert only_grows(Source(REPO, PurePosixPath("ci.json"), "{"), "[")
