"""What a proposal tells the owner of a repository, as values: the input of its page."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, field

from migrate.model import (
    LOCK_KEY,
    Check,
    Fact,
    Known,
    Lock,
    Outcome,
    Refusal,
    RepoId,
    Shown,
    Suggestion,
    Verdict,
)
from migrate.steps import Phase

TITLES: Final[dict[Phase, str]] = {
    "iam": "Let Terraform's roles write the S3 lock",
    "assume-role": "Name the backend's role as Terraform 1.10 wants it",
    "pin": "Require Terraform 1.11 or newer",
    "readers": "Read other states without the lock table",
    "dual-lock": "Lock state in S3 as well as DynamoDB",
    "retire": "Stop locking state in DynamoDB",
}


class Touched(Struct, frozen=True):
    """One file as a proposal changes it. `proof` is what the second parser saw, in words."""

    path: PurePosixPath
    diff: str
    proof: str = ""


class Part(Struct, frozen=True):
    """One phase of a proposal, and so one commit: what it changes, what was checked, what it leaves alone."""

    phase: Phase
    files: tuple[Touched, ...]
    verdicts: tuple[Verdict, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    programs: tuple[Refusal, ...] = ()
    """Programs that name a lock, which are never edited."""

    @property
    def said(self) -> tuple[Verdict, ...]:
        """The verdicts, each once, of however many states it was said."""
        return tuple({(v.rule, v.outcome, v.by, v.because, v.settle): v for v in self.verdicts}.values())


class Moved(Struct, frozen=True):
    """One state that a proposal moves, and the roots that write it here."""

    state: str
    roots: tuple[PurePosixPath, ...]
    now: Fact[Lock]

    @property
    def lock(self) -> str | None:
        """The ARN of its lock object, as a policy names it; None where it is not known or not on AWS."""
        known = self.state.startswith("s3://")
        return f"arn:aws:s3:::{self.state.removeprefix('s3://')}.tflock" if known else None


class DigestRow(Struct, frozen=True):
    """The row in which a lock table keeps the checksum of one state, of one workspace.

    Whatever still names the table compares the state with it, and fails as soon as a client that does not has
    written. `key` is that of the state object, workspace prefix included.
    """

    state: str
    workspace: str
    bucket: str
    key: str
    table: Fact[str]
    region: Fact[str]
    digest: Fact[str]
    prefix: Fact[str] = Known("env:")
    """What the keys of named workspaces begin with."""

    @property
    def lock_id(self) -> str:
        return f"{self.bucket}/{self.key}-md5"


class Offer(Struct, frozen=True):
    """A proposal's whole content. `waits`: what holds a draft back; `forced`: why gates were passed by."""

    repo: RepoId
    parts: tuple[Part, ...]
    states: tuple[Moved, ...] = ()
    rows: tuple[DigestRow, ...] = ()
    commands: tuple[str, ...] = ()
    """Commands in pipelines and scripts here that run `init`, each with its place."""
    callers: tuple[Shown, ...] = ()
    """What source says of each role and lock concerned."""
    engine: str = "Terraform"
    floor: str = "1.11"
    folder: str = ""
    """The top folder this proposal is about, where it was too large for one."""
    waits: tuple[Verdict, ...] = ()
    forced: str | None = None
    contact: str = ""
    deadline: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    """The operator's own title of a phase."""
    left: tuple[Touched, ...] = ()
    """Files that whoever opens it may not change: for its owner to apply."""
    marks: tuple[str, ...] = ()
    """The `Relock-Change` of each commit."""

    @property
    def phases(self) -> tuple[Phase, ...]:
        return tuple(part.phase for part in self.parts)

    @property
    def by_hand(self) -> tuple[Refusal, ...]:
        """Each place once that belongs to its steps and that it does not change."""
        told = (one for part in self.parts for one in (*part.refusals, *part.programs))
        return tuple({one.where: one for one in told}.values())

    @property
    def checked(self) -> tuple[tuple[str, str], ...]:
        """Each gate once, with the least that it says of any state."""
        said: dict[str, Outcome] = {}
        for verdict in (verdict for part in self.parts for verdict in part.verdicts):
            said[verdict.rule] = max(
                said.get(verdict.rule, Outcome.HOLDS), verdict.outcome, key=_WEIGHT.index
            )
        return tuple((rule, _WORDS[outcome]) for rule, outcome in said.items())


