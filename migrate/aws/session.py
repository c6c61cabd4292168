"""A session as the operator's configuration names it, checked before anything is read with it."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import boto3
from botocore.awsrequest import AWSPreparedRequest
from botocore.exceptions import BotoCoreError, ClientError

from migrate.aws.looking import ANY_REGION, PATIENCE, named, next_step, region_named
from migrate.errors import RelockError
from migrate.outgoing import tell

_NAME: Final = "tfrelock"
_SETTLE: Final = (
    "correct `profile`, `role` or `account` of that entry of aws: in the operator's configuration"
)


def signed_in(profile: str, role: str, account: str, region: str) -> boto3.Session:
    """A session in `account`. Empty `profile` or `role`: as the environment says, and without a role.

    Raises RelockError where AWS does not sign us in, or into another account: then nothing was read.
    """
    where = f"aws: account {account}"
    try:
        session = _session(profile, region_named(region))
        session = _assumed(session, role) if role else session
        found = session.client("sts", config=PATIENCE).get_caller_identity()["Account"]
    except (BotoCoreError, ClientError) as error:
        name = named(error)
        raise RelockError(f"AWS does not sign us in: {name}", where, next_step(name, _SETTLE)) from error
    if found != account:
        raise RelockError(f"the caller is of account {found}: nothing was read", where, _SETTLE)
    return session


def _session(profile: str, region: str) -> boto3.Session:
    """In the region, else in that of the profile or environment, else in any."""
    session = boto3.Session(profile_name=profile or None, region_name=region or None)
    return heard(session) if session.region_name else _session(profile, ANY_REGION)


def _assumed(session: boto3.Session, role: str) -> boto3.Session:
    """A session of the role; it lives an hour, and a reading that takes longer ends with what it has."""
    made = session.client("sts", config=PATIENCE).assume_role(RoleArn=role, RoleSessionName=_NAME)
    keys = made["Credentials"]
    return heard(
        boto3.Session(keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"], session.region_name)
    )


def heard(session: boto3.Session) -> boto3.Session:
    """The session; of each request of its clients is told to whoever listens."""
    session.events.register("before-send", _told)
    return session


def _told(request: AWSPreparedRequest, **_: object) -> None:
    url = urlsplit(request.url)
    tell(f"{request.method} {url.hostname}{url.path}")
