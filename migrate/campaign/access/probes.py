"""The locks to ask a store about: those of all states that writers in source have, in their workspaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from migrate.campaign.access.questions import selected
from migrate.campaign.reading.narrowing import Narrowing
from migrate.estate.effective import text
from migrate.iam.address import Address
from migrate.iam.asking import NO_SUCH_ETAG, Headers, LockObject
from migrate.model import Backend, Estate, Fact, Known, StateId, Unknown

SAMPLE: Final = "tfrelock-sample"
"""A workspace that nobody has; it stands for every workspace there may be."""

_NEEDED: Final = ("region", "workspace_key_prefix", "encrypt", "kms_key_id", "acl")
_NOT_ASKED: Final = {
    "sse_customer_key": "the backend encrypts with a key of its own, which is not read",
    "lock_tags": "the backend tags its locks, and s3:PutObjectTagging is not asked for",
}


class Probe(Struct, frozen=True):
    """The lock of one backend in one workspace, or why it is not asked about."""

    backend: Backend
    workspace: str
    lock: Fact[LockObject]

    def __str__(self) -> str:
        match self.workspace:
            case "default":
                return "default workspace"
            case workspace if workspace == SAMPLE:
                return f"workspace {SAMPLE} (made up, a sample of all)"
            case workspace:
                return f"workspace {workspace}"

    @property
    def counts(self) -> bool:
        """Whether the workspace is known to be used: of a sample, a prefix of their own says it."""
        return self.workspace != SAMPLE or bool(text(self.backend.settings, "workspace_key_prefix"))


def probes(estate: Estate, narrowing: Narrowing, workspaces: Sequence[str]) -> tuple[Probe, ...]:
    """Every selected backend in the named workspaces, else in the default one and in a sample."""
    return tuple(
        Probe(backend, workspace, _lock(backend, workspace))
        for stack in sorted(estate.stacks, key=lambda stack: str(stack.id))
        for backend in selected(stack, narrowing)
        for workspace in workspaces or ("default", SAMPLE)
    )


def requests(probed: Sequence[Probe]) -> tuple[str, ...]:
    """What would be sent, one line a request, in order."""
    locks = dict.fromkeys(probe.lock.value for probe in probed if isinstance(probe.lock, Known))
    return tuple(line for lock in locks for line in _requests(lock))


def _lock(backend: Backend, workspace: str) -> Fact[LockObject]:
    """The lock and the headers of its PUT, where literals say all of it."""
    settings, state = backend.settings, backend.state
    if not isinstance(state, StateId):
        return Unknown("source does not tell its bucket or key")
    said = {name: text(settings, name) for name in _NEEDED}
    open_ = [f"{name} is {fact.why}" for name, fact in said.items() if isinstance(fact, Unknown)]
    open_ += [why for name, why in _NOT_ASKED.items() if text(settings, name)]
    if open_:
        return Unknown(open_[0])
    known = {name: fact.value for name, fact in said.items() if isinstance(fact, Known)}
    prefix = known.get("workspace_key_prefix", "env:")
    address = Address(state.bucket, state.key, known.get("region", ""), prefix)
    return Known(LockObject(address.bucket, address.lock_key(workspace), address.region, _headers(known)))


def _headers(said: Mapping[str, str]) -> Headers:
    """A key without `encrypt` is not sent."""
    acl = said.get("acl")
    if said.get("encrypt") != str(True):
        return Headers(acl=acl)
    key = said.get("kms_key_id")
    return Headers("aws:kms" if key else "AES256", key, acl)


def _requests(lock: LockObject) -> Iterator[str]:
    headers = {
        "x-amz-server-side-encryption": lock.headers.encryption,
        "x-amz-server-side-encryption-aws-kms-key-id": lock.headers.kms_key,
        "x-amz-acl": lock.headers.acl,
        "if-match": NO_SUCH_ETAG,
    }
    yield f"GET {lock}"
    yield " ".join([f"PUT {lock}", *(f"{name}={value}" for name, value in headers.items() if value)])
    yield f"HEAD {lock}"
    yield f"DELETE {lock} if-match={NO_SUCH_ETAG}, only if HEAD says that no lock is there"
