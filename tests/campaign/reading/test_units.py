"""Files of Terragrunt in, the states of its units out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.campaign.reading.tree import Tree
from migrate.campaign.reading.units import units
from migrate.dialects import terragrunt
from migrate.estate import Survey, join
from migrate.model import Backend
from migrate.pins import terragrunt_constraint
from tests.pairs import REPO, source

UNIT = 'include "root" {\n  path = find_in_parent_folders("root.hcl")\n}\n'


def root(key: str, bucket: str = '"acme-state"', *locals_: str) -> str:
    """A file to include, with these expressions for the state."""
    head = ["locals {", *(f"  {line}" for line in locals_), "}", "remote_state {", '  backend = "s3"']
    inner = [f"    bucket = {bucket}", f"    key    = {key}", '    dynamodb_table = "acme-locks"']
    return "\n".join([*head, "  config = {", *inner, "  }", "}", ""])


def survey(files: Mapping[str, str]) -> Survey:
    sources = {PurePosixPath(path): source(path, text) for path, text in files.items()}
    found = [terragrunt.find(one) for one in sources.values()]
    sites = tuple(site for one in found for site in one.items)
    links = tuple(link for one in found for link in one.links)

    def names(folder: PurePosixPath) -> list[str]:
        return [path.name for path in sources if path.parent == folder]

    tree = Tree({path: one.text for path, one in sources.items()}, lambda path: None, names)
    return Survey(REPO, sites, links, units=units(sites, links, tree))


def backends(files: Mapping[str, str]) -> list[Backend]:
    return [backend for stack in join([survey(files)]).stacks for backend in stack.backends]


def states(files: Mapping[str, str]) -> list[str]:
    """Of each state its id without what is the same in all, or how many units it is not known for."""
    return [
        str(b.state).removeprefix("s3://acme-") if str(b.state).startswith("s3:") else f"{b.units} unknown"
        for b in backends(files)
    ]


OTHER = UNIT.replace("root", "other")
RELATIVE = root('"${path_relative_to_include()}/t"')
CASES: dict[str, tuple[Mapping[str, str], list[str]]] = {
    "a key of each unit": (
        {"root.hcl": RELATIVE, "a/terragrunt.hcl": UNIT, "b/c/terragrunt.hcl": UNIT},
        ["state/a/t", "state/b/c/t"],
    ),
    "the folders of what a unit includes and of the unit itself": (
        {
            "live/root.hcl": root(
                '"${basename(get_parent_terragrunt_dir())}/${basename(get_original_terragrunt_dir())}"'
            ),
            "live/a/terragrunt.hcl": UNIT,
            "live/b/c/terragrunt.hcl": UNIT,
        },
        ["state/live/a", "state/live/c"],
    ),
    "the way from a unit up to what it includes": (
        {
            "root.hcl": root('"${replace(path_relative_from_include(), "..", "up")}/t"'),
            "a/terragrunt.hcl": UNIT,
            "b/c/terragrunt.hcl": UNIT,
        },
        ["state/up/t", "state/up/up/t"],
    ),
    "a unit without an include is its own parent": (
        {"live/a/terragrunt.hcl": root('"${basename(get_parent_terragrunt_dir())}/t"')},
        ["state/a/t"],
    ),
    "a folder of somebody's machine, and a file that is not here": (
        {
            "a/terragrunt.hcl": root('"${get_terragrunt_dir()}/t"'),
            "b/terragrunt.hcl": root('"${read_terragrunt_config("gone.hcl").locals.name}/t"'),
        },
        ["1 unknown", "1 unknown"],
    ),
    "includes behind marks and comments, and what only looks like one": (
        {
            "root.hcl": RELATIVE,
            "a/terragrunt.hcl": f"\ufeff{UNIT}",
            "b/terragrunt.hcl": f"/* the state */ {UNIT}",
            "c/terragrunt.hcl": f"/*\n{UNIT}*/\n",
            "d/terragrunt.hcl": f"inputs = {{\n  shown = <<EOT\n{UNIT}EOT\n}}\n",
        },
        ["state/a/t", "state/b/t"],
    ),
    "the last of several includes wins, and one that is not merged counts for nothing": (
        {
            "root.hcl": RELATIVE,
            "other.hcl": root('"${path_relative_to_include()}/o"'),
            "a/terragrunt.hcl": UNIT + OTHER,
            "b/terragrunt.hcl": OTHER + UNIT,
            "c/terragrunt.hcl": UNIT + OTHER.replace("}", '  merge_strategy = "no_merge"\n}'),
            "d/terragrunt.hcl": OTHER.replace("}", '  merge_strategy = "no_merge"\n}'),
        },
        ["state/a/o", "state/b/t", "state/c/t"],
    ),
    "the nearest root, not the farthest": (
        {"root.hcl": RELATIVE, "b/root.hcl": RELATIVE, "b/c/terragrunt.hcl": UNIT, "a/terragrunt.hcl": UNIT},
        ["state/a/t", "state/c/t"],
    ),
    "a path as it is written": (
        {"live/root.hcl": RELATIVE, "live/a/terragrunt.hcl": 'include {\n  path = "../root.hcl"\n}\n'},
        ["state/a/t"],
    ),
    "a path put together": (
        {
            "live/root.hcl": RELATIVE,
            "live/a/terragrunt.hcl": 'include "r" {\n  path = "${get_repo_root()}/live/root.hcl"\n}\n',
        },
        ["state/a/t"],
    ),
    "a unit that includes nothing": ({"a/terragrunt.hcl": RELATIVE}, ["state/./t"]),
    "a file that nobody includes": ({"a/root.hcl": RELATIVE}, ["1 unknown"]),
    "one key for all": (
        {"root.hcl": root('"t"'), "a/terragrunt.hcl": UNIT, "b/terragrunt.hcl": UNIT},
        ["state/t", "state/t"],
    ),
    "a bucket out of the environment": (
        {
            "root.hcl": root('"${path_relative_to_include()}/t"', 'get_env("BUCKET")'),
            "a/terragrunt.hcl": UNIT,
            "b/terragrunt.hcl": UNIT,
        },
        ["2 unknown"],
    ),
    "a bucket of each account": (
        {
            "root.hcl": root(
                'format("%s/t", basename(get_terragrunt_dir()))',
                '"acme-${local.account.locals.name}"',
                'account = read_terragrunt_config(find_in_parent_folders("account.hcl"))',
            ),
            "dev/account.hcl": 'locals {\n  name = "dev"\n}\n',
            "dev/a/terragrunt.hcl": UNIT,
            "dev/b/terragrunt.hcl": UNIT,
            "prod/account.hcl": 'locals {\n  name = lower("PROD")\n}\n',
            "prod/a/terragrunt.hcl": UNIT,
            "test/a/terragrunt.hcl": UNIT,
        },
        ["dev/a/t", "dev/b/t", "prod/a/t", "1 unknown"],
    ),
    "a unit with a state of its own": (
        {
            "root.hcl": RELATIVE,
            "a/terragrunt.hcl": UNIT,
            "b/terragrunt.hcl": UNIT + root('"own"'),
            "c/terragrunt.hcl": UNIT + root('"${local.r.locals.name}"', '"acme-state"', "r = include.root"),
        },
        ["state/a/t", "state/own", "1 unknown"],
    ),
    "a part of the path": (
        {
            "root.hcl": root(
                '"${local.parts[1]}.t"',
                '"acme-${local.parts[0]}"',
                'parts = split("/", path_relative_to_include())',
            ),
            "dev/a/terragrunt.hcl": UNIT,
        },
        ["dev/a.t"],
    ),
    "a choice that the unit settles": (
        {
            "root.hcl": root(
                'local.top == "dev" ? "d" : "p"', '"acme-state"', "top = basename(path_relative_to_include())"
            ),
            "dev/terragrunt.hcl": UNIT,
            "prod/terragrunt.hcl": UNIT,
        },
        ["state/d", "state/p"],
    ),
    "a name still to be filled in": (
        {"root.hcl": root('"t"', '"__BUCKET__"'), "a/terragrunt.hcl": UNIT},
        ["1 unknown"],
    ),
    "locals that go round": (
        {"root.hcl": root("local.a", '"acme-state"', "a = local.b", "b = local.a"), "a/terragrunt.hcl": UNIT},
        ["1 unknown"],
    ),
}


@pytest.mark.parametrize(("files", "wanted"), CASES.values(), ids=CASES)
def test_states(files: Mapping[str, str], wanted: list[str]) -> None:
    assert states(files) == wanted


def test_a_unit_has_its_own_root_and_the_site_of_the_file_it_includes() -> None:
    (backend,) = backends({"root.hcl": RELATIVE, "a/terragrunt.hcl": UNIT})
    assert (backend.root, backend.inputs[0].path) == (PurePosixPath("a"), PurePosixPath("root.hcl"))
    assert backend.inputs[0].id == f"{REPO}:root.hcl#remote_state"


def test_an_included_file_is_read_once_for_all_units() -> None:
    read: list[PurePosixPath] = []

    def more(path: PurePosixPath) -> str:
        read.append(path)
        return 'locals {\n  name = "dev"\n}\n'

    config = root(
        '"t"', "local.name", 'name = read_terragrunt_config("${get_repo_root()}/n.hcl").locals.name'
    )
    files = {f"{name}/terragrunt.hcl": UNIT for name in "abc"} | {"root.hcl": config}
    found = [terragrunt.find(source(path, text)) for path, text in files.items()]
    links = [link for one in found for link in one.links]
    tree = Tree(
        {PurePosixPath(p): text for p, text in files.items()}, more, lambda folder: ["n.hcl", "root.hcl"]
    )
    units([site for one in found for site in one.items], links, tree)
    assert read == [PurePosixPath("n.hcl")]


def test_a_unit_has_the_constraint_of_the_file_it_includes() -> None:
    text = f'terraform_version_constraint = ">= 1.11"\n{RELATIVE}'
    files = {"root.hcl": text, "a/terragrunt.hcl": UNIT, "b/terragrunt.hcl": UNIT}
    pins = terragrunt_constraint.find(source("root.hcl", text)).items
    estate = join([replace(survey(files), pins=pins)])
    assert [backend.pins for stack in estate.stacks for backend in stack.backends] == [pins, pins]
