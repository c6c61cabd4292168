"""What the program says: a rule's verdict, an edit it will not make, a text to paste."""

from __future__ import annotations

import enum
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

from msgspec import Struct

from migrate.model.facts import By
from migrate.model.found import Place, RepoId


class Outcome(enum.Enum):
    """What a rule says of its subject. UNKNOWN never counts as HOLDS."""

    HOLDS = "holds"
    BROKEN = "broken"
    UNKNOWN = "unknown"


Severity: TypeAlias = Literal["error", "warning", "note"]
Fix: TypeAlias = Literal["safe", "review", "none"]


class Verdict(Struct, frozen=True):
    """One rule's answer about one subject: one sentence, how it is known, and the next step."""

    rule: str
    subject: str
    outcome: Outcome
    because: str
    settle: str = ""
    by: By = "source"
    where: Place | None = None

    @property
    def worth_saying(self) -> bool:
        """It does not hold, or holds because somebody said so: people must see whose word opened a gate."""
        return self.outcome is not Outcome.HOLDS or self.by == "stated"

    @property
    def placed(self) -> str:
        """What it says, with its place where its words have it not."""
        if self.where is None or str(self.where) in self.because:
            return self.because
        return f"{self.where.repo} {self.where}: {self.because}"


class Refusal(Struct, frozen=True):
    """An edit we will not make: a value, never an exception, never silence."""

    where: Place
    why: str
    remedy: str


class Suggestion(Struct, frozen=True):
    """The exact text to paste where we cannot edit."""

    where: Place
    text: str
    why: str


class Directory(Struct, frozen=True):
    """One root: how it stands (current, stale, new, refused), or what became of it (done, failed)."""

    repo: RepoId
    path: PurePosixPath
    status: str
    why: str
    command: str
    workspace: str
