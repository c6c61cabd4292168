"""What a client asks of AWS when it takes and releases the lock of a state, with what context."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from migrate.iam.address import Workspace
from migrate.iam.encryption import key_needs, sends_headers
from migrate.iam.glob import Glob
from migrate.iam.question import Need, Question, Writing, common
from migrate.iam.request import Absence, Request, Value
from migrate.model import Fact, Known

# In no request that the backends send about a lock: they write no copies, tags, grants or retention, list no
# keys, and name the bucket itself.
NEVER: Final = (
    *("s3:existingobjecttag/", "s3:requestobjecttag", "s3:versionid", "s3:object-lock-", "s3:x-amz-grant-"),
    *("s3:x-amz-copy-source", "s3:x-amz-metadata-directive", "s3:x-amz-storage-class"),
    *("s3:x-amz-website-redirect-location", "s3:prefix", "s3:delimiter", "s3:max-keys"),
    *("s3:dataaccesspoint", "s3:accesspoint", "s3:accessgrantsinstancearn"),
)
HEADERS: Final = ("s3:x-amz-server-side-encryption", "s3:x-amz-acl", "s3:if-none-match", "s3:if-match")


def lock_needs(asked: Question, workspace: Workspace) -> tuple[Need, ...]:
    """Every request that taking and releasing the lock of one workspace, or of all of them, consists of."""
    lock = asked.address.lock(workspace)
    put = replace(
        _object(asked, "s3:PutObject", lock), context={**common(asked), **_headers(asked, lock=True)}
    )
    return (
        Need("take", put),
        *(Need("take", replace(put, action=action)) for action in _beside_put(asked)),
        Need("release", _object(asked, "s3:GetObject", lock)),
        Need("release", _object(asked, "s3:DeleteObject", lock)),
        *key_needs(asked, lock),
    )


def state_put(asked: Question, workspace: Workspace) -> Request:
    """The request that writes the state: who may send it, takes the lock first."""
    request = _object(asked, "s3:PutObject", asked.address.state(workspace))
    return replace(request, context={**common(asked), **_headers(asked, lock=False)})


def state_get(asked: Question, workspace: Workspace) -> Request:
    """The request that reads the state; whether it has tags, nobody knows."""
    request = _object(asked, "s3:GetObject", asked.address.state(workspace))
    return replace(request, without=tuple(start for start in request.without if "existing" not in start))


def table_writes(asked: Question, table: Glob) -> tuple[Request, Request]:
    """The two requests that make a client of the lock table a locker."""
    context = common(asked)
    return (
        Request("dynamodb:PutItem", table, asked.owner, context),
        Request("dynamodb:DeleteItem", table, asked.owner, context),
    )


def _object(asked: Question, action: str, resource: Glob) -> Request:
    """A request about one object, without any header of its own."""
    headers = dict.fromkeys(HEADERS, Absence.MISSING)
    return Request(action, resource, asked.owner, {**common(asked), **headers}, without=NEVER)


def _headers(asked: Question, *, lock: bool) -> dict[str, Value]:
    """What a Put says of the object it makes."""
    sends = sends_headers(asked.client) if lock else True
    encryption, key = _encryption(asked.writing)
    tags = asked.writing.lock_tags if lock else {}
    return {
        "s3:x-amz-acl": _told(asked.writing.acl),
        "s3:if-none-match": ("*",) if lock else Absence.MISSING,
        "s3:x-amz-server-side-encryption": _if(encryption, sends=sends),
        "s3:x-amz-server-side-encryption-aws-kms-key-id": _if(key, sends=sends),
        "s3:x-amz-server-side-encryption-customer-algorithm": _customer(asked.writing, sends=sends),
        **{f"s3:requestobjecttag/{name.lower()}": (value,) for name, value in tags.items()},
        **({"s3:requestobjecttagkeys": tuple(tags)} if tags else {}),
    }


def _encryption(writing: Writing) -> tuple[Value, Value]:
    """The encryption header and the key id: a key without `encrypt` is not sent."""
    match writing.encrypt, writing.kms_key:
        case Known(False), _:
            return Absence.MISSING, Absence.MISSING
        case Known(True), Known(None):
            return ("AES256",), Absence.MISSING
        case Known(True), Known(str(key)):  # policies name it by its ARN, whatever S3 makes of another name
            return ("aws:kms",), (key,) if ":key/" in key else Absence.UNKNOWN
        case _:
            return Absence.UNKNOWN, Absence.UNKNOWN


def _customer(writing: Writing, *, sends: bool | None) -> Value:
    return _if(("AES256",), sends=sends) if writing.customer_key else Absence.MISSING


def _if(value: Value, *, sends: bool | None) -> Value:
    if sends is None and value is not Absence.MISSING:
        return Absence.UNKNOWN
    return value if sends else Absence.MISSING


def _told(fact: Fact[str | None]) -> Value:
    match fact:
        case Known(str(text)):
            return (text,)
        case Known(None):
            return Absence.MISSING
        case _:
            return Absence.UNKNOWN


def _beside_put(asked: Question) -> Iterator[str]:
    """The further actions that a Put with such headers needs."""
    if asked.writing.acl != Known(None):
        yield "s3:PutObjectAcl"
    if asked.writing.lock_tags:
        yield "s3:PutObjectTagging"
