"""The program as its users run it: commands in, the JSON of the contract out."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

REPOSITORY = Path(__file__).parent.parent.parent


class Site(TypedDict):
    states: list[str]
    path: str
    line: int
    end_line: int
    dialect: str
    role: str
    lock: str
    bucket: str | None
    key: str | None
    region: str | None
    workspace_key_prefix: str | None
    table: str | None
    unknown: dict[str, str]
    why_not: str | None


class Mention(TypedDict):
    path: str
    line: int
    token: str
    looks_like: str


class Refusal(TypedDict):
    """An edit that is not made, or (a suggestion) the text to paste instead."""

    path: str
    line: int
    why: str


class Unreadable(TypedDict):
    path: str
    why: str


class State(TypedDict):
    id: str
    lock: str


class Audit(TypedDict):
    summary: dict[str, int]
    states: list[State]
    sites: list[Site]
    mentions: list[Mention]
    refusals: list[Refusal]
    unreadable: list[Unreadable]


class FileEdit(TypedDict):
    path: str
    sha256_before: str
    sha256_after: str
    reverse: str
    proof: object


class Edit(TypedDict):
    files: list[FileEdit]
    refusals: list[Refusal]
    suggestions: list[Refusal]


class Lock(TypedDict):
    """What becomes of one lock when one holder of policies takes it."""

    holder: str
    state: str
    remedy: str | None


class Locks(TypedDict):
    verdicts: list[Lock]


@dataclass(frozen=True, slots=True)
class ProgramError(Exception):
    """The program ended in a way that no user should see."""

    command: str
    code: int
    said: str

    def __str__(self) -> str:
        return f"`{self.command}` ended with {self.code}: {self.said}"


def audit(folder: Path) -> Audit:
    found: Audit = json.loads(_run(folder, "audit", "--format", "json"))
    return found


def edit(folder: Path, *options: str) -> Edit:
    made: Edit = json.loads(_run(folder, "edit", "--write", "--format", "json", *options))
    return made


def locks(folder: Path) -> Locks:
    """Who may lock, as the policies in source say."""
    found: Locks = json.loads(_run(folder, "iam", "check", "--format", "json"))
    return found


def _run(folder: Path, *arguments: str) -> str:
    """What the command says on stdout; findings (2), held (4), partial (5) and unknown (6) are answers."""
    command = [sys.executable, "-m", "migrate", *arguments, str(folder)]
    ran = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if ran.returncode not in {0, 2, 4, 5, 6}:
        raise ProgramError(" ".join(arguments), ran.returncode, ran.stderr[-2000:].strip())
    return ran.stdout
