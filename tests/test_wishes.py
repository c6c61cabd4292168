"""What each wish does to a site, shown on backend blocks of Terraform files."""

import pytest

from migrate import wishes
from migrate.dialects import flags, terraform
from migrate.model import LockWish
from tests.pairs import block, check_change, check_untouched, refusal, source

PATH = "net/backend.tf"

REFUSED = {
    "an expression": (
        block('dynamodb_table = "acme-locks"', "use_lockfile = var.lock"),
        (4, "use_lockfile is var.lock", "write use_lockfile = true"),
    ),
    "a word that is no boolean": (
        block('dynamodb_table = "acme-locks"', 'use_lockfile = "${tobool(1)}"'),
        (4, 'use_lockfile is "${tobool(1)}"', "write use_lockfile = true"),
    ),
    "a table that may be empty": (
        block('dynamodb_table = var.env == "prod" ? "acme-locks" : ""'),
        (
            3,
            'dynamodb_table may be empty (var.env == "prod" ? "acme-locks" : ""): there may be no lock today',
            "write the table as a literal, or add use_lockfile = true by hand",
        ),
    ),
    "a generated file": (
        "// TERRAMATE: GENERATED AUTOMATICALLY DO NOT EDIT\n\n" + block('dynamodb_table = "acme-locks"'),
        (
            4,
            "generated: TERRAMATE: GENERATED AUTOMATICALLY DO NOT EDIT",
            "edit its generate_hcl block; to regenerate: terramate generate",
        ),
    ),
    "a table named twice": (
        block('dynamodb_table = "a"', 'dynamodb_table = "b"'),
        (2, "dynamodb_table stands twice in one block: Terraform rejects it", "settle that first"),
    ),
    "two backend blocks": (
        block('dynamodb_table = "acme-locks"') + block('bucket = "acme-state"'),
        (2, "a second backend block: Terraform takes one", "settle that first"),
    ),
}


@pytest.mark.parametrize(("text", "answer"), REFUSED.values(), ids=REFUSED)
def test_dual_lock_refuses(text: str, answer: tuple[int, str, str]) -> None:
    assert refusal(terraform, PATH, text, LockWish.DUAL) == answer


ADOPT = {
    "after the key": (
        block('bucket = "acme-state"', 'key    = "a"', 'region = "eu-west-1"'),
        block(
            'bucket       = "acme-state"',
            'key          = "a"',
            "use_lockfile = true",
            'region       = "eu-west-1"',
        ),
    ),
    "without a key after the last argument": (
        block('bucket         = "acme-state"', 'region         = "eu-west-1"', "force_path_style = true"),
        block(
            'bucket         = "acme-state"',
            'region         = "eu-west-1"',
            "force_path_style = true",
            "use_lockfile = true",
        ),
    ),
    "not inside a map": (
        block('bucket      = "acme-state"', 'assume_role = { role_arn = "r" }'),
        block('bucket       = "acme-state"', 'assume_role  = { role_arn = "r" }', "use_lockfile = true"),
    ),
    "beside a table after all": (
        block('dynamodb_table = "acme-locks"', 'key            = "a"'),
        block('dynamodb_table = "acme-locks"', "use_lockfile   = true", 'key            = "a"'),
    ),
    "false becomes true": (
        block('key = "a"', "use_lockfile = false"),
        block('key = "a"', "use_lockfile = true"),
    ),
}


@pytest.mark.parametrize(("before", "after"), ADOPT.values(), ids=ADOPT)
def test_the_first_lock_changes(before: str, after: str) -> None:
    check_change(terraform, PATH, before, after, LockWish.ADOPT)


def test_the_first_lock_needs_an_argument_to_stand_beside() -> None:
    assert refusal(terraform, PATH, 'terraform {\n  backend "s3" {}\n}\n', LockWish.ADOPT) == (
        2,
        "there is no argument here beside which use_lockfile could stand",
        "add use_lockfile = true where the rest of the configuration is",
    )