_WEIGHT: Final = (Outcome.HOLDS, Outcome.UNKNOWN, Outcome.BROKEN)
_WORDS: Final = {Outcome.HOLDS: "holds", Outcome.UNKNOWN: "is not known", Outcome.BROKEN: "does not hold"}


_WEIGHTIEST: Final[tuple[Phase, ...]] = ("retire", "dual-lock", "pin", "readers", "iam", "assume-role")


def title(offer: Offer) -> str:
    """That of its weightiest phase; a part of a repository is named in it."""
    phase = next(phase for phase in _WEIGHTIEST if phase in offer.phases)
    words = TITLES[phase]
    if phase == "pin":
        words = f"Require {offer.engine} {offer.floor} or newer"
    words = offer.titles.get(phase, words)
    return f"{words} ({offer.folder})" if offer.folder else words


def check(offer: Offer) -> Check:
    """What its gates say, for a host to show beside it: the worst of them, in its own words."""
    verdicts = [verdict for part in offer.parts for verdict in part.said]
    worst = max(verdicts, key=lambda verdict: _WEIGHT.index(verdict.outcome), default=None)
    if worst is None or worst.outcome is Outcome.HOLDS:
        return Check(Outcome.HOLDS, "every gate is open" if worst else "no gate holds this back")
    return Check(worst.outcome, f"{worst.rule}: {worst.because}")


def delete_digest(row: DigestRow) -> str:
    """The shell command that deletes the row, if its digest is still the one that was read.

    Where nothing was read yet the command reads it itself, first; where there is no row it does nothing.
    """
    where = ["--region", _said(row.region, "REGION"), "--table-name", _said(row.table, "TABLE")]
    where += ["--key", json.dumps({LOCK_KEY: {"S": row.lock_id}})]
    delete = ["aws", "dynamodb", "delete-item", *where, "--condition-expression", "Digest = :read"]
    delete += ["--expression-attribute-values"]
    if isinstance(row.digest, Known):
        return shlex.join([*delete, json.dumps({":read": {"S": row.digest.value}})])
    read = shlex.join(["aws", "dynamodb", "get-item", *where, "--consistent-read", *_ONLY_DIGEST])
    known = r'"{\":read\": {\"S\": \"$digest\"}}"'
    return f'digest=$({read}) && {{ [ "$digest" = None ] ||\n  {shlex.join(delete)} {known}; }}'


def list_workspaces(row: DigestRow) -> str:
    """The shell command that lists the state objects of all named workspaces, for the row of the default
    one.
    """
    ending = row.key.replace("\\", "\\\\").replace("'", "\\'")
    where = ["--region", _said(row.region, "REGION"), "--bucket", row.bucket]
    where += ["--prefix", f"{_said(row.prefix, 'PREFIX')}/"]
    query = f"Contents[?ends_with(Key, '/{ending}')].[Key]"
    return shlex.join(["aws", "s3api", "list-objects-v2", *where, "--query", query, "--output", "text"])


_ONLY_DIGEST: Final[Sequence[str]] = ("--query", "Item.Digest.S", "--output", "text")


def _said(fact: Fact[str], placeholder: str) -> str:
    return fact.value if isinstance(fact, Known) else placeholder


def machine_block(offer: Offer) -> str:
    """What a later run reads of a proposal: JSON that cannot end the comment it stands in."""
    block = {
        "schema": "tfrelock.proposal/1",
        "repository": offer.repo,
        "phases": offer.phases,
        "changes": offer.marks,
    }
    text = json.dumps(block)
    for sign in "<>-":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
