"""The nouns of the migration, frozen.

Nothing here reads, decides or prints. A fact is `Known` with the way it is known, or `Unknown` with what
would settle it; an edit that is not made is a `Refusal`; a place in source is a `Site`. What a client locks
with is a `Lock`, and only `exclusion.py` says which locks exclude each other.
"""

from migrate.model.answers import Directory, Fix, Outcome, Refusal, Severity, Suggestion, Verdict
from migrate.model.configured import Layer, Layered, Unit
from migrate.model.facts import By, Fact, Known, Seen, Stated, Unknown
from migrate.model.found import (
    ACCOUNTED,
    Engine,
    Link,
    LinkKind,
    Mention,
    Pin,
    PinKind,
    Place,
    Problem,
    RepoId,
    Role,
    Run,
    Scalar,
    Setting,
    Site,
    Source,
)
from migrate.model.offers import Check, LockWish, Proposal, ProposalState, Standing
from migrate.model.stacks import (
    ANY_ACCOUNT,
    Backend,
    Estate,
    Idle,
    Lock,
    Shown,
    Stack,
    StateId,
    Table,
    Transition,
    Unresolved,
    World,
)
from migrate.model.tables import Carrier, CarrierKind, Definition

__all__ = [
    "ACCOUNTED",
    "ANY_ACCOUNT",
    "Backend",
    "By",
    "Carrier",
    "CarrierKind",
    "Check",
    "Definition",
    "Directory",
    "Engine",
    "Estate",
    "Fact",
    "Fix",
    "Idle",
    "Known",
    "Layer",
    "Layered",
    "Link",
    "LinkKind",
    "Lock",
    "LockWish",
    "Mention",
    "Outcome",
    "Pin",
    "PinKind",
    "Place",
    "Problem",
    "Proposal",
    "ProposalState",
    "Refusal",
    "RepoId",
    "Role",
    "Run",
    "Scalar",
    "Seen",
    "Setting",
    "Severity",
    "Shown",
    "Site",
    "Source",
    "Stack",
    "Standing",
    "StateId",
    "Stated",
    "Suggestion",
    "Table",
    "Transition",
    "Unit",
    "Unknown",
    "Unresolved",
    "Verdict",
    "World",
]