RETIRE = {
    "the neighbours close up": (
        block('bucket         = "acme-state"', 'dynamodb_table = "acme-locks"', "use_lockfile   = true"),
        block('bucket       = "acme-state"', "use_lockfile = true"),
    ),
    "the endpoint goes too": (
        block(
            "use_lockfile = true", "", 'dynamodb_table    = "l"', 'dynamodb_endpoint = "https://d.example"'
        ),
        block("use_lockfile = true", ""),
    ),
    "one of two endpoints": (
        block(
            'dynamodb_table = "l"',
            "use_lockfile   = true",
            "endpoints = {",
            '  dynamodb = "https://d.example"',
            '  s3       = "https://s.example"',
            "}",
        ),
        block("use_lockfile = true", "endpoints = {", '  s3 = "https://s.example"', "}"),
    ),
    "the only endpoint": (
        block('key = "a"', "use_lockfile = true", "", 'endpoints = { dynamodb = "https://d.example" }'),
        block('key = "a"', "use_lockfile = true", ""),
    ),
    "the comment above stays": (
        block("use_lockfile = true", "# one table for all", 'dynamodb_table = "acme-locks" # gone'),
        block("use_lockfile = true", "# one table for all"),
    ),
    "what another input has": (
        block('bucket         = "acme-state"', 'dynamodb_table = "acme-locks"'),
        block('bucket = "acme-state"'),
    ),
    "an empty table": (
        block('dynamodb_table = ""', "use_lockfile   = true"),
        block("use_lockfile = true"),
    ),
}


@pytest.mark.parametrize(("before", "after"), RETIRE.values(), ids=RETIRE)
def test_retire_changes(before: str, after: str) -> None:
    check_change(terraform, PATH, before, after, LockWish.RETIRE)


NO_LOCK_LEFT = {
    "false": (
        block('dynamodb_table = "acme-locks"', "use_lockfile = false"),
        (4, "use_lockfile is false: no lock would be left", "write use_lockfile = true first"),
    ),
    "an expression": (
        block('dynamodb_table = "acme-locks"', "use_lockfile = var.lock"),
        (4, "use_lockfile is var.lock: no lock would be left", "write use_lockfile = true first"),
    ),
}


@pytest.mark.parametrize(("text", "answer"), NO_LOCK_LEFT.values(), ids=NO_LOCK_LEFT)
def test_retire_refuses_to_leave_no_lock(text: str, answer: tuple[int, str, str]) -> None:
    assert refusal(terraform, PATH, text, LockWish.RETIRE) == answer


def test_where_no_table_is_named_there_is_none_to_retire() -> None:
    check_untouched(terraform, PATH, block('key = "a"', "use_lockfile = false"), LockWish.RETIRE)


def test_readers_is_nothing_to_a_writer() -> None:
    check_untouched(terraform, PATH, block('dynamodb_table = "acme-locks"'), LockWish.READ)


def test_nothing_is_told_of_a_comment_above_a_line_of_which_only_a_flag_goes() -> None:
    given = source("Makefile", "# ours\ninit -backend-config=dynamodb_table=acme-locks\n")
    (site,) = flags.find(given).items
    assert wishes.notes(given, site, LockWish.RETIRE) == ()


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["use_lockfile   = true", 'dynamodb_table = "l"'], ()),
        (["# ours", 'dynamodb_table = "l"'], ("net/backend.tf:3: the comment above the dropped line stays",)),
        (
            ["/* ours */", 'dynamodb_table = "l"'],
            ("net/backend.tf:3: the comment above the dropped line stays",),
        ),
        (["# of the key", 'key            = "a"', 'dynamodb_table = "l"'], ()),
    ],
)
def test_what_is_told_of_a_table_that_goes(lines: list[str], told: tuple[str, ...]) -> None:
    given = source(PATH, block(*lines))
    (site,) = terraform.find(given).items
    assert wishes.notes(given, site, LockWish.RETIRE) == told
