"""What to ask of a policy about each state: whose lock it is, and how the backends there write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from migrate.campaign.narrowing import Narrowing
from migrate.estate.effective import Settings, text
from migrate.iam.address import Address, Workspace
from migrate.iam.glob import Glob, glob
from migrate.iam.needs import Client, Writing
from migrate.model import Backend, Estate, Fact, Known, StateId, Unknown

_NONE: Final[Known[str | None]] = Known(None)
_TAGS: Final = "lock_tags."


class Asked(Struct, frozen=True):
    """The lock of one state as one backend takes it.

    `table` is the ARN of its lock table, with `*` for what of it is not known. `uses_workspaces`: a prefix of
    their own, or a name that somebody gave, says that named workspaces are used.
    """

    state: StateId
    address: Address
    client: Client
    writing: Writing
    table: Glob | None
    workspaces: tuple[Workspace, ...] = ()
    uses_workspaces: bool = False


def questions(estate: Estate, narrowing: Narrowing, workspaces: Sequence[str] = ()) -> tuple[Asked, ...]:
    """One for each state on AWS with a selected writer, or more where its backends write it differently."""
    found: list[Asked] = []
    for stack in estate.stacks:
        if isinstance(stack.id, StateId) and stack.id.endpoint is None:
            selected = (b for b in stack.backends if any(map(narrowing.selects, b.inputs)))
            of_state = [_asked(stack.id, backend, workspaces) for backend in selected]
            found += (one for at, one in enumerate(of_state) if one not in of_state[:at])
    return tuple(found)


def _asked(state: StateId, backend: Backend, workspaces: Sequence[str]) -> Asked:
    region, prefix = text(backend.settings, "region"), text(backend.settings, "workspace_key_prefix")
    named = prefix.value if isinstance(prefix, Known) else "env:"
    address = Address(state.bucket, state.key, region.value if isinstance(region, Known) else "", named)
    used = prefix is not None or bool(workspaces)
    client = Client(backend.engine)
    writing = _writing(backend.settings)
    return Asked(state, address, client, writing, _table(backend, address), tuple(workspaces), used)


def _table(backend: Backend, address: Address) -> Glob | None:
    """None where no table is named, or by an expression: that may be any table."""
    if backend.table is None or not isinstance(backend.table.name, Known):
        return None
    name = backend.table.name.value
    if name.startswith("arn:"):
        return glob(name)
    return glob(f"arn:{address.partition}:dynamodb:{address.region or '*'}:*:table/{name}")


def _writing(settings: Settings) -> Writing:
    return Writing(
        encrypt=_flag(text(settings, "encrypt")),
        kms_key=text(settings, "kms_key_id") or _NONE,
        acl=text(settings, "acl") or _NONE,
        customer_key=text(settings, "sse_customer_key") is not None,
        lock_tags=dict(_tags(settings)),
    )


def _flag(fact: Fact[str] | None) -> Fact[bool]:
    match fact:
        case Unknown():
            return fact
        case Known(value):
            return Known(value.lower() == "true")
        case None:
            return Known(value=False)


def _tags(settings: Settings) -> Iterator[tuple[str, str]]:
    """OpenTofu's tags of a lock; where an expression makes them all, one that nobody knows."""
    written = [name for name in settings if name.startswith(_TAGS)]
    for name in written or [name for name in settings if name == "lock_tags"]:
        fact = text(settings, name)
        yield name.removeprefix(_TAGS), fact.value if isinstance(fact, Known) else ""
