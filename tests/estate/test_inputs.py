"""Blocks, partial files, flags and runs in; which of them make one configuration out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.estate import Survey, join
from migrate.model import Known, Run, Scalar, Site, Unknown
from migrate.text import Span
from tests.estate.world import ACME, NET, site

EMPTY = site("net/main.tf", {})
BLOCK = site("net/main.tf", {**ACME, "use_lockfile": True})
OTHER = site("app/main.tf", {})
COMPLETE = site("net/main.tf", ACME)
BOTH: Mapping[str, Scalar] = {"key": "app", "dynamodb_table": "acme-locks", "use_lockfile": True}
OTHER_COMPLETE = site("app/main.tf", {**ACME, **BOTH})
DEV = site("net/dev.tfbackend", {**ACME, "bucket": "dev"}, role="partial")
PROD = site("net/prod.tfbackend", {**ACME, "bucket": "prod"}, role="partial")


def flag(settings: Mapping[str, Scalar], path: str = "ci.sh", name: str = "flags") -> Site:
    return site(path, settings, role="flag", name=name)


def run(*values: str, directory: str | None = None, path: str = "ci.sh") -> Run:
    where = Known(PurePosixPath(directory)) if directory else Unknown("the command does not say")
    return Run(NET, PurePosixPath(path), "backend-config", None, "init", (), values, where, Span(0, 9), 1)


TABLE_FLAG = flag({"dynamodb_table": "acme-locks"})
TABLE_VALUE = "dynamodb_table=acme-locks"
OFF = flag({"use_lockfile": False})


def configured(sites: tuple[Site, ...], runs: tuple[Run, ...]) -> list[str]:
    """Of each configuration its inputs and what it locks with."""
    backends = [b for stack in join([Survey(NET, sites, runs=runs)]).stacks for b in stack.backends]
    return [
        " ".join(str(site.path) for site in b.inputs)
        + (f": {b.lock.value.value}" if isinstance(b.lock, Known) else ": unknown")
        for b in backends
    ]


CASES: dict[str, tuple[tuple[Site, ...], tuple[Run, ...], list[str]]] = {
    "a run in the root": (
        (BLOCK, TABLE_FLAG),
        (run(TABLE_VALUE, directory="net"),),
        ["net/main.tf ci.sh: both"],
    ),
    "flags without a lock say the rest of a block": (
        (EMPTY, flag({**ACME, "role_arn": "r"})),
        (run("bucket=b", "role_arn=r", directory="net"),),
        ["net/main.tf ci.sh: none"],
    ),
    "flags without a lock of a root that is not said": (
        (EMPTY, flag(ACME)),
        (run("bucket=b"),),
        ["net/main.tf: unknown"],
    ),
    "flags without a lock and a file that was not found": (
        (EMPTY, flag(ACME)),
        (run("bucket=b", "gone.tfbackend", directory="net"),),
        ["net/main.tf ci.sh: unknown"],
    ),
    "a script in the root": (
        (BLOCK, flag({"dynamodb_table": "acme-locks"}, "net/init.sh")),
        (run(TABLE_VALUE, path="net/init.sh"),),
        ["net/main.tf net/init.sh: both"],
    ),
    "a flag for some root, beside one that names no lock": (
        (COMPLETE, OTHER_COMPLETE, TABLE_FLAG),
        (run(TABLE_VALUE),),
        ["app/main.tf: both", "net/main.tf: unknown", "ci.sh: table"],
    ),
    "a flag of the examples is for no other root": (
        (COMPLETE, flag({"dynamodb_table": "acme-locks"}, "examples/ci.sh")),
        (run(TABLE_VALUE, path="examples/ci.sh"),),
        ["net/main.tf: none", "examples/ci.sh: table"],
    ),
    "the lockfile switched off": (
        (BLOCK, OFF),
        (run("use_lockfile=false", directory="net"),),
        ["net/main.tf ci.sh: none"],
    ),
    "the only block that is incomplete": (
        (EMPTY, flag({**ACME, "dynamodb_table": "acme-locks"})),
        (run(TABLE_VALUE),),
        ["net/main.tf ci.sh: table"],
    ),
    "one of two that are": (
        (EMPTY, OTHER, flag({**ACME, "dynamodb_table": "acme-locks"})),
        (run(TABLE_VALUE),),
        ["ci.sh: table", "app/main.tf: unknown", "net/main.tf: unknown"],
    ),
    "a complete block elsewhere": (
        (BLOCK, TABLE_FLAG),
        (run(TABLE_VALUE),),
        ["net/main.tf: lockfile", "ci.sh: table"],
    ),
    "a file, then a flag": (
        (EMPTY, DEV, TABLE_FLAG),
        (run("dev.tfbackend", TABLE_VALUE, directory="net"),),
        ["net/main.tf net/dev.tfbackend ci.sh: table"],
    ),
    "a flag, then a file": (
        (EMPTY, DEV, TABLE_FLAG),
        (run(TABLE_VALUE, "dev.tfbackend", directory="net"),),
        ["net/main.tf ci.sh net/dev.tfbackend: table"],
    ),
    "flags before a file and behind it": (
        (EMPTY, DEV, TABLE_FLAG),
        (run(TABLE_VALUE, "dev.tfbackend", TABLE_VALUE, directory="net"),),
        ["net/main.tf ci.sh net/dev.tfbackend: table", "net/main.tf net/dev.tfbackend ci.sh: table"],
    ),
    "files by a pattern, each with the flag": (
        (EMPTY, DEV, PROD, TABLE_FLAG),
        (run("$ENV.tfbackend", TABLE_VALUE, directory="net"),),
        ["net/main.tf net/dev.tfbackend ci.sh: table", "net/main.tf net/prod.tfbackend ci.sh: table"],
    ),
    "a complete block with a flag in one run and without it in another": (
        (BLOCK, TABLE_FLAG),
        (run(TABLE_VALUE, directory="net"), run(directory="net", path="other.sh")),
        ["net/main.tf ci.sh: both", "net/main.tf: lockfile"],
    ),
    "a check without a backend is no other configuration": (
        (BLOCK, TABLE_FLAG),
        (run(TABLE_VALUE, directory="net"), replace(run(directory="net"), arguments=("-backend=false",))),
        ["net/main.tf ci.sh: both"],
    ),
    "a complete block, and a file that is not there": (
        (BLOCK,),
        (run("secret.tfbackend", directory="net"),),
        ["net/main.tf: unknown"],
    ),
    "a complete block, and files by a pattern of which none is there": (
        (BLOCK,),
        (run("$ENV.tfbackend", directory="net"),),
        ["net/main.tf: unknown"],
    ),
    "a complete block, and files by a pattern": (
        (BLOCK, DEV),
        (run("$ENV.tfbackend", directory="net"),),
        ["net/main.tf net/dev.tfbackend: lockfile"],
    ),
    "a complete block, and another key": (
        (BLOCK,),
        (run("key=$STAGE", directory="net"),),
        ["net/main.tf: unknown"],
    ),
    "a complete block, and another profile": (
        (BLOCK,),
        (run("profile=ci", directory="net"),),
        ["net/main.tf: lockfile"],
    ),
    "a complete block, and arguments that are known when it runs": (
        (BLOCK,),
        (replace(run(directory="net"), arguments=("-input=false", "$ARGS")),),
        ["net/main.tf: unknown"],
    ),
    "such arguments in a directory that is not said": (
        (BLOCK, OTHER_COMPLETE),
        (replace(run(), arguments=("$ARGS",)),),
        ["app/main.tf: unknown", "net/main.tf: unknown"],
    ),
    "such arguments in a directory that is none of the roots": (
        (BLOCK,),
        (replace(run(directory="app"), arguments=("$ARGS",)),),
        ["net/main.tf: lockfile"],
    ),
    "such arguments of what Terragrunt runs": (
        (BLOCK,),
        (replace(run(), engine="terragrunt", arguments=("$ARGS",)),),
        ["net/main.tf: lockfile"],
    ),
    "such arguments of an init without a backend": (
        (BLOCK,),
        (replace(run(), arguments=("-backend=false", "$ARGS")),),
        ["net/main.tf: lockfile"],
    ),
    "arguments of which one or none is given": (
        (BLOCK,),
        (replace(run(), arguments=("${UPGRADE:+-upgrade}", "${{ inputs.new && '-upgrade' || '' }}")),),
        ["net/main.tf: lockfile"],
    ),
    "complete blocks alone, and a file or a key in a directory that is not said": (
        (BLOCK, OTHER_COMPLETE),
        (run("$FILE"), run("key=$STAGE")),
        ["app/main.tf: unknown", "net/main.tf: unknown"],
    ),
    "complete blocks alone, and another key in flags that were read": (
        (BLOCK, flag({"key": "other"})),
        (run("key=other"),),
        ["net/main.tf: unknown"],
    ),
    "a file for the block that is in need of one": (
        (BLOCK, OTHER),
        (run("$FILE"),),
        ["net/main.tf: lockfile", "app/main.tf: unknown"],
    ),
    "two commands for one block": (
        (
            EMPTY,
            flag({**ACME, "bucket": "a", "dynamodb_table": "t"}, "a.sh"),
            flag({**ACME, "bucket": "b", "dynamodb_table": "t"}, "b.sh"),
        ),
        (run(TABLE_VALUE, path="a.sh"), run(TABLE_VALUE, path="b.sh")),
        ["net/main.tf a.sh: table", "net/main.tf b.sh: table"],
    ),
}


@pytest.mark.parametrize(("sites", "runs", "expected"), CASES.values(), ids=CASES)
def test_what_completes_a_block(sites: tuple[Site, ...], runs: tuple[Run, ...], expected: list[str]) -> None:
    assert configured(sites, runs) == expected


def test_a_file_that_the_configuration_names_and_that_is_not_there_leaves_the_lock_unknown() -> None:
    named = {PurePosixPath("net"): (PurePosixPath("net/dev.tfbackend"),)}
    (stack,) = join([Survey(NET, (BLOCK,), backend_config=named)]).stacks
    assert stack.backends[0].lock == Unknown(
        "the configuration of this repository names net/dev.tfbackend, which was not read",
        "commit the file, or name under backend_config the one that init is given",
    )


@pytest.mark.parametrize(("named", "expected"), [({}, "unknown"), ({PurePosixPath("net"): ()}, "lockfile")])
def test_the_configuration_says_that_init_is_given_no_file(
    named: Mapping[PurePosixPath, tuple[PurePosixPath, ...]], expected: str
) -> None:
    hidden = replace(run(path="deploy.sh"), arguments=("$ARGS",))
    (stack,) = join([Survey(NET, (BLOCK,), runs=(hidden,), backend_config=named)]).stacks
    lock = stack.backends[0].lock
    assert (lock.value.value if isinstance(lock, Known) else "unknown") == expected
    if isinstance(lock, Unknown):
        assert lock.why == "deploy.sh gives init $ARGS, which was not read"
        assert (
            lock.settle
            == "say under backend_config in .tfrelock.yaml which files init is given there, [] for none"
        )
