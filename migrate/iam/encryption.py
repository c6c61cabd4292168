"""What the encryption of a lock asks of KMS: by the header that goes with it, or as its bucket encrypts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from migrate.iam.doubt import Doubt
from migrate.iam.glob import Glob, Hole, exact, join
from migrate.iam.question import Act, Client, Need, Question, common
from migrate.iam.request import Absence, Caller, Request, Value
from migrate.model import Fact, Known, Unknown

_ACTIONS: Final[tuple[tuple[Act, str], ...]] = (("take", "kms:GenerateDataKey"), ("release", "kms:Decrypt"))
_SINCE: Final = "whether OpenTofu is 1.10.2 or later, which encrypts the lock as the state"
_COM: Final = ("aws", "aws-us-gov")
"""Partitions whose services are named under `amazonaws.com` for certain."""


def key_needs(asked: Question, lock: Glob) -> Iterator[Need]:
    """With a KMS key S3 asks for a data key at the Put, and decrypts at the Get."""
    context = {**common(asked), **_key_context(asked, lock)}
    for key, whether in _keys(asked):
        resource, owner = _arn(asked, key)
        for act, action in _ACTIONS:
            yield Need(act, Request(action, resource, owner, context), whether)


def _keys(asked: Question) -> Iterator[tuple[Fact[str | None], Doubt | None]]:
    """The keys a lock may be encrypted with, each with the doubt that it is.

    That of the backend where an encryption header goes with the lock, else that of the bucket.
    """
    key, default, sent = asked.writing.kms_key, asked.writing.default_key, _sends_encryption(asked)
    doubt = sent if isinstance(sent, Doubt) else None
    if sent is not False and not _is_none(key):
        yield key, doubt
    if sent is not True and not _is_none(default):
        unread = default.why if isinstance(default, Unknown) else ""
        yield default, Doubt("layer", "encryption settings", unread) if unread else doubt


def _is_none(key: Fact[str | None]) -> bool:
    return isinstance(key, Known) and key.value is None


def _sends_encryption(asked: Question) -> bool | Doubt:
    """Whether an encryption header goes with the lock."""
    encrypt, sends = asked.writing.encrypt, sends_headers(asked.client)
    if sends is False or (isinstance(encrypt, Known) and not encrypt.value):
        return False
    if isinstance(encrypt, Unknown):
        return Doubt("symbol", encrypt.why, "encrypt")
    return sends or Doubt("symbol", _SINCE)


def sends_headers(client: Client) -> bool | None:
    """OpenTofu 1.10.0 and 1.10.1 put the lock without any encryption header (its issue 2970)."""
    if client.engine == "terraform":
        return True
    return None if client.release is None else client.release >= (1, 10, 2)


def _arn(asked: Question, key: Fact[str | None]) -> tuple[Glob, str | None]:
    """A key's ARN, which policies name it by, and its account; what neither id nor alias tells is a hole.

    An id or alias without an account is of the caller's.
    """
    if not isinstance(key, Known) or key.value is None:
        return Glob((Hole("kms_key_id"),)), None
    before, _, name = key.value.rpartition(":")
    account = Caller(before).account if before else asked.caller.account
    region = asked.address.region or Hole("region")
    here = (f"arn:{asked.address.partition}:kms:", region, ":", account or Hole("account"))
    own = Hole(name) if name.startswith("alias/") else name.removeprefix("key/")
    return join((*((before,) if before else here), ":key/", own)), account or None


def _key_context(asked: Question, lock: Glob) -> dict[str, Value]:
    """KMS is told the bucket's ARN where the bucket has a key of its own, else the object's."""
    whole: Value = exact(asked.address.bucket_arn) if asked.writing.bucket_key else lock
    region, account = asked.address.region, asked.caller.account
    told = region and asked.address.partition in _COM
    return {
        "kms:encryptioncontext:aws:s3:arn": Absence.UNKNOWN if asked.writing.bucket_key is None else whole,
        "kms:encryptioncontextkeys": ("aws:s3:arn",),
        "kms:viaservice": (f"s3.{region}.amazonaws.com",) if told else Absence.UNKNOWN,
        "kms:calleraccount": (account,) if account else Absence.UNKNOWN,
        "aws:viaawsservice": ("true",),
    }
