"""What the found things are joined into: locks, states, backends, stacks, and the world a rule sees."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct, field

from migrate.model.facts import By, Fact, Known, Seen, Stated, Unknown
from migrate.model.found import Engine, Mention, Pin, Place, Problem, RepoId, Run, Setting, Site
from migrate.model.tables import Definition


class Lock(enum.Enum):
    """What one client takes before it writes a state."""

    TABLE = "table"
    BOTH = "both"
    LOCKFILE = "lockfile"
    NONE = "none"


class StateId(Struct, frozen=True, order=True):
    """A state. Exists only when bucket and key are known; `endpoint` is None for AWS's own."""

    bucket: str
    key: str
    endpoint: str | None = None

    def __str__(self) -> str:
        return (
            f"{self.endpoint}/{self.bucket}/{self.key}" if self.endpoint else f"s3://{self.bucket}/{self.key}"
        )


class Unresolved(Struct, frozen=True, order=True):
    """A state whose bucket or key is not known: equal to itself alone, never taken for another."""

    repo: RepoId
    path: PurePosixPath
    name: str

    def __str__(self) -> str:
        return f"unresolved:{self.repo}/{self.path}#{self.name}"


_AWS = Known("")
ANY_ACCOUNT = Unknown("source does not say whose account", "tfrelock iam check --self")


class Table(Struct, frozen=True):
    """A lock table as a configuration names it. `at` is the endpoint, empty for AWS's own."""

    name: Fact[str]
    region: Fact[str]
    account: Fact[str] = ANY_ACCOUNT
    at: Fact[str] = _AWS

    def __str__(self) -> str:
        return f"the table {self.name.value}" if isinstance(self.name, Known) else "a table"

    @property
    def place(self) -> str:
        """What is known of where it is: `the table locks of eu-west-1, 111122223333`."""
        said = [one.value for one in (self.region, self.account, self.at) if isinstance(one, Known)]
        return f"{self} of {', '.join(one for one in said if one)}"


class Backend(Struct, frozen=True):
    """One effective configuration of one root.

    `inputs` are ordered, later wins: the block (or the winning override), partial files, flags. `settings` is
    their join. `pins` are the version choices that hold for the root. An Unknown lock is never taken for any
    of the four.
    """

    repo: RepoId
    root: PurePosixPath
    inputs: tuple[Site, ...]
    settings: Mapping[str, Setting]
    lock: Fact[Lock]
    state: StateId | Unresolved
    table: Table | None
    engine: Engine = "terraform"
    pins: tuple[Pin, ...] = ()
    module_pins: tuple[Pin, ...] = ()
    """The constraints of the modules that it calls: they are enforced in its runs too."""
    units: int = 1

    @property
    def place(self) -> Place:
        return self.inputs[0].place


class Stack(Struct, frozen=True):
    """A state with all that is known of its clients: the unit that moves through the steps."""

    id: StateId | Unresolved
    backends: tuple[Backend, ...]
    readers: tuple[Site, ...] = ()

    @property
    def sites(self) -> Iterator[Site]:
        """What its writers are made of, then its readers."""
        for backend in self.backends:
            yield from backend.inputs
        yield from self.readers


class Idle(Struct, frozen=True):
    """A site that configures no state: a block an override replaces, or one in a directory that is only a
    module. `unless` says when it would all the same.
    """

    site: Site
    why: str
    unless: str = ""


class Shown(Struct, frozen=True):
    """What is known of one role and the lock of one state. Source never says that it is live.

    `holds` is None where that is not known, or hangs on what an expression is taken for. `name` is the role's
    in IAM, empty where an expression makes it or no role is told. `runs`: Terraform is known to run as it, or
    to take the lock as it. `where` is None of what was only seen.
    """

    state: str
    role: str
    holds: bool | None
    because: str
    where: Place | None
    by: By = "source"
    name: str = ""
    runs: bool = False


