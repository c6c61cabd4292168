"""What a client asks of AWS when it takes and releases the lock of a state, with what context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from migrate.iam.address import Address, Workspace
from migrate.iam.doubt import Doubt
from migrate.iam.glob import Glob, Hole, exact
from migrate.iam.request import Absence, Caller, Request, Value
from migrate.model import Engine, Fact, Known, Unknown

Act: TypeAlias = Literal["take", "release"]
"""Without what takes the lock nothing runs; without what releases it the lock stays and blocks everybody. A
release reads the lock first, to compare its ID."""

Release: TypeAlias = tuple[int, int, int]

_NONE: Final[Known[str | None]] = Known(None)
_NO: Final = Known(value=False)


class Client(Struct, frozen=True):
    """What runs: `release` is None where any release may run."""

    engine: Engine = "terraform"
    release: Release | None = None


class Writing(Struct, frozen=True):
    """How the backend writes objects; the lock gets the headers of the state."""

    encrypt: Fact[bool] = _NO
    kms_key: Fact[str | None] = _NONE
    acl: Fact[str | None] = _NONE
    customer_key: bool = False
    lock_tags: Mapping[str, str] = field(default_factory=dict)
    bucket_key: bool | None = None
    """Whether the bucket encrypts with a key of its own, which decides what KMS is told; None: not known."""
    default_key: Fact[str | None] = _NONE
    """The key of KMS with which the bucket encrypts what comes without a header."""


class Need(Struct, frozen=True):
    """One request a lock stands or falls with. `whether`: the doubt that it is sent at all, where one is."""

    act: Act
    request: Request
    whether: Doubt | None = None


# In no request that the backends send about a lock: they write no copies, tags, grants or retention.
NEVER: Final = (
    *("s3:existingobjecttag/", "s3:requestobjecttag", "s3:versionid", "s3:object-lock-", "s3:x-amz-grant-"),
    *("s3:x-amz-copy-source", "s3:x-amz-metadata-directive", "s3:x-amz-storage-class"),
    "s3:x-amz-website-redirect-location",
)
HEADERS: Final = ("s3:x-amz-server-side-encryption", "s3:x-amz-acl", "s3:if-none-match", "s3:if-match")


class Question(Struct, frozen=True):
    """Whose lock it is, and who takes it with what."""

    address: Address
    caller: Caller
    owner: str | None = None
    client: Client = Client()
    writing: Writing = Writing()


def lock_needs(asked: Question, workspace: Workspace) -> tuple[Need, ...]:
    """Every request that taking and releasing the lock of one workspace, or of all of them, consists of."""
    lock = asked.address.lock(workspace)
    put = replace(
        _object(asked, "s3:PutObject", lock), context={**_common(asked), **_headers(asked, lock=True)}
    )
    return (
        Need("take", put),
        *(Need("take", replace(put, action=action)) for action in _beside_put(asked)),
        Need("release", _object(asked, "s3:GetObject", lock)),
        Need("release", _object(asked, "s3:DeleteObject", lock)),
        *_key_needs(asked, lock),
    )


def state_put(asked: Question, workspace: Workspace) -> Request:
    """The request that writes the state: who may send it, takes the lock first."""
    request = _object(asked, "s3:PutObject", asked.address.state(workspace))
    return replace(request, context={**_common(asked), **_headers(asked, lock=False)})


def state_get(asked: Question, workspace: Workspace) -> Request:
    """The request that reads the state; whether it has tags, nobody knows."""
    request = _object(asked, "s3:GetObject", asked.address.state(workspace))
    return replace(request, without=tuple(start for start in request.without if "existing" not in start))


def table_writes(asked: Question, table: Glob) -> tuple[Request, Request]:
    """The two requests that make a client of the lock table a locker."""
    context = _common(asked)
    return (
        Request("dynamodb:PutItem", table, asked.owner, context),
        Request("dynamodb:DeleteItem", table, asked.owner, context),
    )


def _object(asked: Question, action: str, resource: Glob) -> Request:
    """A request about one object, without any header of its own."""
    headers = dict.fromkeys(HEADERS, Absence.MISSING)
    return Request(action, resource, asked.owner, {**_common(asked), **headers}, without=NEVER)


def _common(asked: Question) -> dict[str, Value]:
    """What is the same in every request of a run; who calls is known where its account is."""
    context: dict[str, Value] = {"aws:securetransport": ("true",), "aws:viaawsservice": ("false",)}
    if asked.address.region:
        context["aws:requestedregion"] = (asked.address.region,)
    if asked.caller.account:
        context |= {"aws:principalarn": (asked.caller.arn,), "aws:principalaccount": (asked.caller.account,)}
    if asked.owner:
        context |= {"aws:resourceaccount": (asked.owner,), "s3:resourceaccount": (asked.owner,)}
    return context


def _headers(asked: Question, *, lock: bool) -> dict[str, Value]:
    """What a Put says of the object it makes."""
    sends = _sends_headers(asked.client) if lock else True
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


def _sends_headers(client: Client) -> bool | None:
    """OpenTofu 1.10.0 and 1.10.1 put the lock without any encryption header (its issue 2970)."""
    if client.engine == "terraform":
        return True
    return None if client.release is None else client.release >= (1, 10, 2)


def _encryption(writing: Writing) -> tuple[Value, Value]:
    """The encryption header and the key id: a key without `encrypt` is not sent."""
    match writing.encrypt, writing.kms_key:
        case Known(False), _:
            return Absence.MISSING, Absence.MISSING
        case Known(True), Known(None):
            return ("AES256",), Absence.MISSING
        case Known(True), Known(str(key)):
            return ("aws:kms",), (key,)
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


def _key_needs(asked: Question, lock: Glob) -> Iterator[Need]:
    """With a KMS key S3 asks for a data key at the Put, and decrypts at the Get."""
    writing = asked.writing
    without_header = isinstance(writing.encrypt, Known) and not writing.encrypt.value
    key = writing.default_key if without_header else writing.kms_key
    if isinstance(key, Known) and key.value is None:
        return
    whether = (
        Doubt("layer", "encryption settings", key.why)
        if isinstance(key, Unknown) and without_header
        else None
    )
    resource = exact(key.value) if isinstance(key, Known) and key.value else Glob((Hole("kms_key_id"),))
    context = {**_common(asked), **_key_context(asked, lock)}
    for act, action in _KEY_ACTIONS:
        yield Need(act, Request(action, resource, _owner(resource), context), whether)


_KEY_ACTIONS: Final[tuple[tuple[Act, str], ...]] = (
    ("take", "kms:GenerateDataKey"),
    ("release", "kms:Decrypt"),
)


def _owner(key: Glob) -> str | None:
    parts = str(key).split(":")
    return parts[4] if len(parts) > 5 else None


def _key_context(asked: Question, lock: Glob) -> dict[str, Value]:
    """KMS is told the bucket's ARN where the bucket has a key of its own, else the object's."""
    whole: Value = exact(asked.address.bucket_arn) if asked.writing.bucket_key else lock
    service = f"s3.{asked.address.region}.amazonaws.com"
    return {
        "kms:encryptioncontext:aws:s3:arn": Absence.UNKNOWN if asked.writing.bucket_key is None else whole,
        "kms:encryptioncontextkeys": ("aws:s3:arn",),
        "kms:viaservice": (service,) if asked.address.region else Absence.UNKNOWN,
        "aws:viaawsservice": ("true",),
    }
