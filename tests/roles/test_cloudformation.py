"""Who holds what in a template of CloudFormation."""

from __future__ import annotations

from pathlib import PurePosixPath

from migrate.model import Source
from migrate.policies import cloudformation as policies
from migrate.roles import cloudformation
from tests.roles.source import REPO, held

TEMPLATE = """\
Resources:
  StateBucket:
    Type: AWS::S3::Bucket
    Properties:
      BucketName: acme-state
  Ci:
    Type: AWS::IAM::Role
    Properties:
      RoleName: acme-ci
      ManagedPolicyArns:
        - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonS3FullAccess
        - !Ref Shared
        - arn:aws:iam::aws:policy/job-function/NetworkAdministrator
      Policies:
        - PolicyName: state
          PolicyDocument:
            Statement:
              - Sid: State
                Effect: Allow
                Action: s3:PutObject
                Resource: !Sub ${StateBucket.Arn}/*
  Shared:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Statement:
          - Sid: Shared
            Effect: Allow
            Action: s3:GetObject
            Resource: !Sub arn:aws:s3:::${StateBucket}/${Team}/*
  Plan:
    Type: AWS::IAM::Role
    Properties: {}
  PlanPolicy:
    Type: AWS::IAM::Policy
    Properties:
      Roles: [!Ref Plan, !ImportValue other]
      PolicyDocument:
        Statement:
          - Sid: Plan
            Effect: Allow
            Action: s3:GetObject
            Resource: "*"
"""
LOOSE = "and who holds it, and what else they hold, does not stand beside it"


def test_who_holds_what() -> None:
    source = Source(REPO, PurePosixPath("ci.yaml"), TEMPLATE)
    found = cloudformation.holders(source, policies.find(source).items)
    assert {str(one): held(one) for one in found} == {
        "role/acme-ci": [
            "State: arn:aws:s3:::acme-state/*",
            "Allow: *",
            "Shared: arn:aws:s3:::acme-state/${Team}/*",
            "and arn:aws:iam::aws:policy/job-function/NetworkAdministrator is not followed",
        ],
        "role/Plan": ["Plan: *"],
        "policy/ci.yaml#PlanPolicy": ["Plan: *", LOOSE],
    }
