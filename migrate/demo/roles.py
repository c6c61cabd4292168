"""Roles on an AWS of our own, and the time in which their policies count."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlencode

from migrate.demo.cloud import Cloud, signed

ACCOUNT: Final = "123456789012"
_FORM: Final = "application/x-www-form-urlencoded"
_KEY: Final = re.compile(r"<(AccessKeyId|SecretAccessKey|SessionToken)>([^<]+)<")


def make_role(cloud: Cloud, name: str, document: str) -> None:
    """A role with one inline policy, `state`."""
    trust = '{"Version": "2012-10-17", "Statement": []}'
    _call(cloud, "iam", {"Action": "CreateRole", "RoleName": name, "AssumeRolePolicyDocument": trust})
    put_policy(cloud, name, document)


def put_policy(cloud: Cloud, name: str, document: str) -> None:
    """What `aws iam put-role-policy` would send."""
    policy = {"RoleName": name, "PolicyName": "state", "PolicyDocument": document}
    _call(cloud, "iam", {"Action": "PutRolePolicy", **policy})


def session(cloud: Cloud, name: str) -> Mapping[str, str]:
    """The environment of a run as the role."""
    role = f"arn:aws:iam::{ACCOUNT}:role/{name}"
    answer = _call(cloud, "sts", {"Action": "AssumeRole", "RoleArn": role, "RoleSessionName": "pipeline"})
    made = dict(_KEY.findall(answer))
    return {
        **cloud.env,
        "AWS_ACCESS_KEY_ID": made["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": made["SecretAccessKey"],
        "AWS_SESSION_TOKEN": made["SessionToken"],
    }


@contextmanager
def policies_count(cloud: Cloud) -> Iterator[None]:
    """Within the block everybody may only what their policies say; else anybody may do anything."""
    _enforce(cloud, "0")
    try:
        yield
    finally:
        _enforce(cloud, "inf")


def _enforce(cloud: Cloud, after: str) -> None:
    """After how many requests policies count. As a form moto would read nothing of it."""
    cloud.ask("POST", "/moto-api/reset-auth", after, {"Content-Type": "text/plain"})


def _call(cloud: Cloud, service: str, parameters: Mapping[str, str]) -> str:
    headers = {**signed(service), "Content-Type": _FORM}
    version = {"iam": "2010-05-08", "sts": "2011-06-15"}[service]
    return cloud.ask("POST", "/", urlencode({**parameters, "Version": version}), headers)
