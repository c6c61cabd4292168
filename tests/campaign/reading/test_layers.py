"""Stack files of Atmos in, the backends of their components out: what they are merged from, and who wins."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from migrate.campaign.reading.layers import layers
from migrate.campaign.reading.tree import Tree
from migrate.dialects import atmos, terraform
from migrate.estate import Survey, join
from migrate.model import Backend, Known, Unknown
from tests.pairs import REPO, source

CONFIG = {
    "atmos.yaml": "base_path: ''\nstacks:\n  base_path: stacks\n  included_paths: ['orgs/**/*']\n"
    "components:\n  terraform:\n    base_path: code\n"
}
"""The stacks are those in `orgs`; code is in `code`."""


def backend(*lines: str, of: str = "", also: str = "") -> str:
    """The backend of one component, or of all, as a part of a stack file."""
    outer = f"components:\n  terraform:\n    {of}:\n" if of else "terraform:\n"
    indent = " " * (6 if of else 2)
    body = [f"{indent}{also}"] * bool(also) + [f"{indent}backend:", f"{indent}  s3:"]
    return outer + "\n".join([*body, *(f"{indent}    {line}" for line in lines), ""])


STATE = ("bucket: acme-state", "key: t")
TABLE = backend(*STATE, "dynamodb_table: acme-locks")
BOTH = backend(*STATE, "dynamodb_table: acme-locks", "use_lockfile: true")
NET = "components:\n  terraform:\n    net:\n      vars: {}\n"
"""A component that says nothing of its backend."""


def importing(*names: str) -> str:
    return "\n".join(["import:", *(f"- {name}" for name in names), ""])


def survey(files: Mapping[str, str], more: Mapping[str, str]) -> Survey:
    sources = {PurePosixPath(path): source(path, text) for path, text in files.items()}
    others = {PurePosixPath(path): text for path, text in more.items()}
    sites = [
        site for path, one in sources.items() if path.suffix == ".yaml" for site in atmos.find(one).items
    ]
    sites += [
        site for path, one in sources.items() if path.suffix == ".tf" for site in terraform.find(one).items
    ]

    def names(folder: PurePosixPath) -> list[str]:
        return [path.name for path in (*sources, *others) if path.parent == folder]

    tree = Tree({path: one.text for path, one in sources.items()}, others.get, names)
    return Survey(REPO, tuple(sites), layers=layers(sites, tree))


def backends(files: Mapping[str, str], more: Mapping[str, str] = {}) -> list[Backend]:
    stacks = join([survey({**CONFIG, **files}, more)]).stacks
    return [one for stack in stacks for one in stack.backends]


def told(one: Backend) -> str:
    """`net 2: table, where`: the code, how many stacks, the lock, and each place that it is read from."""
    lock = one.lock.value.value if isinstance(one.lock, Known) else "unknown"
    places = " ".join(str(site.place).removeprefix("stacks/") for site in one.inputs)
    return f"{one.root} {one.units}: {lock}, {places}"


CASES: dict[str, tuple[Mapping[str, str], list[str]]] = {
    "one map for the components of many stacks": (
        {
            "stacks/base.yaml": TABLE,
            "stacks/orgs/a.yaml": importing("base") + NET,
            "stacks/orgs/b/c.yaml": importing("base") + NET,
        },
        ["code/net 2: table, base.yaml:4"],
    ),
    "a stack that names the map itself": (
        {"stacks/orgs/a.yaml": TABLE + NET},
        ["code/net 1: table, orgs/a.yaml:4"],
    ),
    "what imports, over what it imports": (
        {
            "stacks/base.yaml": TABLE,
            "stacks/orgs/a.yaml": importing("base") + backend("use_lockfile: true") + NET,
        },
        ["code/net 1: both, base.yaml:4 orgs/a.yaml:6"],
    ),
    "a later import over an earlier one": (
        {
            "stacks/base.yaml": TABLE,
            "stacks/off.yaml": backend("dynamodb_table: ''", "use_lockfile: true"),
            "stacks/orgs/a.yaml": importing("base", "off") + NET,
            "stacks/orgs/b.yaml": importing("off", "base") + NET,
        },
        [
            "code/net 1: lockfile, base.yaml:4 off.yaml:4",
            "code/net 1: both, off.yaml:4 base.yaml:4",
        ],
    ),
    "an import of an import": (
        {
            "stacks/base.yaml": TABLE,
            "stacks/org.yaml": importing("base"),
            "stacks/orgs/a.yaml": importing("org") + NET,
        },
        ["code/net 1: table, base.yaml:4"],
    ),
    "as a map, with its ending": (
        {
            "stacks/base.yaml": TABLE,
            "stacks/orgs/a.yaml": "import:\n- path: base.yaml\n  context: {}\n" + NET,
        },
        ["code/net 1: table, base.yaml:4"],
    ),
    "one that may be missing": (
        {"stacks/orgs/a.yaml": "import:\n- path: gone\n  skip_if_missing: true\n" + TABLE + NET},
        ["code/net 1: table, orgs/a.yaml:7"],
    ),
    "near the file": (
        {"stacks/orgs/x/base.yaml": TABLE, "stacks/orgs/a.yaml": importing("./x/base") + NET},
        ["code/net 1: table, orgs/x/base.yaml:4"],
    ),
    "a glob, in the order of names": (
        {
            "stacks/all/a.yaml": backend("use_lockfile: true"),
            "stacks/all/b/c.yaml": TABLE,
            "stacks/orgs/a.yaml": importing("all/**/*") + NET,
        },
        ["code/net 1: both, all/a.yaml:4 all/b/c.yaml:4"],
    ),
    "of a component, over that of all": (
        {
            "stacks/orgs/a.yaml": TABLE
            + backend("use_lockfile: true", of="net")
            + "    app:\n      vars: {}\n",
        },
        ["code/net 1: both, orgs/a.yaml:4 orgs/a.yaml:12", "code/app 1: table, orgs/a.yaml:4"],
    ),
    "of what a component inherits from, below its own": (
        {
            "stacks/base.yaml": backend(
                "dynamodb_table: acme-locks", of="defaults", also="metadata: {type: abstract, component: x}"
            ),
            "stacks/orgs/a.yaml": importing("base")
            + backend(*STATE, of="net", also="metadata: {inherits: [defaults], component: vpc}"),
        },
        ["code/vpc 1: table, base.yaml:7 orgs/a.yaml:9"],
    ),
    "another kind of backend": (
        {"stacks/orgs/a.yaml": TABLE + NET + "      backend_type: local\n"},
        ["stacks/orgs 1: table, orgs/a.yaml:4"],
    ),
    "the kind of all, and of one": (
        {"stacks/orgs/a.yaml": TABLE + "  backend_type: local\n" + NET + "      backend_type: s3\n"},
        ["code/net 1: table, orgs/a.yaml:4"],
    ),
    "a file that no stack imports": (
        {"stacks/base.yaml": TABLE, "stacks/orgs/a.yaml": NET},
        ["stacks 1: table, base.yaml:4"],
    ),
    "its own backend in the code, which Atmos fills in": (
        {"stacks/orgs/a.yaml": TABLE + NET, "code/net/main.tf": 'terraform {\n  backend "s3" {}\n}\n'},
        ["code/net 1: table, orgs/a.yaml:4"],
    ),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES.keys())
def test_merges(files: Mapping[str, str], expected: list[str]) -> None:
    assert sorted(map(told, backends(files))) == sorted(expected)


UNKNOWN: dict[str, tuple[Mapping[str, str], str]] = {
    "a template": ({"stacks/orgs/a.yaml": importing("'{{ .vars.stage }}/base'")}, "{{ .vars.stage }}/base"),
    "of another place": (
        {"stacks/orgs/a.yaml": importing("github.com/acme/stacks/base")},
        "github.com/acme/stacks/base",
    ),
    "not there": ({"stacks/orgs/a.yaml": importing("gone")}, "gone"),
    "out of the stacks": ({"stacks/orgs/a.yaml": importing("../../x")}, "../../x"),
    "no text": ({"stacks/orgs/a.yaml": importing("[a]")}, "an import that is no text"),
    "no list": ({"stacks/orgs/a.yaml": "import: base\n"}, "what it imports is no list"),
}


@pytest.mark.parametrize(("files", "what"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_what_is_not_read_may_say_anything_of_a_component(files: Mapping[str, str], what: str) -> None:
    """What it may say of the component wins over what all components have."""
    (one,) = backends({path: text + TABLE + NET for path, text in files.items()})
    said = {one.settings[name].value for name in ("bucket", "dynamodb_table", "use_lockfile")}
    assert said == {Unknown(f"{what}, which stacks/orgs/a.yaml imports")}


def test_what_comes_behind_it_wins() -> None:
    of_net = backend("dynamodb_table: acme-locks", "use_lockfile: true", of="net")
    (one,) = backends({"stacks/orgs/a.yaml": importing("gone") + TABLE + of_net})
    assert told(one) == "code/net 1: both, orgs/a.yaml:6 orgs/a.yaml:14"


def test_a_template_in_place_of_a_file_is_not_read() -> None:
    files = {"stacks/orgs/a.yaml": importing("base") + TABLE + NET}
    (one,) = backends(files, {"stacks/base.yaml.tmpl": BOTH})
    assert told(one).startswith("code/net 1: unknown")


def test_files_that_say_nothing_of_backends_are_no_doubt() -> None:
    files = {"stacks/orgs/a.yaml": importing("mixins/*", "region") + TABLE + NET}
    (one,) = backends(files, {"stacks/mixins/eu.yaml": "vars: {}\n", "stacks/region.yaml": "vars: {}\n"})
    assert told(one) == "code/net 1: table, orgs/a.yaml:7"


@pytest.mark.parametrize("inner", ["base", "orgs/a"])
def test_imports_that_go_round_are_not_known(inner: str) -> None:
    outer = importing("base", "orgs/a") + TABLE + NET
    (one,) = backends({"stacks/orgs/a.yaml": outer, "stacks/base.yaml": importing(inner)})
    assert told(one).startswith("code/net 1: unknown")


def test_many_imports_of_one_file_are_read_once() -> None:
    """Forty files that each import the next one twice are a billion paths."""
    chain = {f"stacks/f{n}.yaml": importing(f"f{n + 1}", f"./f{n + 1}") for n in range(40)}
    files = {**chain, "stacks/f40.yaml": TABLE, "stacks/orgs/a.yaml": importing("f0") + NET}
    assert list(map(told, backends(files))) == ["code/net 1: table, f40.yaml:4"]


@pytest.mark.parametrize(
    ("component", "prefix"),
    [
        ("    eks/net:\n      vars: {}\n", "eks-net"),
        ("    net:\n      metadata: {component: eks/code}\n", "eks-code"),
        ("    net:\n      metadata: {name: one, component: code}\n", "one"),
        ("    net:\n      component: base\n    base:\n      metadata: {type: abstract}\n", "base"),
    ],
)
def test_the_prefix_of_workspaces_is_the_name_of_the_component(component: str, prefix: str) -> None:
    (one,) = backends({"stacks/orgs/a.yaml": TABLE + "components:\n  terraform:\n" + component})
    assert one.settings["workspace_key_prefix"].value == Known(prefix)


def test_components_that_inherit_from_each_other_end() -> None:
    """Forty that each inherit from all others; a stack of them is as deep as it is."""
    names = [f"c{n}" for n in range(40)]
    others = {name: ", ".join(one for one in names if one != name) for name in names}
    listed = "".join(f"    {name}:\n      metadata: {{inherits: [{others[name]}]}}\n" for name in names)
    found = backends({"stacks/orgs/a.yaml": TABLE + "components:\n  terraform:\n" + listed})
    assert {told(one).partition(": ")[2] for one in found} == {"table, orgs/a.yaml:4"}


def test_a_line_of_components_that_is_too_long_may_bring_anything() -> None:
    listed = "".join(f"    c{n}:\n      metadata: {{inherits: [c{n + 1}]}}\n" for n in range(2000))
    found = backends(
        {"stacks/orgs/a.yaml": TABLE + "components:\n  terraform:\n" + listed + "    c2000: {}\n"}
    )
    assert {told(one).partition(": ")[2] for one in found} == {
        "table, orgs/a.yaml:4",
        "unknown, orgs/a.yaml:4",
    }
