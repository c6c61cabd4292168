"""Sites of a repository in, backends and states out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.estate import Survey, join
from migrate.model import Engine, Known, Link, Pin, PinKind, Place, Run, Scalar, Site, Unknown
from migrate.text import Span
from tests.estate.world import ACME, APP, BOTH, LOCKFILE, NET, TABLE, site


def joined(*sites: Site, survey: Survey | None = None) -> dict[str, list[str]]:
    """State → the lock of each of its backends."""
    surveys = [survey] if survey else [Survey(NET, sites)]
    return {
        str(stack.id): [
            b.lock.value.value if isinstance(b.lock, Known) else "unknown" for b in stack.backends
        ]
        for stack in join(surveys).stacks
    }


NET_STATE = "s3://acme-state/net.tfstate"


@pytest.mark.parametrize(
    ("endpoint", "one"),
    [
        ("https://obj.acme.example", True),
        ("https://obj.acme.example/", True),
        ("https://OBJ.acme.example", True),
        ("HTTPS://obj.acme.example:443", True),
        ("obj.acme.example", True),
        ("http://obj.acme.example", False),
        ("https://obj.acme.example:9000", False),
        ("https://obj.acme.example/other", False),
        ("https://[::1", False),
    ],
)
def test_two_spellings_of_an_endpoint_lead_to_one_state(endpoint: str, one: bool) -> None:
    other = {**LOCKFILE, "endpoint": endpoint}
    found = joined(site("a.tf", {**TABLE, "endpoint": "https://obj.acme.example"}), site("b/b.tf", other))
    assert (found == {"https://obj.acme.example/acme-state/net.tfstate": ["table", "lockfile"]}) is one


def test_all_endpoints_of_aws_lead_to_one_state() -> None:
    hosts = [
        "s3.eu-west-1.amazonaws.com",
        "https://S3.EU-WEST-1.AMAZONAWS.COM/",
        "https://s3.amazonaws.com:443",
    ]
    sites = [site(f"{n}/a.tf", {**TABLE, "endpoint": host}) for n, host in enumerate(hosts)]
    assert joined(*sites) == {NET_STATE: ["table"] * 3}


@pytest.mark.parametrize(
    ("settings", "lock"),
    [
        (TABLE, "table"),
        (BOTH, "both"),
        (LOCKFILE, "lockfile"),
        (ACME, "none"),
        ({**TABLE, "use_lockfile": False}, "table"),
        ({**TABLE, "use_lockfile": None}, "table"),
        ({**TABLE, "use_lockfile": "true"}, "both"),
        ({**LOCKFILE, "dynamodb_table": ""}, "lockfile"),
        ({**LOCKFILE, "dynamodb_table": None}, "lockfile"),
        ({**ACME, "lock_table": "acme-locks"}, "table"),
        ({**ACME, "dynamodb_table": Unknown("var.table")}, "table"),
        ({**TABLE, "use_lockfile": Unknown("var.on")}, "unknown"),
        ({**BOTH, "dynamodb_table": Unknown('var.old ? "acme-locks" : null')}, "unknown"),
        ({**ACME, "dynamodb_table": Unknown('get_env("LOCKS", "")')}, "unknown"),
    ],
)
def test_the_lock_of_one_block(settings: Mapping[str, Scalar], lock: str) -> None:
    assert joined(site("net/main.tf", settings)) == {NET_STATE: [lock]}


ARN = "arn:aws:dynamodb:us-east-1:111122223333:table/acme-locks"
ROLE = "arn:aws:iam::111122223333:role/ci"


@pytest.mark.parametrize(
    ("settings", "region", "account", "at"),
    [
        ({}, "eu-west-1", None, ""),
        ({"region": None}, None, None, ""),
        ({"assume_role.role_arn": ROLE}, "eu-west-1", "111122223333", ""),
        ({"role_arn": ROLE}, "eu-west-1", "111122223333", ""),
        ({"role_arn": Unknown("var.role")}, "eu-west-1", None, ""),
        ({"dynamodb_table": ARN, "role_arn": ROLE.replace("1111", "2222")}, "us-east-1", "111122223333", ""),
        ({"endpoints.dynamodb": "https://dynamodb.eu-west-1.amazonaws.com"}, "eu-west-1", None, ""),
        ({"dynamodb_endpoint": "HTTP://localhost:8000/"}, "eu-west-1", None, "http://localhost:8000"),
        ({"dynamodb_endpoint": Unknown("var.at")}, "eu-west-1", None, None),
    ],
)
def test_the_table_of_one_block(
    settings: Mapping[str, Scalar | Unknown], region: str | None, account: str | None, at: str | None
) -> None:
    (stack,) = join([Survey(NET, (site("main.tf", {**TABLE, **settings}),))]).stacks
    table = stack.backends[0].table
    assert table is not None
    said = [one.value if isinstance(one, Known) else None for one in (table.region, table.account, table.at)]
    assert (table.name, said) == (Known("acme-locks"), [region, account, at])


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ({"bucket": "b", "key": "k"}, "s3://b/k"),
        ({"bucket": "b", "key": "k", "endpoint": "https://s3.eu-west-1.amazonaws.com"}, "s3://b/k"),
        (
            {"bucket": "b", "key": "k", "endpoints.s3": "https://obj.acme.example/"},
            "https://obj.acme.example/b/k",
        ),
        ({"bucket": "b", "key": Unknown("var.key")}, f"unresolved:{NET}/net/main.tf#backend.s3"),
        ({"bucket": "b", "key": ""}, f"unresolved:{NET}/net/main.tf#backend.s3"),
        ({"bucket": "b-x4k1-s3alias", "key": "k"}, f"unresolved:{NET}/net/main.tf#backend.s3"),
        (
            {"bucket": "b", "key": "k", "endpoints.s3": Unknown("var.e")},
            f"unresolved:{NET}/net/main.tf#backend.s3",
        ),
    ],
)
def test_the_state_of_one_block(settings: Mapping[str, Scalar], state: str) -> None:
    assert list(joined(site("net/main.tf", settings))) == [state]


def test_one_state_in_two_repositories_is_one_stack() -> None:
    surveys = [
        Survey(NET, (site("net/main.tf", TABLE),)),
        Survey(APP, (site("main.tf", LOCKFILE, repo=APP),)),
    ]
    assert [str(stack.id) for stack in join(surveys).stacks] == [NET_STATE]


def test_two_unresolved_states_are_never_one() -> None:
    settings: Mapping[str, Scalar | Unknown] = {"bucket": "b", "key": Unknown("var.key")}
    assert len(joined(site("a/main.tf", settings), site("b/main.tf", settings))) == 2


def test_one_block_with_two_partial_files_is_two_states() -> None:
    block = site("net/main.tf", {"region": "eu-west-1"})
    dev = site("net/dev.tfbackend", {"bucket": "b", "key": "dev", "dynamodb_table": "t"}, role="partial")
    prod = site("net/prod.tfbackend", {"bucket": "b", "key": "prod", "use_lockfile": True}, role="partial")
    assert joined(block, dev, prod) == {"s3://b/dev": ["table"], "s3://b/prod": ["lockfile"]}


def test_a_later_input_wins_over_the_block() -> None:
    block = site("net/main.tf", {"bucket": "b", "use_lockfile": True})
    file = site("net/dev.tfbackend", {"key": "dev", "use_lockfile": False}, role="partial")
    assert joined(block, file) == {"s3://b/dev": ["none"]}


def test_a_file_beside_a_complete_block_is_taken_for_its_own() -> None:
    block = site("net/main.tf", {"bucket": "b", "key": "net"})
    file = site("net/lock.tfbackend", {"dynamodb_table": "t"}, role="partial")
    assert joined(block, file) == {"s3://b/net": ["table"]}


def test_a_file_to_copy_is_no_roots_own() -> None:
    block = site("net/main.tf", {})
    file = site("example.s3.tfbackend", {"bucket": "b", "key": "k"}, role="partial")
    assert joined(block, file) == {
        f"unresolved:{NET}/net/main.tf#backend.s3": ["unknown"],
        "s3://b/k": ["unknown"],
    }


@pytest.mark.parametrize(
    ("says", "lock"),
    [({}, "unknown"), ({"dynamodb_table": "t"}, "table"), ({"use_lockfile": True}, "unknown")],
)
def test_a_partial_file_without_its_block_does_not_say_that_there_is_no_lock(
    says: Mapping[str, Scalar], lock: str
) -> None:
    file = site("env/dev.tfbackend", {"bucket": "b", "key": "k", **says}, role="partial")
    assert joined(file) == {"s3://b/k": [lock]}


def test_a_run_says_which_files_come_together_and_in_which_order() -> None:
    block = site("net/main.tf", {})
    common = site("common.hcl", {"bucket": "b", "dynamodb_table": "t", "key": "x"}, role="partial")
    dev = site("net/dev.hcl", {"key": "dev"}, role="partial")
    run = Run(
        NET, PurePosixPath("net/Makefile"), "backend-config", "terraform", "init", (),
        ("../common.hcl", "dev.hcl"), Unknown("not said"), Span(0, 0), 3,
    )  # fmt: skip
    survey = Survey(NET, (block, common, dev), runs=(run,))
    assert joined(survey=survey) == {"s3://b/dev": ["table"]}


@pytest.mark.parametrize("settings", [{}, {"bucket": "b", "key": ""}, {"bucket": None, "key": "k"}])
def test_a_block_without_bucket_or_key_and_no_file_found_is_unknown(settings: Mapping[str, Scalar]) -> None:
    assert list(joined(site("net/main.tf", settings)).values()) == [["unknown"]]


def test_a_partial_file_without_a_block_is_a_backend_of_its_own() -> None:
    assert joined(site("env/dev.tfbackend", TABLE, role="partial")) == {NET_STATE: ["table"]}


@pytest.mark.parametrize(
    ("files", "wins"),
    [
        (["main.tf", "override.tf"], "override.tf"),
        (["main.tf", "a_override.tf", "b_override.tf"], "b_override.tf"),
        (["b_override.tf", "override.tf"], "override.tf"),
        (["override.tf", "z_override.tf.json"], "z_override.tf.json"),
    ],
)
def test_the_lexically_last_override_replaces_the_whole_block(files: list[str], wins: str) -> None:
    sites = [site(f"net/{name}", {"bucket": "b", "key": name}) for name in files]
    assert list(joined(*sites)) == [f"s3://b/{wins}"]


@pytest.mark.parametrize(
    ("files", "of_terraform", "of_opentofu"),
    [
        (["main.tf", "override.tofu"], "main.tf", "override.tofu"),
        (["main.tofu", "override.tofu"], None, "override.tofu"),
        (["a_override.tf", "a_override.tofu"], "a_override.tf", "a_override.tofu"),
        (["main.tf", "a_override.tf", "b_override.tofu.json"], "a_override.tf", "b_override.tofu.json"),
    ],
)
def test_an_override_that_terraform_does_not_read_replaces_nothing_of_its_own(
    files: list[str], of_terraform: str | None, of_opentofu: str
) -> None:
    sites = tuple(site(f"net/{name}", {"bucket": "b", "key": name}) for name in files)
    marks = frozenset(PurePosixPath(f"net/{name}") for name in files if "tofu" in name)
    backends = [b for stack in join([Survey(NET, sites, marks=marks)]).stacks for b in stack.backends]
    used = {backend.engine: backend.inputs[0].path.name for backend in backends}
    assert len(backends) == len(used)
    assert (used.get("terraform"), used["opentofu"]) == (of_terraform, of_opentofu)


def pin(path: str, engine: Engine | None, version: str = "1.9.0") -> Pin:
    where = PurePosixPath(path)
    kind: PinKind = "constraint" if path.endswith(".tf") else "exact"
    return Pin(NET, where, where.name, kind, engine, Known(version), Span(0, 0), 1, where.parent)


@pytest.mark.parametrize(
    ("pins", "marks", "path", "engine"),
    [
        ([], [], "net/main.tf", "terraform"),
        ([".opentofu-version"], [], "net/main.tf", "opentofu"),
        ([".opentofu-version", ".terraform-version"], [], "net/main.tf", "terraform"),
        ([], ["net/main.tofu"], "net/main.tf", "terraform"),
        ([], ["net/main.tofu.json"], "net/main.tf.json", "terraform"),
        ([], ["a.tfx/main.tofu"], "a.tfx/main.tf", "terraform"),
        ([], ["net/other.tofu"], "net/main.tf", "opentofu"),
        ([], [], "net/main.tofu", "opentofu"),
    ],
)
def test_the_engine_by_evidence(pins: list[str], marks: list[str], path: str, engine: Engine) -> None:
    names: dict[str, Engine] = {".opentofu-version": "opentofu", ".terraform-version": "terraform"}
    survey = Survey(
        NET,
        (site(path, TABLE),),
        pins=tuple(pin(name, names[name]) for name in pins),
        marks=frozenset(PurePosixPath(mark) for mark in marks),
    )
    ((backend,),) = [stack.backends for stack in join([survey]).stacks]
    assert backend.engine == engine


@pytest.mark.parametrize(
    ("path", "told", "expected"),
    [
        ("net/main.tf", None, [".terraform-version", ".opentofu-version"]),
        ("net/main.tf", "terraform", [".terraform-version"]),
        ("net/main.tf", "opentofu", [".opentofu-version"]),
        ("net/main.tofu", None, [".opentofu-version"]),
    ],
)
def test_what_chooses_the_other_engine_counts_where_either_may_run(
    path: str, told: Engine | None, expected: list[str]
) -> None:
    pins = (pin(".terraform-version", "terraform", "1.11.4"), pin(".opentofu-version", "opentofu", "1.8.0"))
    ((backend,),) = [
        s.backends for s in join([Survey(NET, (site(path, TABLE),), pins=pins, engine=told)]).stacks
    ]
    assert [one.path.name for one in backend.pins] == expected


def test_the_pins_of_a_root_are_its_constraints_and_the_nearest_of_each_other_kind() -> None:
    pins = (pin("net/versions.tf", None), pin("versions.tf", None), pin(".terraform-version", "terraform"))
    nearer = pin("net/.terraform-version", "terraform")
    far, near = (
        join([Survey(NET, (site("net/main.tf", TABLE),), pins=given)]).stacks[0].backends[0].pins
        for given in (pins, (*pins, nearer))
    )
    assert [str(p.path) for p in far] == ["net/versions.tf", ".terraform-version"]
    assert [str(p.path) for p in near] == ["net/versions.tf", "net/.terraform-version"]


def test_the_constraints_of_modules_are_of_each_root_that_calls_them() -> None:
    paths = ["live/v.tf", "modules/net/v.tf", "modules/net/dns/v.tf", "modules/other/v.tf"]
    survey = Survey(
        NET,
        (site("live/main.tf", TABLE),),
        links=(
            Link("module", Place(NET, PurePosixPath("live/main.tf"), 4), "../modules/net"),
            Link("module", Place(NET, PurePosixPath("modules/net/a.tf"), 1), "./dns"),
            Link("module", Place(NET, PurePosixPath("modules/net/dns/a.tf"), 1), "../"),
        ),
        pins=tuple(pin(path, None, ">= 1.5") for path in paths),
    )
    ((backend,),) = [stack.backends for stack in join([survey]).stacks]
    assert [str(found.path) for found in backend.module_pins] == ["modules/net/v.tf", "modules/net/dns/v.tf"]
    assert [str(found.path) for found in backend.pins] == ["live/v.tf"]


@pytest.mark.parametrize(
    ("files", "of_terraform", "of_opentofu"),
    [
        ({"a.tf": ">= 1.11", "b.tf": ">= 1.5"}, [">= 1.11", ">= 1.5"], [">= 1.11", ">= 1.5"]),
        ({"a.tf": ">= 1.11", "override.tf": ">= 1.5"}, [">= 1.5"], [">= 1.5"]),
        ({"a_override.tf": ">= 1.5", "b_override.tf": ">= 1.11"}, [">= 1.11"], [">= 1.11"]),
        ({"a.tf": ">= 1.11", "a.tofu": ">= 1.6"}, [">= 1.11"], [">= 1.6"]),
        ({"a.tf": ">= 1.11", "override.tofu": ">= 1.6"}, [">= 1.11"], [">= 1.6"]),
        ({"a.tf": ">= 1.5", "a.tf.j2": ">= 1.11", "a.tfvars": ">= 1.11"}, [">= 1.5"], [">= 1.5"]),
    ],
)
def test_the_constraints_in_force_are_those_that_the_engine_reads(
    files: Mapping[str, str], of_terraform: list[str], of_opentofu: list[str]
) -> None:
    """Tried: an override's `required_version` takes the place of all others, and is not added to them."""
    tofu = {name for name in files if name.endswith(".tofu")}
    pins = tuple(
        replace(
            pin(f"net/{name}", "opentofu" if name in tofu else None, text),
            kind="constraint",
            plug="required_version",
        )
        for name, text in files.items()
    )
    expected: dict[Engine, list[str]] = {"terraform": of_terraform, "opentofu": of_opentofu}
    for engine, texts in expected.items():
        survey = Survey(
            NET,
            (site("net/main.tf", TABLE),),
            pins=pins,
            marks=frozenset(PurePosixPath(f"net/{name}") for name in tofu),
            engine=engine,
        )
        ((backend,),) = [stack.backends for stack in join([survey]).stacks]
        assert [found.version for found in backend.pins] == [Known(text) for text in texts]
