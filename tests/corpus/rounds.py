"""One repository through every command: audited, edited phase by phase, each edit repeated and undone."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from tests.corpus import edits, program, promises, reference, statements, wishes
from tests.corpus.program import Audit, Edit, Refusal, Site
from tests.corpus.promises import Broken
from tests.corpus.statements import Classed

# What is asked for, and the options that ask for it; retire can only follow on a dual-locked repository.
ASKED: Mapping[str, Sequence[str]] = {
    "iam": ("--phase", "iam"),
    "readers": ("--phase", "readers"),
    "pin": ("--phase", "pin"),
    "dual-lock": ("--phase", "dual-lock"),
    "adopt": ("--phase", "dual-lock", "--include-unlocked"),
}
RETIRE = ("--phase", "retire", "--force", "the corpus asks")


class Round(Struct, frozen=True):
    """What one command did to the repository, and which promises of an edit it broke."""

    name: str
    files: int
    refusals: list[Refusal]
    broken: list[Broken]


class Visit(Struct, frozen=True):
    """All there is to say of one repository. `audit` is None when the program failed."""

    name: str
    audit: Audit | None
    rounds: list[Round]
    broken: list[Broken]
    statements: Sequence[Classed] = ()
    """Those of policies that may concern a lock."""

    def all_broken(self) -> list[Broken]:
        return [*self.broken, *(broken for played in self.rounds for broken in played.broken)]


def visit(folder: Path) -> Visit:
    """Works on a copy: the repository itself is only read."""
    with TemporaryDirectory(prefix="tfrelock-corpus-") as scratch:
        copy = Path(scratch, folder.name)
        shutil.copytree(folder, copy, symlinks=True)
        try:
            audit = program.audit(copy)
        except program.ProgramError as failed:
            return Visit(folder.name, None, [], [Broken("program failed", ".", 0, str(failed))])
        broken = promises.broken_by(audit, reference.trees(folder), reference.tokens(folder))
        written = edits.differing(edits.snapshot(folder), edits.snapshot(copy))
        broken += [Broken("audit writes", path, 0, "") for path in written]
        rounds = list(_rounds(copy, wishes.as_joined(audit)))
        return Visit(folder.name, audit, rounds, broken, statements.classed(folder))


def _rounds(copy: Path, sites: Sequence[Site]) -> Iterator[Round]:
    for name, options in ASKED.items():
        yield _play(copy, sites, name, options)
    try:
        program.edit(copy, *ASKED["dual-lock"])
        dual = wishes.as_joined(program.audit(copy))
    except program.ProgramError:
        return  # a broken promise of the rounds before
    yield _play(copy, dual, "retire", RETIRE)


def _play(copy: Path, sites: Sequence[Site], name: str, options: Sequence[str]) -> Round:
    before = edits.snapshot(copy)
    try:
        made = program.edit(copy, *options)
        after = edits.snapshot(copy)
        again = program.edit(copy, *options) if made["files"] else made  # nothing changed: the same run
    except program.ProgramError as failed:
        return Round(name, 0, [], [Broken("program failed", ".", 0, str(failed))])
    broken = edits.broken_by(name, sites, before, after, made)
    broken += _not_cured(copy, made) if name == "iam" else []
    touched = {*edits.differing(after, edits.snapshot(copy)), *(file["path"] for file in again["files"])}
    broken += [Broken(f"second run of {name} edits", path, 0, "") for path in sorted(touched)]
    broken += _undo(copy, name, made)
    left = edits.differing(before, edits.snapshot(copy))
    broken += [Broken(f"reverse of {name} is not exact", path, 0, "") for path in left]
    refusals = [*made["refusals"], *made["suggestions"]]
    return Round(name, len(made["files"]), refusals, broken)


def _not_cured(copy: Path, made: Edit) -> Iterator[Broken]:
    """Who may not lock after the edit, although no word was said of what stands in the way."""
    for one in program.locks(copy)["verdicts"] if not (made["refusals"] or made["suggestions"]) else ():
        if (one["remedy"] or "").startswith("tfrelock edit"):
            yield Broken("not cured by iam", one["state"], 0, one["holder"])


def _undo(copy: Path, name: str, made: Edit) -> Iterator[Broken]:
    for file in made["files"]:
        command = ["git", "apply", "--whitespace=nowarn", "-"]
        reverse = file["reverse"].encode()
        ran = subprocess.run(command, cwd=copy, input=reverse, capture_output=True, check=False)
        if ran.returncode:
            yield Broken(f"reverse of {name} does not apply", file["path"], 0, ran.stderr.decode().strip())
