"""What to ask of a policy about each state: whose lock it is, and how the backends there write it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from migrate.campaign.reading.narrowing import Narrowing
from migrate.estate.effective import Settings, is_behind_access_point, text
from migrate.iam.address import Address, Workspace
from migrate.iam.glob import Glob, glob
from migrate.iam.question import Client, Writing
from migrate.iam.target import TRIO, Target
from migrate.model import Backend, Estate, Fact, Known, Stack, StateId, Unknown, Unresolved

_NONE: Final[Known[str | None]] = Known(None)
_TAGS: Final = "lock_tags."
_SHOWN: Final = 3
_ASK: Final = "; tfrelock iam check --self asks it"
_OF_SESSION: Final = tuple(
    f"{start}{name}"
    for start in ("assume_role.", "assume_role_with_web_identity.", "assume_role_")
    for name in ("policy", "policy_arns", "tags")
)


class Asked(Struct, frozen=True):
    """The lock of one state as one backend takes it.

    `table` is the ARN of its lock table, with `*` for what of it is not known. `uses_workspaces`: a prefix of
    their own, or a name that somebody gave, says that named workspaces are used. `session` says what the
    backend gives the session of the role that it assumes, and is not weighed.
    """

    state: StateId
    address: Address
    client: Client
    writing: Writing
    table: Glob | None
    workspaces: tuple[Workspace, ...] = ()
    uses_workspaces: bool = False
    session: str = ""

    def within(self, partition: str) -> Asked:
        """The same in the partition of whoever is asked about, where no region tells its own."""
        if self.address.partition == partition or self.address.region:
            return self
        table = self.table and glob(str(self.table).replace("arn:aws:", f"arn:{partition}:", 1))
        return replace(self, address=replace(self.address, home=partition), table=table)


def questions(estate: Estate, narrowing: Narrowing, workspaces: Sequence[str] = ()) -> tuple[Asked, ...]:
    """One for each state on AWS with a selected writer, or more where its backends write it differently."""
    found: list[Asked] = []
    for stack in estate.stacks:
        if isinstance(stack.id, StateId) and not _beyond(stack):
            of_state = [_asked(stack.id, backend, workspaces) for backend in selected(stack, narrowing)]
            found += (one for at, one in enumerate(of_state) if one not in of_state[:at])
    return tuple(found)


def target(asked: Asked) -> Target:
    """What a grant of that lock must hold: the lock gets the ACL of its state, and tags of its own."""
    acl = () if asked.writing.acl == _NONE else ("s3:PutObjectAcl",)
    tags = ("s3:PutObjectTagging",) if asked.writing.lock_tags else ()
    return Target(asked.address, (*TRIO, *acl, *tags), workspaces=asked.uses_workspaces)


def unasked(estate: Estate, narrowing: Narrowing) -> tuple[str, ...]:
    """Why the locks of the other states are not weighed, in words: one line for each reason."""
    states: dict[str, list[str]] = defaultdict(list)
    for stack in estate.stacks:
        why = _beyond(stack)
        if why and any(True for _ in selected(stack, narrowing)):
            states[why].append(str(stack.id))
    return tuple(f"Not weighed: {_listed(found)}: {why}." for why, found in sorted(states.items()))


def selected(stack: Stack, narrowing: Narrowing) -> Iterator[Backend]:
    """The backends of a state that were asked for."""
    return (backend for backend in stack.backends if any(map(narrowing.selects, backend.inputs)))


def _beyond(stack: Stack) -> str:
    """Why what policies say of a lock cannot be told; empty where it can."""
    state = stack.id
    if any(is_behind_access_point(backend.settings) for backend in stack.backends):
        return f"its bucket is an access point, which has a policy of its own{_ASK}"
    if isinstance(state, Unresolved):
        return "source does not tell its bucket or key"
    if state.endpoint:
        return "its store is not AWS's own"
    if state.bucket.endswith("--x-s3"):
        return f"its bucket is a directory bucket, which has actions of its own{_ASK}"
    return ""


def of_session(settings: Settings) -> str:
    """The setting that gives the session of an assumed role a policy or tags of its own; empty: none does."""
    return next((name for name in _OF_SESSION if text(settings, name)), "")


def _listed(states: Sequence[str]) -> str:
    more = f" and {len(states) - _SHOWN} more" if len(states) > _SHOWN else ""
    return ", ".join(states[:_SHOWN]) + more


def _asked(state: StateId, backend: Backend, workspaces: Sequence[str]) -> Asked:
    region, prefix = text(backend.settings, "region"), text(backend.settings, "workspace_key_prefix")
    named = prefix.value if isinstance(prefix, Known) else "env:"
    address = Address(state.bucket, state.key, region.value if isinstance(region, Known) else "", named)
    used = prefix is not None or bool(workspaces)
    session = of_session(backend.settings)
    return Asked(
        state,
        address,
        Client(backend.engine),
        _writing(backend.settings),
        _table(backend, address),
        tuple(workspaces),
        used,
        f"{session} of the backend at {backend.place} is not weighed" if session else "",
    )


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
