"""Policies for tests, written as IAM writes them."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from migrate import jsontree
from migrate.iam.layers import Kind, Layer
from migrate.iam.policy import Policy
from migrate.iam.read import Reading, read_policy
from migrate.jsontree import Object

Json: TypeAlias = str | bool | int | Sequence["Json"] | Mapping[str, "Json"] | None

CI = "arn:aws:iam::111122223333:role/acme-ci"
ACCOUNT = "111122223333"
OTHER = "444455556666"
STATE = "arn:aws:s3:::acme-state/net/terraform.tfstate"
LOCK = f"{STATE}.tflock"


def allow(action: Json, resource: Json = "*", **more: Json) -> Mapping[str, Json]:
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


def deny(action: Json, resource: Json = "*", **more: Json) -> Mapping[str, Json]:
    return {"Effect": "Deny", "Action": action, "Resource": resource, **more}


def document(*statements: Json, version: str = "2012-10-17", name: str = "test") -> Policy:
    return read(json.dumps({"Version": version, "Statement": statements}), name)


def read(text: str, name: str = "test") -> Policy:
    tree = jsontree.parse(text)
    assert isinstance(tree, Object), tree
    return read_policy(tree, name, Reading())


def layer(kind: Kind, *statements: Json) -> Layer:
    return Layer(kind, (document(*statements, name=kind.value),))
