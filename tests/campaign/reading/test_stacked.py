"""Stack files of Terragrunt in, the states of the units that they make out.

The keys are those of `terragrunt stack generate` and `terragrunt render` at 1.1.3, which were run on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from migrate.campaign.reading.inventory import Told, take
from migrate.estate import join
from migrate.files import Opened, Read
from migrate.model import Backend, Known, RepoId, Stack, StateId
from tests.campaign.reading.disk import Disk

NET = RepoId("git.acme.example/acme/net")


def stacks(files: Mapping[str, str]) -> tuple[Stack, ...]:
    disk = Disk(files)
    reads = [
        Read(PurePosixPath(path), text.encode())
        for path, text in files.items()
        if path.endswith(("terragrunt.hcl", "terragrunt.stack.hcl", ".tf")) or "remote_state" in text
    ]
    return join([take(NET, [Opened(), *reads], disk, Told()).survey]).stacks


def backends(files: Mapping[str, str]) -> list[tuple[str, Backend]]:
    """By what is known of its state, each backend."""
    return [
        (stack.id.key if isinstance(stack.id, StateId) else "unknown", backend)
        for stack in stacks(files)
        for backend in stack.backends
    ]


def keys(files: Mapping[str, str]) -> dict[str, str]:
    """The directory of each unit, and the key of its state."""
    return {str(backend.root): key for key, backend in backends(files)}


def remote_state(key: str, bucket: str = "acme-state") -> str:
    lines = [f'    bucket = "{bucket}"', f"    key = {key}", '    dynamodb_table = "acme-locks"']
    return "\n".join(["remote_state {", '  backend = "s3"', "  config = {", *lines, "  }", "}", ""])


ROOT = {"root.hcl": remote_state('"${path_relative_to_include()}/t"')}
UNIT = 'include "root" {\n  path = find_in_parent_folders("root.hcl")\n}\n'
GIVEN = f"{UNIT}inputs = {{ cidr = values.cidr }}\n"
"""A unit that cannot be run without values."""


def unit(name: str, source: str, *more: str, path: str = "") -> str:
    said = [f'  source = "{source}"', f'  path = "{path or name}"', *(f"  {line}" for line in more)]
    return "\n".join([f'unit "{name}" {{', *said, "}", ""])


def stack(name: str, source: str, *more: str) -> str:
    return unit(name, source, *more).replace("unit", "stack", 1)


CASES: dict[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "a unit is where the stack puts it": (
        {
            "live/terragrunt.stack.hcl": unit("vpc", "../units/vpc", 'values = { cidr = "10.0.0.0/16" }'),
            "units/vpc/terragrunt.hcl": GIVEN,
        },
        {"live/.terragrunt-stack/vpc": "live/.terragrunt-stack/vpc/t"},
    ),
    "and also where it is written, if it runs there": (
        {
            "live/terragrunt.stack.hcl": unit("vpc", "../units/vpc"),
            "units/vpc/terragrunt.hcl": f"{UNIT}# values.cidr\ninputs = {{ cidr = try(values.cidr, 1) }}\n",
        },
        {"live/.terragrunt-stack/vpc": "live/.terragrunt-stack/vpc/t", "units/vpc": "units/vpc/t"},
    ),
    "without the folder, and a path of several": (
        {
            "live/terragrunt.stack.hcl": unit(
                "vpc", "../units/vpc", "no_dot_terragrunt_stack = true", path="net/./x/../vpc"
            )
            + unit("other", "../units/vpc", path="a/b"),
            "units/vpc/terragrunt.hcl": GIVEN,
        },
        {
            "live/.terragrunt-stack/a/b": "live/.terragrunt-stack/a/b/t",
            "live/net/vpc": "live/net/vpc/t",
        },
    ),
    "sources by expressions": (
        {
            "live/terragrunt.stack.hcl": 'locals {\n  at = "units"\n  x = [for values in [] : values.x]\n}\n'
            + unit("a", '${find_in_parent_folders("units/vpc")}')
            + unit("b", "${get_repo_root()}//${local.at}/vpc")
            + unit("c", "${get_terragrunt_dir()}/../units/vpc"),
            "units/vpc/terragrunt.hcl": GIVEN,
        },
        {f"live/.terragrunt-stack/{name}": f"live/.terragrunt-stack/{name}/t" for name in "abc"},
    ),
    "stacks in stacks, with values for their paths": (
        {
            "live/terragrunt.stack.hcl": stack("blue", "../stacks/env", 'values = { name = "b" }')
            + stack("red", "../stacks/env", 'values = { name = "r" }', "no_dot_terragrunt_stack = true"),
            "stacks/env/terragrunt.stack.hcl": "locals {\n  name = values.name\n}\n"
            + unit("vpc", "${get_repo_root()}/units/vpc", path="vpc-${local.name}"),
            "units/vpc/terragrunt.hcl": GIVEN,
        },
        {
            "live/.terragrunt-stack/blue/.terragrunt-stack/vpc-b": (
                "live/.terragrunt-stack/blue/.terragrunt-stack/vpc-b/t"
            ),
            "live/red/.terragrunt-stack/vpc-r": "live/red/.terragrunt-stack/vpc-r/t",
        },
    ),
    "a unit that lies in its stack's folder": (
        {
            "live/terragrunt.stack.hcl": stack("blue", "../stacks/env"),
            "stacks/env/terragrunt.stack.hcl": unit("vpc", "../../../stacks/env/inner", path="x"),
            "stacks/env/inner/terragrunt.hcl": GIVEN,
        },
        {
            "live/.terragrunt-stack/blue/.terragrunt-stack/x": (
                "live/.terragrunt-stack/blue/.terragrunt-stack/x/t"
            ),
            "live/.terragrunt-stack/blue/inner": "live/.terragrunt-stack/blue/inner/t",
        },
    ),
    "sources seen from where they are written": (
        {
            "live/terragrunt.stack.hcl": stack("blue", "../catalog//stacks/env", "values = { a = 1 }"),
            "catalog/stacks/env/terragrunt.stack.hcl": unit(
                "vpc", "../../units/vpc", "update_source_with_cas = true", "values = { a = values.a }"
            ),
            "catalog/units/vpc/terragrunt.hcl": GIVEN,
        },
        {
            "live/.terragrunt-stack/blue/.terragrunt-stack/vpc": (
                "live/.terragrunt-stack/blue/.terragrunt-stack/vpc/t"
            ),
        },
    ),
    "values in a state of its own, given and beside": (
        {
            "live/terragrunt.stack.hcl": unit("a", "../units/own", 'values = { name = "given" }')
            + unit("b", "../units/own"),
            "units/own/terragrunt.hcl": remote_state('"${values.name}/${try(values.more, "none")}"'),
            "units/own/terragrunt.values.hcl": 'name = "beside"\nmore = "m"\n',
        },
        {
            "live/.terragrunt-stack/a": "given/none",
            "live/.terragrunt-stack/b": "beside/m",
            "units/own": "beside/m",
        },
    ),
    "a file that is copied along": (
        {
            "live/terragrunt.stack.hcl": unit("a", "../units/own", path="x/y"),
            "units/own/terragrunt.hcl": 'include {\n  path = "common.hcl"\n}\ninputs = { a = values.a }\n',
            "units/own/common.hcl": remote_state('"${get_path_from_repo_root()}/t"'),
        },
        {"live/.terragrunt-stack/x/y": "live/.terragrunt-stack/x/y/t"},
    ),
    "blocks of included files": (
        {
            "live/terragrunt.stack.hcl": 'include "more" {\n  path = "more.hcl"\n}\n',
            "live/more.hcl": unit("a", "../units/vpc"),
            "live/terragrunt.autoinclude.stack.hcl": unit("b", "../units/vpc"),
            "units/vpc/terragrunt.hcl": GIVEN,
        },
        {f"live/.terragrunt-stack/{name}": f"live/.terragrunt-stack/{name}/t" for name in "ab"},
    ),
    "what is meant for copies fails where it is written": (
        {
            "root.hcl": remote_state(
                '"${read_terragrunt_config(find_in_parent_folders("env.hcl")).locals.name}/t"'
            ),
            "live/env.hcl": 'locals {\n  name = "dev"\n}\n',
            "live/terragrunt.stack.hcl": stack("s", "../stacks/env"),
            "stacks/env/terragrunt.stack.hcl": unit("vpc", "../../../units/vpc"),
            "units/vpc/terragrunt.hcl": UNIT,
        },
        {"live/.terragrunt-stack/s/.terragrunt-stack/vpc": "dev/t"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_unit_has_the_state_of_its_copy(case: str) -> None:
    files, expected = CASES[case]
    root = ROOT if any("root.hcl" in text for text in files.values()) else {}

    assert keys({**root, **files}) == expected


FAR = "git::https://token@git.acme.example/catalog.git//units/vpc?ref=v1"
UNKNOWN: dict[str, tuple[Mapping[str, str], list[str]]] = {
    "a source from elsewhere": (
        {"live/terragrunt.stack.hcl": unit("vpc", FAR)},
        ['live/.terragrunt-stack/vpc: unit "vpc": its source is not in this repository'],
    ),
    "a stack from elsewhere": (
        {"live/terragrunt.stack.hcl": stack("env", FAR)},
        ['live/.terragrunt-stack/env: stack "env": its source is not in this repository'],
    ),
    "one block, made in two places": (
        {
            "live/terragrunt.stack.hcl": stack("blue", "../stacks/env") + stack("red", "../stacks/env"),
            "stacks/env/terragrunt.stack.hcl": unit("vpc", "../../../../elsewhere"),
        },
        ['stacks/env: 2 units: unit "vpc": its source is not in this repository'],
    ),
    "a path that is known only when it runs": (
        {
            "live/terragrunt.stack.hcl": unit("vpc", "../units/vpc", path='${get_env("NAME")}'),
            "units/vpc/terragrunt.hcl": GIVEN,
        },
        ['live: unit "vpc": where it is put is not known from source'],
    ),
    "a folder without a unit": (
        {"live/terragrunt.stack.hcl": unit("vpc", "../units")},
        ['live/.terragrunt-stack/vpc: unit "vpc": its source is not in this repository'],
    ),
    "a remote_state that is put in": (
        {
            "live/terragrunt.stack.hcl": unit(
                "vpc", "../units/vpc", 'autoinclude {\n    remote_state {\n      backend = "s3"\n    }\n  }'
            ),
            "units/vpc/terragrunt.hcl": GIVEN,
        },
        ['live/.terragrunt-stack/vpc: unit "vpc": its autoinclude block'],
    ),
    "more of them by an expansion": (
        {
            "live/terragrunt.stack.hcl": unit(
                "vpc", "../units/vpc", "expansion {\n    for_each = local.all\n  }"
            ),
            "units/vpc/terragrunt.hcl": GIVEN,
        },
        ['live/.terragrunt-stack/vpc: unit "vpc": its expansion block'],
    ),
    "an included file that is not here": (
        {"live/terragrunt.stack.hcl": 'include "more" {\n  path = "more.hcl"\n}\n'},
        ['live: include "more": the file that it names is not here'],
    ),
    "a broken file": (
        {"live/terragrunt.stack.hcl": 'unit "vpc" {\n'},
        ["live: part: it is no HCL"],
    ),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_what_is_not_here_is_a_state_that_is_not_known(case: str) -> None:
    files, expected = UNKNOWN[case]
    found = [(key, one) for key, one in backends({**ROOT, **files}) if one.inputs[0].role == "code"]

    assert {key for key, _ in found} == {"unknown"}
    assert [_told(one) for _, one in found] == expected
    assert not any(isinstance(one.lock, Known) or one.table for _, one in found)


def _told(backend: Backend) -> str:
    units = f" {backend.units} units:" if backend.units > 1 else ""
    return f"{backend.root}:{units} {backend.inputs[0].why_not}"


def test_what_a_run_of_terragrunt_left_makes_known_what_came_from_elsewhere() -> None:
    files = {
        **ROOT,
        "live/terragrunt.stack.hcl": unit("vpc", FAR),
        "live/.terragrunt-stack/vpc/terragrunt.hcl": GIVEN,
        "live/.terragrunt-stack/vpc/terragrunt.values.hcl": "cidr = 1\n",
    }

    assert keys(files) == {"live/.terragrunt-stack/vpc": "live/.terragrunt-stack/vpc/t"}


def test_units_from_elsewhere_below_a_state_of_another_kind_are_none_of_ours() -> None:
    files = {
        "gcp/root.hcl": ROOT["root.hcl"].replace('"s3"', '"gcs"'),
        "gcp/terragrunt.stack.hcl": unit("vpc", FAR),
        "aws/terragrunt.stack.hcl": unit("vpc", FAR),
    }

    assert [str(one.root) for _, one in backends(files)] == ["aws/.terragrunt-stack/vpc"]
    assert len(backends({**files, **ROOT})) == 3


def test_a_copy_that_was_left_is_not_edited() -> None:
    files = {
        "live/terragrunt.stack.hcl": unit("vpc", FAR),
        "live/.terragrunt-stack/vpc/terragrunt.hcl": remote_state('"own"'),
    }
    ((key, backend),) = backends(files)

    assert (key, backend.inputs[0].why_not) == (
        "own",
        "generated: a copy of what its stack names as its source",
    )


@pytest.mark.parametrize("source", [".", "../live"])
@pytest.mark.parametrize("more", ["", "no_dot_terragrunt_stack = true"])
def test_stacks_that_copy_themselves_end(source: str, more: str) -> None:
    files = {"live/terragrunt.stack.hcl": stack("again", source, more) + stack("twice", source, more)}

    assert {key for key, _ in backends(files)} == {"unknown"}


def test_a_stack_that_is_its_own_copy_is_read_once() -> None:
    files = {
        **ROOT,
        "live/terragrunt.stack.hcl": unit("a", "../units/vpc")
        + stack("s", ".", "no_dot_terragrunt_stack = true").replace('path = "s"', 'path = "."'),
        "units/vpc/terragrunt.hcl": GIVEN,
    }

    assert keys(files) == {"live/.terragrunt-stack/a": "live/.terragrunt-stack/a/t"}


def test_versions_that_a_unit_asks_for_hold_where_it_is_run() -> None:
    files = {
        **ROOT,
        "live/terragrunt.stack.hcl": unit("vpc", "../units/vpc"),
        "live/.terraform-version": "1.9.8\n",
        "units/.terraform-version": "1.5.0\n",
        "units/vpc/terragrunt.hcl": f'{GIVEN}terraform_version_constraint = ">= 1.5"\n',
        "units/vpc/main.tf": 'terraform {\n  required_version = "< 2"\n  backend "s3" {}\n}\n',
    }
    ((key, backend),) = backends(files)

    assert key == "live/.terragrunt-stack/vpc/t"
    assert sorted(
        f"{pin.path} {pin.version.value}" for pin in backend.pins if isinstance(pin.version, Known)
    ) == [
        "units/vpc/main.tf < 2",
        "units/vpc/terragrunt.hcl >= 1.5",
    ]
