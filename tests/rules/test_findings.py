"""Every rule of `audit`: a literal world in, the places it names out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

import migrate.rules
from migrate.dialects import flags
from migrate.estate import Survey, join
from migrate.estate.layered import excludes
from migrate.model import Estate, Idle, Known, Mention, Outcome, Pin, Place, Problem, Scalar, Unknown, World
from migrate.pipelines import backend_config
from migrate.rules import ALL, ESTATE_RULES, RULES, removed_argument
from migrate.text import Span
from tests.estate.world import ACME, APP, BOTH, LOCKFILE, NET, TABLE, site, world
from tests.pairs import REPO, source

OTHER_TABLE = {**TABLE, "dynamodb_table": "acme-others"}
RULE = {rule.NAME: rule for rule in RULES}


def named(rule: str, given: World) -> list[str]:
    return [f"{v.where} {v.outcome.value}" for v in RULE[rule].check(given)]


def writers(*settings: Mapping[str, Scalar] | Mapping[str, Scalar | Unknown]) -> World:
    return world(*(site(f"r{at}/main.tf", given) for at, given in enumerate(settings)))


@pytest.mark.parametrize(
    ("rule", "given", "expected"),
    [
        ("no-common-lock", writers(TABLE, LOCKFILE), ["r1/main.tf:1 broken"]),
        ("no-common-lock", writers(TABLE, {**LOCKFILE, "use_lockfile": Unknown("var.on")}), []),
        ("no-common-lock", writers(TABLE, BOTH), []),
        ("no-common-lock", writers(BOTH, LOCKFILE), []),
        ("no-common-lock", writers(BOTH, OTHER_TABLE), ["r1/main.tf:1 broken"]),
        ("no-common-lock", writers(BOTH, {**OTHER_TABLE, "use_lockfile": True}), []),
        ("no-lock", writers(ACME), ["r0/main.tf:1 broken"]),
        ("no-lock", writers(TABLE), []),
        ("table-only", writers(TABLE, BOTH), ["r0/main.tf:1 broken"]),
        ("dual-lock", writers(TABLE, BOTH), ["r1/main.tf:1 broken"]),
        ("shared-key", writers(TABLE, TABLE), ["r1/main.tf:1 broken"]),
        ("shared-key", writers(TABLE), []),
        ("shared-key", writers(*({**TABLE, "workspace_key_prefix": name} for name in ("a", "b"))), []),
        (
            "shared-key",
            writers(*({**TABLE, "workspace_key_prefix": name} for name in ("a", "b", "a"))),
            ["r2/main.tf:1 broken"],
        ),
        ("shared-key", writers(TABLE, {**TABLE, "workspace_key_prefix": "b"}), ["r1/main.tf:1 broken"]),
        (
            "shared-key",
            writers(*({**TABLE, "workspace_key_prefix": name} for name in ("a", Unknown("var.env")))),
            ["r1/main.tf:1 broken"],
        ),
        ("not-encrypted", writers(TABLE), ["r0/main.tf:1 broken"]),
        ("not-encrypted", writers({**TABLE, "encrypt": False}), ["r0/main.tf:1 broken"]),
        ("not-encrypted", writers({**TABLE, "encrypt": True}), []),
        (
            "other-store",
            writers({**BOTH, "endpoints.s3": "https://obj.acme.example"}),
            ["r0/main.tf:1 unknown"],
        ),
        ("other-store", writers({**BOTH, "endpoints.s3": "https://s3.eu-west-1.amazonaws.com"}), []),
        ("other-store", writers(BOTH), []),
        ("unresolved", writers({**TABLE, "key": Unknown("var.key")}), ["r0/main.tf:1 unknown"]),
        ("unresolved", writers({**TABLE, "use_lockfile": Unknown("var.on")}), ["r0/main.tf:1 unknown"]),
        ("unresolved", writers(TABLE), []),
        ("removed-argument", writers({**TABLE, "role_arn": "r"}), ["r0/main.tf:1 broken"]),
        ("removed-argument", writers({**TABLE, "assume_role.role_arn": "r"}), []),
        ("floor-open", writers(TABLE), ["r0/main.tf:1 broken"]),
        ("generated", writers(TABLE), []),
    ],
)
def test_rule(rule: str, given: World, expected: list[str]) -> None:
    assert named(rule, given) == expected


@pytest.mark.parametrize(
    ("one", "other", "says", "beside"),
    [
        (TABLE, LOCKFILE, "with the lockfile alone", "in the table acme-locks alone"),
        (
            BOTH,
            OTHER_TABLE,
            "in the table acme-others alone",
            "in the table acme-locks and with the lockfile",
        ),
    ],
)
def test_no_common_lock_says_what_each_of_the_two_holds(
    one: Mapping[str, Scalar], other: Mapping[str, Scalar], says: str, beside: str
) -> None:
    (verdict,) = RULE["no-common-lock"].check(writers(one, other))
    assert verdict.because == (
        f"{NET} r1/main.tf:1 locks {says}, {NET} r0/main.tf:1 locks {beside}: they do not exclude each other"
    )


@pytest.mark.parametrize(("prefix", "expected"), [("eks", []), ("vpc", ["r1/main.tf:1 broken"])])
def test_components_of_atmos_that_write_other_workspaces_do_not_meet(
    prefix: str, expected: list[str]
) -> None:
    given = writers({**TABLE, "workspace_key_prefix": "vpc"}, {**LOCKFILE, "workspace_key_prefix": prefix})
    backends = tuple(
        replace(b, inputs=tuple(replace(one, dialect="atmos") for one in b.inputs))
        for b in given.stack.backends
    )
    stack = replace(given.stack, backends=backends)
    assert named("no-common-lock", replace(given, stack=stack)) == expected
    assert excludes(stack) == ("no" if expected else "yes")


def test_reader_names_table() -> None:
    names = site("app/remote.tf", TABLE, role="reader", repo=APP)
    clean = site("app/clean.tf", ACME, role="reader", repo=APP)
    assert named("reader-names-table", world(names, clean)) == ["app/remote.tf:1 broken"]


OFF = {"use_lockfile": False}
OF_BLOCK = "broken: this flag turns off the lockfile of net/main.tf:1"
FOR_EVER = "broken: this flag keeps the lockfile off whatever the block will say"
OF_NOBODY = "unknown: this flag turns off the lockfile of a root that was not found"


@pytest.mark.parametrize(
    ("block", "flags", "expected"),
    [
        (LOCKFILE, [OFF], [OF_BLOCK]),
        (BOTH, [{"use_lockfile": "false"}], [OF_BLOCK]),
        (TABLE, [OFF], [FOR_EVER]),
        ({**TABLE, **OFF}, [OFF], [FOR_EVER]),
        (BOTH, [{"dynamodb_table": "acme-locks"}, OFF], [OF_BLOCK]),
        (BOTH, [OFF, OFF], [OF_BLOCK, FOR_EVER]),
        (LOCKFILE, [{"use_lockfile": True}], []),
        (BOTH, [{"dynamodb_table": "acme-locks"}], []),
        (None, [{**ACME, **OFF}], [OF_NOBODY]),
    ],
)
def test_lockfile_switched_off(
    block: Mapping[str, Scalar] | None, flags: list[Mapping[str, Scalar]], expected: list[str]
) -> None:
    commands = [site("ci.sh", flag, role="flag") for flag in flags]
    given = world(site("net/main.tf", block)) if block is not None else world(*commands)
    (backend,) = given.stack.backends
    inputs = (*backend.inputs, *commands) if block is not None else backend.inputs
    stack = replace(given.stack, backends=(replace(backend, inputs=inputs),))
    verdicts = list(RULE["lockfile-switched-off"].check(replace(given, stack=stack)))
    assert [f"{one.outcome.value}: {one.because}" for one in verdicts] == expected
    assert {str(one.where) for one in verdicts} <= {"ci.sh:1"}


@pytest.mark.parametrize(
    ("settings", "dialect", "because", "remedy"),
    [
        ({"key": "k"}, "terraform", "bucket", "Name the partial configuration file"),
        ({"bucket": Unknown("var.b")}, "terraform", "bucket, key", "Name the partial configuration file"),
        ({"bucket": "b", "key": Unknown("get_env")}, "terragrunt", "key", "Make bucket and key of text"),
        (
            {**TABLE, "endpoints.s3": Unknown("var.endpoint")},
            "terraform",
            "endpoint",
            "Name the partial configuration file",
        ),
        (
            {**TABLE, "bucket": "arn:aws:s3:eu-west-1:111122223333:accesspoint/state"},
            "terraform",
            "the bucket behind its access point",
            "Name the bucket itself: ",
        ),
    ],
)
def test_what_is_unresolved_is_named_with_what_settles_it(
    settings: Mapping[str, Scalar | Unknown], dialect: str, because: str, remedy: str
) -> None:
    given = world(replace(site("net/main.tf", settings), dialect=dialect))
    (verdict,) = RULE["unresolved"].check(given)
    assert verdict.because == f"not known from source: {because}"
    assert verdict.settle.startswith(remedy)


def test_generated() -> None:
    copy = replace(site("net/main.tf", TABLE), generated=True, why_not="GENERATED BY TERRAMATE")
    assert named("generated", world(copy)) == ["net/main.tf:1 broken"]


def test_opentofu_still_takes_the_removed_arguments() -> None:
    given = world(site("net/main.tofu", {**TABLE, "role_arn": "r"}))
    assert named("removed-argument", given) == []


@pytest.mark.parametrize(("program", "told"), [("terraform", [2]), ("tofu", [])])
def test_removed_arguments_in_the_flags_of_a_root_that_is_not_known(program: str, told: list[int]) -> None:
    script = source("ci.sh", f"cd $DIR\n{program} init -backend-config=role_arn=r -backend-config=key=k\n")
    estate = join([Survey(REPO, flags.find(script).items, runs=backend_config.find(script).items)])
    assert (estate.stacks, [idle.why for idle in estate.idle]) == (
        (),
        ["flags that name no lock, for a root that is not known from source"],
    )
    assert [v.where and v.where.line for v in removed_argument.check_estate(estate)] == told


@pytest.mark.parametrize(
    ("version", "open_", "binary"),
    [
        (">= 1.5", ["net/v:1 broken"], []),
        (">= 1.11", [], []),
        (">= 1.11, < 1.11", ["net/v:1 broken"], []),
        ("1.5.7", [], ["net/v:1 broken"]),
        ("1.11.4", [], []),
    ],
)
def test_floor_open_and_binary_below_floor(version: str, open_: list[str], binary: list[str]) -> None:
    where = PurePosixPath("net/v")
    limit = Pin(
        NET, where, "required_version", "constraint", None, Known(">= 1.11"), Span(0, 0), 1, where.parent
    )
    pin = replace(limit, version=Known(version))
    given = world(site("net/main.tf", TABLE))
    pins = (
        (pin,) if version.startswith(">") else (limit, replace(pin, plug=".terraform-version", kind="exact"))
    )
    backend = replace(given.stack.backends[0], pins=pins)
    pinned = replace(given, stack=replace(given.stack, backends=(backend,)))
    assert named("floor-open", pinned) == open_
    assert named("binary-below-floor", pinned) == binary


@pytest.mark.parametrize(
    ("version", "found"),
    [(">= 1.0", []), ("~> 1.0", []), ("~> 1.5.0", ["modules/net/v.tf:1 broken"]), ("whatever", [])],
)
def test_module_refuses_floor(version: str, found: list[str]) -> None:
    where = PurePosixPath("modules/net/v.tf")
    limit = Pin(
        NET, where, "required_version", "constraint", None, Known(version), Span(0, 0), 1, where.parent
    )
    given = world(site("net/main.tf", TABLE))
    backend = replace(given.stack.backends[0], module_pins=(limit,))
    assert (
        named("module-refuses-floor", replace(given, stack=replace(given.stack, backends=(backend,))))
        == found
    )


def test_what_stands_in_no_stack() -> None:
    where = Place(NET, PurePosixPath("ci.sh"), 7)
    estate = Estate(
        (),
        mentions=(Mention(where, "dynamodb_table", "pipeline"), Mention(where, "lock_table", "comment")),
        problems=(Problem("unparsable", where, "no closing brace", "close it"),),
        idle=(
            Idle(site("deploy.py", {}, role="code"), "a program names the lock"),
            Idle(site("net/main.tf", TABLE), "replaced by an override"),
        ),
    )
    found = [(r.NAME, str(v.where), v.outcome) for r in ESTATE_RULES for v in r.check_estate(estate)]
    assert found == [
        ("unreadable", "ci.sh:7", Outcome.UNKNOWN),
        ("not-covered", "ci.sh:7", Outcome.UNKNOWN),
        ("not-covered", "deploy.py:1", Outcome.UNKNOWN),
    ]


def test_every_module_of_the_folder_is_in_the_list() -> None:
    folder = Path(migrate.rules.__file__).parent
    names = {path.stem.replace("_", "-") for path in folder.glob("*.py")} - {"--init--", "rule"}
    assert names == set(ALL)


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_rule_says_why_and_what_to_do(name: str) -> None:
    rule = ALL[name]
    assert len(rule.WHY) > 40
    assert len(rule.REMEDY) > 20


def test_what_excludes_nobody_today_is_an_error() -> None:
    errors = [rule.NAME for rule in RULES if rule.SEVERITY == "error"]
    assert errors == ["no-common-lock", "lockfile-switched-off", "no-lock"]
