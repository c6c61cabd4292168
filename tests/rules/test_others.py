"""What holds a state back though it is of another by name: workspaces, states that are not known, modules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Literal

import pytest

from migrate.estate import Survey, join
from migrate.model import Link, Outcome, Place, Problem, Scalar, Site, StateId, Unknown, World
from migrate.rules import GATES, no_common_lock, shared_key
from tests.estate.world import ACME, APP, BOTH, LOCKFILE, NET, TABLE, TODAY, site, world

HOLDS, BROKEN, UNKNOWN = Outcome.HOLDS, Outcome.BROKEN, Outcome.UNKNOWN


def outcome(gate: str, given: World) -> Outcome:
    """The worst thing that a gate says; one with nothing to say holds."""
    said = [verdict.outcome for verdict in GATES[gate].check(given)]
    return min(said, key=[BROKEN, UNKNOWN, HOLDS].index, default=HOLDS)


ELSEWHERE: list[tuple[Mapping[str, Scalar | Unknown], Outcome]] = [
    ({**TABLE, "key": Unknown("var.key")}, UNKNOWN),
    ({**TABLE, "bucket": Unknown("var.bucket")}, UNKNOWN),
    ({"dynamodb_table": "acme-locks"}, UNKNOWN),
    ({**TABLE, "key": Unknown("var.key"), "use_lockfile": Unknown("var.on")}, UNKNOWN),
    ({"dynamodb_table": "acme-locks", "key": "env:/dev/net.tfstate"}, UNKNOWN),
    ({**TABLE, "key": Unknown("var.key"), "bucket": "elsewhere"}, HOLDS),
    ({**TABLE, "bucket": Unknown("var.bucket"), "key": "app.tfstate"}, HOLDS),
    ({**BOTH, "key": Unknown("var.key")}, HOLDS),
    ({**LOCKFILE, "key": Unknown("var.key")}, HOLDS),
    ({**TABLE, "key": "env:/dev/net.tfstate"}, UNKNOWN),
    ({**BOTH, "key": "env:/dev/net.tfstate"}, HOLDS),
    ({**TABLE, "key": "dev/net.tfstate"}, HOLDS),
    ({**TABLE, "key": "env:/dev/net.tfstate", "bucket": "elsewhere"}, HOLDS),
    ({**TABLE, "bucket": "arn:aws:s3:eu-west-1:111122223333:accesspoint/net"}, UNKNOWN),
    ({**TABLE, "bucket": "net-x4k1-s3alias"}, UNKNOWN),
    ({"key": "net.tfstate"}, UNKNOWN),
    ({"key": "app.tfstate"}, HOLDS),
    ({"key": "net.tfstate", "use_lockfile": True}, HOLDS),
    ({"use_lockfile": False}, UNKNOWN),
    ({"use_lockfile": Unknown("$LOCKFILE")}, UNKNOWN),
    ({"use_lockfile": True}, HOLDS),
    ({"bucket": "acme-state", "region": "eu-west-1"}, UNKNOWN),
    ({"bucket": "acme-state", "use_lockfile": True}, HOLDS),
    ({"bucket": "elsewhere"}, HOLDS),
    ({"region": "eu-west-1"}, HOLDS),
]


@pytest.mark.parametrize(("settings", "expected"), ELSEWHERE)
def test_a_writer_in_the_table_alone_that_is_of_another_state_by_name_may_write_this_one(
    settings: Mapping[str, Scalar | Unknown], expected: Outcome
) -> None:
    other = site("main.tf", settings, repo=APP)
    assert outcome("writers-dual", world(site("net/main.tf", BOTH), other)) == expected


@pytest.mark.parametrize(
    ("count", "others"), [(1, ""), (2, ", and so may others"), (3, ", and so may others")]
)
def test_the_first_that_may_write_this_state_is_named(count: int, others: str) -> None:
    unclear = {**TABLE, "key": Unknown("var.key")}
    sites = [site(f"r{at}/main.tf", unclear, repo=APP) for at in range(count)]
    (verdict,) = GATES["writers-dual"].check(world(site("net/main.tf", BOTH), *sites))
    may = f"{APP} r0/main.tf:1 may write this state, and locks in the table alone{others}"
    assert verdict.because == may


PROXY: Mapping[str, Scalar] = {"endpoint": "https://s3-proxy.acme.example"}


@pytest.mark.parametrize(
    ("mine", "its", "expected"),
    [
        (
            {"endpoint": "http://s3.acme.example"},
            {**TABLE, "endpoints.s3": "https://s3.acme.example"},
            UNKNOWN,
        ),
        ({}, {**TABLE, **PROXY}, UNKNOWN),
        (PROXY, TABLE, UNKNOWN),
        ({}, {**BOTH, **PROXY}, HOLDS),
        ({}, {**TABLE, **PROXY, "key": "app.tfstate"}, HOLDS),
        ({}, {**TABLE, **PROXY, "bucket": "elsewhere"}, HOLDS),
    ],
)
def test_what_speaks_to_another_endpoint_may_mean_the_same_store(
    mine: Mapping[str, Scalar], its: Mapping[str, Scalar], expected: Outcome
) -> None:
    own = site("net/main.tf", {**BOTH, **mine})
    assert outcome("writers-dual", world_of(own, site("app/main.tf", its))) == expected
    if its.get("use_lockfile") is None:
        assert outcome("readers-safe", world_of(own, site("app/main.tf", its, role="reader"))) == expected


@pytest.mark.parametrize(
    ("its", "expected"),
    [
        (TABLE, UNKNOWN),
        (BOTH, HOLDS),
        ({**TABLE, "bucket": "elsewhere"}, HOLDS),
        ({**TABLE, "key": Unknown("each.key")}, UNKNOWN),
        ({**TABLE, "key": Unknown("each.key"), "bucket": "elsewhere"}, HOLDS),
        ({**BOTH, "key": Unknown("each.key")}, HOLDS),
    ],
)
def test_a_state_that_is_not_known_may_be_each_that_no_part_of_it_differs_from(
    its: Mapping[str, Scalar | Unknown], expected: Outcome
) -> None:
    own = site("net/main.tf", {**BOTH, "key": Unknown("var.key")})
    assert outcome("writers-dual", world_of(own, site("app/main.tf", its))) == expected
    if its.get("use_lockfile") is None:
        assert outcome("readers-safe", world_of(own, site("app/main.tf", its, role="reader"))) == expected


def world_of(own: Site, other: Site) -> World:
    """The world of the state that the first of two writes."""
    estate = join([Survey(NET, (own, other))])
    (stack,) = (one for one in estate.stacks if any(own in backend.inputs for backend in one.backends))
    return World(stack, estate, TODAY)


def of_dev(*sites: Site, links: tuple[Link, ...] = ()) -> World:
    """The world of the state whose key is that of a workspace of `net.tfstate`."""
    estate = join([Survey(NET, sites, links=links)])
    (stack,) = (one for one in estate.stacks if one.id == StateId("acme-state", "env:/dev/net.tfstate"))
    return World(stack, estate, TODAY)


DEV: Mapping[str, Scalar] = {**BOTH, "key": "env:/dev/net.tfstate"}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (TABLE, UNKNOWN),
        (BOTH, HOLDS),
        ({**TABLE, "key": "other.tfstate"}, HOLDS),
        ({**TABLE, "workspace_key_prefix": "stages"}, HOLDS),
        ({**TABLE, "workspace_key_prefix": Unknown("var.prefix")}, UNKNOWN),
        ({"dynamodb_table": "acme-locks", "key": "net.tfstate"}, UNKNOWN),
    ],
)
def test_what_may_be_run_in_a_workspace_may_write_the_state_that_is_one(
    settings: Mapping[str, Scalar | Unknown], expected: Outcome
) -> None:
    world = of_dev(site("dev/main.tf", DEV), site("net/main.tf", settings))
    assert outcome("writers-dual", world) == expected


ONE: Mapping[str, Scalar] = {**DEV, "use_lockfile": None}
ALONE: Mapping[str, Scalar] = {**DEV, "dynamodb_table": None}


@pytest.mark.parametrize(
    ("dev", "settings", "expected"),
    [
        (ALONE, TABLE, ["no-common-lock", "shared-key"]),
        (ONE, LOCKFILE, ["no-common-lock", "shared-key"]),
        (ONE, {**TABLE, "dynamodb_table": "acme-others"}, ["no-common-lock", "shared-key"]),
        (DEV, TABLE, ["shared-key"]),
        (ALONE, {**TABLE, "key": "other.tfstate"}, []),
        (ALONE, {**TABLE, "workspace_key_prefix": "stages"}, []),
        (ALONE, {**TABLE, "workspace_key_prefix": Unknown("var.prefix")}, []),
    ],
)
def test_two_roots_meet_where_one_is_run_in_the_workspace_that_the_other_names(
    dev: Mapping[str, Scalar], settings: Mapping[str, Scalar | Unknown], expected: list[str]
) -> None:
    given = of_dev(site("dev/main.tf", dev), site("net/main.tf", settings))
    found = [verdict for rule in (no_common_lock, shared_key) for verdict in rule.check(given)]
    assert [(one.rule, one.outcome, str(one.where)) for one in found] == [
        (rule, UNKNOWN, "dev/main.tf:1") for rule in expected
    ]


@pytest.mark.parametrize(
    ("settings", "expected"), [(TABLE, UNKNOWN), (ACME, HOLDS), ({**TABLE, "key": "other.tfstate"}, HOLDS)]
)
def test_what_may_read_a_workspace_may_read_the_state_that_is_one(
    settings: Mapping[str, Scalar], expected: Outcome
) -> None:
    world = of_dev(site("dev/main.tf", DEV), site("app/remote.tf", settings, role="reader"))
    assert outcome("readers-safe", world) == expected


def test_an_empty_prefix_is_none_before_the_workspace() -> None:
    writer = site("net/main.tf", {**BOTH, "workspace_key_prefix": ""})
    given = world(writer, site("dev/main.tf", {**TABLE, "key": "dev/net.tfstate"}))
    assert outcome("writers-dual", given) == UNKNOWN


@pytest.mark.parametrize(("settings", "expected"), [({**DEV, "use_lockfile": None}, UNKNOWN), (DEV, HOLDS)])
def test_a_module_may_be_run_by_itself(settings: Mapping[str, Scalar], expected: Outcome) -> None:
    call = Link("module", Place(NET, PurePosixPath("live/main.tf"), 4), "../module")
    world = of_dev(site("dev/main.tf", DEV), site("module/main.tf", settings), links=(call,))
    assert len(world.stack.backends) == 1
    assert outcome("writers-dual", world) == expected


@pytest.mark.parametrize(("settings", "expected"), [({**DEV, "use_lockfile": None}, UNKNOWN), (DEV, HOLDS)])
def test_a_block_may_count_where_the_override_of_another_kind_is_not(
    settings: Mapping[str, Scalar], expected: Outcome
) -> None:
    local = Link("backend", Place(NET, PurePosixPath("old/override.tf"), 2), "local")
    world = of_dev(site("dev/main.tf", DEV), site("old/main.tf", settings), links=(local,))
    assert len(world.stack.backends) == 1
    assert outcome("writers-dual", world) == expected


@pytest.mark.parametrize(
    ("kind", "expected"), [("unreadable", UNKNOWN), ("unparsable", UNKNOWN), ("template", HOLDS)]
)
def test_a_file_that_was_not_read_may_hold_a_writer_and_a_template_is_none(
    kind: Literal["unreadable", "unparsable", "template"], expected: Outcome
) -> None:
    where = Place(APP, PurePosixPath("old/main.tf"), 3)
    closed = Problem(kind, where, "a bracket without its end", "run terraform fmt")
    estate = join([Survey(NET, (site("net/main.tf", BOTH),)), Survey(APP, closed=(closed,))])
    given = World(estate.stacks[0], estate, TODAY)
    assert outcome("writers-dual", given) == expected
    for verdict in GATES["writers-dual"].check(given):
        assert verdict.because == f"{APP} {where} may write this state, and was not read: {closed.why}"
        assert (verdict.where, verdict.settle) == (where, closed.remedy)


@pytest.mark.parametrize(
    ("prefix", "key", "expected"),
    [
        ("stages", "stages/dev/net.tfstate", BROKEN),
        ("a/stages", "a/stages/dev/net.tfstate", BROKEN),
        ("stages", "env:/dev/net.tfstate", HOLDS),
        (Unknown("var.prefix"), "stages/dev/net.tfstate", BROKEN),
    ],
)
def test_a_reader_of_a_workspace_reads_the_state(prefix: str | Unknown, key: str, expected: Outcome) -> None:
    writer = site("net/main.tf", {**BOTH, "workspace_key_prefix": prefix})
    reader = site("app/remote.tf", {**TABLE, "key": key}, role="reader", repo=APP)
    assert outcome("readers-safe", world(writer, reader)) == expected