class Estate(Struct, frozen=True, dict=True):
    """All stacks of all given repositories, and what stands beside them."""

    stacks: tuple[Stack, ...]
    mentions: tuple[Mention, ...] = ()
    near: Mapping[Place, frozenset[str]] = field(default_factory=dict)
    """Places that name a table in a form that is not read, and the words around each."""
    problems: tuple[Problem, ...] = ()
    closed: tuple[Problem, ...] = ()
    """What keeps files from being read in which a backend may stand."""
    pins: tuple[Pin, ...] = ()
    runs: tuple[Run, ...] = ()
    stated: tuple[Stated, ...] = ()
    seen: tuple[Seen, ...] = ()
    shown: Mapping[str, tuple[Shown, ...]] = field(default_factory=dict)
    """By the id of a state."""
    idle: tuple[Idle, ...] = ()
    definitions: tuple[Definition, ...] = ()
    """What makes lock tables in the given code."""
    floors: Mapping[Engine, str] = field(default_factory=dict)
    """The oldest release to admit, by engine."""

    @cached_property
    def backends(self) -> Sequence[Backend]:
        """The backends of all stacks."""
        return [backend for stack in self.stacks for backend in stack.backends]

    @cached_property
    def unresolved(self) -> Sequence[Stack]:
        """The stacks of states that are not known."""
        return [stack for stack in self.stacks if isinstance(stack.id, Unresolved)]

    @cached_property
    def in_table(self) -> Sequence[Stack]:
        """The stacks of known states of which a writer may lock in a table alone."""
        held = (Known(Lock.BOTH), Known(Lock.LOCKFILE), Known(Lock.NONE))
        known = (stack for stack in self.stacks if isinstance(stack.id, StateId))
        return [stack for stack in known if any(backend.lock not in held for backend in stack.backends)]

    @cached_property
    def read(self) -> Sequence[Stack]:
        """The stacks of known states that something reads."""
        return [stack for stack in self.stacks if stack.readers and isinstance(stack.id, StateId)]

    @cached_property
    def dormant(self) -> Sequence[Idle]:
        """The blocks that do not count as the code stands, and would if it were run in another way."""
        return [idle for idle in self.idle if idle.unless]

    @cached_property
    def unread(self) -> Sequence[Idle]:
        return [idle for idle in self.idle if idle.site.is_unread]

    @cached_property
    def objects(self) -> Mapping[tuple[str, str], Sequence[Stack]]:
        """By bucket and key, whatever the endpoint."""
        found: dict[tuple[str, str], list[Stack]] = defaultdict(list)
        for stack in self.stacks:
            if isinstance(stack.id, StateId):
                found[stack.id.bucket, stack.id.key].append(stack)
        return found

    @cached_property
    def nested(self) -> Mapping[StateId, Sequence[Stack]]:
        """By the state, those whose keys are its own key some folders down: its workspaces look so."""
        found: dict[StateId, list[Stack]] = defaultdict(list)
        for stack in self.stacks:
            for above in _above(stack.id, self._keys):
                found[above].append(stack)
        return found

    @cached_property
    def _by_state(self) -> Mapping[StateId | Unresolved, Stack]:
        return {stack.id: stack for stack in self.stacks}

    def above(self, state: StateId) -> Iterator[Stack]:
        """The stacks under whose key, some folders further down, the key of this state is."""
        return (self._by_state[one] for one in _above(state, self._keys) if one in self._by_state)

    @cached_property
    def _keys(self) -> Set[str]:
        return {stack.id.key for stack in self.stacks if isinstance(stack.id, StateId)}


def _above(state: StateId | Unresolved, keys: Container[str]) -> Iterator[StateId]:
    """The states of those `keys` that are the end of its own key, behind a slash."""
    if isinstance(state, Unresolved):
        return
    at = state.key.find("/")
    while at >= 0:
        if (end := state.key[at + 1 :]) in keys:
            yield StateId(state.bucket, end, state.endpoint)
        at = state.key.find("/", at + 1)


class Transition(Struct, frozen=True):
    """One state before and after a change; None on the side where it is not. `moved`: not the same state."""

    before: World | None
    after: World | None
    moved: bool = False


class World(Struct, frozen=True):
    """The whole input of a rule. `now` is an ISO 8601 date, UTC."""

    stack: Stack
    estate: Estate
    now: str
