from pathlib import PurePosixPath

import pytest

from migrate.dialects import terraform
from migrate.model import Known, LockWish, Unknown
from tests.pairs import block, check_change, check_untouched, source

PATH = "net/backend.tf"
VERSION = 'terraform {\n  required_version = ">= 1.5"\n}\n\n'


DUAL = {
    "beside the table": (
        block(
            'bucket         = "acme-state"', 'dynamodb_table = "acme-locks" # shared', "encrypt        = true"
        ),
        block(
            'bucket         = "acme-state"',
            'dynamodb_table = "acme-locks" # shared',
            "use_lockfile   = true",
            "encrypt        = true",
        ),
    ),
    "bucket and table share a name, and a comment holds a brace": (
        block(
            'bucket               = "acme-state"',
            'dynamodb_table       = "acme-state"',
            'workspace_key_prefix = "env/blue" # -> env/blue/${ws}/x }',
        ),
        block(
            'bucket               = "acme-state"',
            'dynamodb_table       = "acme-state"',
            "use_lockfile         = true",
            'workspace_key_prefix = "env/blue" # -> env/blue/${ws}/x }',
        ),
    ),
    "a file that terraform fmt would change is not formatted": (
        block('bucket = "acme-state"', 'dynamodb_table = "acme-locks"', 'key =  "a"'),
        block('bucket = "acme-state"', 'dynamodb_table = "acme-locks"', "use_lockfile = true", 'key =  "a"'),
    ),
    "false becomes true in place": (
        block('dynamodb_table = "acme-locks"', "use_lockfile   = false # not yet"),
        block('dynamodb_table = "acme-locks"', "use_lockfile   = true # not yet"),
    ),
    "null becomes true in place": (
        block("use_lockfile = null", "", 'dynamodb_table = "acme-locks"'),
        block("use_lockfile = true", "", 'dynamodb_table = "acme-locks"'),
    ),
    "a quoted false becomes true": (
        block('dynamodb_table = "acme-locks"', 'use_lockfile   = "false"'),
        block('dynamodb_table = "acme-locks"', "use_lockfile   = true"),
    ),
    "a quoted zero becomes true": (
        block('dynamodb_table = "acme-locks"', 'use_lockfile   = "0"'),
        block('dynamodb_table = "acme-locks"', "use_lockfile   = true"),
    ),
    "a number, which Terraform rejects, becomes true": (
        block('dynamodb_table = "acme-locks"', "use_lockfile   = 1"),
        block('dynamodb_table = "acme-locks"', "use_lockfile   = true"),
    ),
    "a table named by an expression is a table": (
        block('dynamodb_table = "${var.env}-locks"'),
        block('dynamodb_table = "${var.env}-locks"', "use_lockfile   = true"),
    ),
    "an unquoted label, and a second terraform block": (
        VERSION + 'terraform {\n  backend s3 {\n    dynamodb_table = "l"\n  }\n}\n',
        VERSION
        + 'terraform {\n  backend s3 {\n    dynamodb_table = "l"\n    use_lockfile   = true\n  }\n}\n',
    ),
    "a block on one line": (
        'terraform {\n  backend "s3" { dynamodb_table = "locks" }\n}\n',
        'terraform {\n  backend "s3" {\n    dynamodb_table = "locks"\n    use_lockfile   = true\n  }\n}\n',
    ),
    "tabs": (
        'terraform {\n\tbackend "s3" {\n\t\tdynamodb_table = "locks"\n\t}\n}\n',
        'terraform {\n\tbackend "s3" {\n\t\tdynamodb_table = "locks"\n\t\tuse_lockfile   = true\n\t}\n}\n',
    ),
    "letters outside of ASCII before and after": (
        "# Zürich 🏔\n" + block('bucket         = "zürich"', 'dynamodb_table = "löcks"'),
        "# Zürich 🏔\n"
        + block('bucket         = "zürich"', 'dynamodb_table = "löcks"', "use_lockfile   = true"),
    ),
    "a table that is commented out, and a lockfile that is off": (
        block('bucket = "acme-state"', '# dynamodb_table = "acme-locks"', "use_lockfile = false"),
        block('bucket = "acme-state"', '# dynamodb_table = "acme-locks"', "use_lockfile = true"),
    ),
    "comments between the arguments, one of them an argument": (
        block('dynamodb_table = "acme-locks"', "# who we are", 'profile = "acme"', '# profile = "own"'),
        block(
            'dynamodb_table = "acme-locks"',
            "use_lockfile   = true",
            "# who we are",
            'profile = "acme"',
            '# profile = "own"',
        ),
    ),
    "a bucket out of a variable, which OpenTofu takes": (
        VERSION + block("bucket         = var.bucket", 'dynamodb_table = "${var.env}-locks"'),
        VERSION
        + block(
            "bucket         = var.bucket", 'dynamodb_table = "${var.env}-locks"', "use_lockfile   = true"
        ),
    ),
    "a store that is not of AWS": (
        block(
            'dynamodb_table   = "acme-locks"',
            'endpoints        = { s3 = "https://obj.acme.example" }',
            "skip_s3_checksum = true",
        ),
        block(
            'dynamodb_table   = "acme-locks"',
            "use_lockfile     = true",
            'endpoints        = { s3 = "https://obj.acme.example" }',
            "skip_s3_checksum = true",
        ),
    ),
    "a broken resource elsewhere in the file": (
        block('dynamodb_table = "acme-locks"') + '\nresource "x" "y" {\n  a = = 1\n}\n',
        block('dynamodb_table = "acme-locks"', "use_lockfile   = true")
        + '\nresource "x" "y" {\n  a = = 1\n}\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), DUAL.values(), ids=DUAL)
def test_dual_lock_changes(before: str, after: str) -> None:
    check_change(terraform, PATH, before, after, LockWish.DUAL)


LEFT_ALONE = {
    "no backend": 'resource "aws_dynamodb_table" "locks" {\n  name = "acme-locks"\n}\n',
    "another backend": 'terraform {\n  backend "gcs" {\n    bucket = "acme-state"\n  }\n}\n',
    "no lock": block('bucket = "acme-state"', 'key    = "a"'),
    "both locks": block('dynamodb_table = "acme-locks"', "use_lockfile   = true"),
    "the lockfile, and a table that may be empty": block(
        'dynamodb_table = var.old ? "acme-locks" : ""', "use_lockfile   = true"
    ),
    "both locks, a quoted true": block('dynamodb_table = "acme-locks"', 'use_lockfile   = "true"'),
    "both locks, a quoted one": block('dynamodb_table = "acme-locks"', 'use_lockfile   = "1"'),
    "both locks, an interpolated true": block('dynamodb_table = "acme-locks"', 'use_lockfile   = "${true}"'),
    "both locks, not false": block('dynamodb_table = "acme-locks"', "use_lockfile   = !false"),
    "an empty table is none": block('bucket = "acme-state"', 'dynamodb_table = ""'),
    "a null table is none": block('bucket = "acme-state"', "dynamodb_table = null"),
    "a table in a comment": block('bucket = "acme-state"', '# dynamodb_table = "acme-locks"'),
    "a block of comments": block('# bucket         = "<BUCKET>"', '# dynamodb_table = "<LOCKS>"'),
    "an empty block": 'terraform {\n  backend "s3" {}\n}\n',
    "an empty block with blanks, among three": VERSION
    + 'terraform { \n  backend  "s3"  {}\n}\nterraform {\n  required_providers {}\n}\nvariable env {}\n',
    "a backend in a heredoc": "x = <<EOT\n" + block('dynamodb_table = "acme-locks"') + "EOT\n",
    "a backend inside another block": "locals {\n" + block('dynamodb_table = "acme-locks"') + "}\n",
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_dual_lock_leaves_alone(text: str) -> None:
    check_untouched(terraform, PATH, text, LockWish.DUAL)


RETIRED = {
    "the group closes up": (
        block(
            'bucket         = "acme-state"', 'dynamodb_table = "acme-locks" # ours', "use_lockfile   = true"
        ),
        block('bucket       = "acme-state"', "use_lockfile = true"),
    ),
    "bucket and table share a name": (
        block('bucket         = "acme"', 'dynamodb_table = "acme"', 'key            = "net" # ${ws} }'),
        block('bucket = "acme"', 'key    = "net" # ${ws} }'),
    ),
    "comments keep the groups apart": (
        block("use_lockfile   = true", 'dynamodb_table = "l"', "# who we are", 'profile = "acme"'),
        block("use_lockfile = true", "# who we are", 'profile = "acme"'),
    ),
    "null": (
        block("dynamodb_table = null", "use_lockfile   = true"),
        block("use_lockfile = true"),
    ),
    "an empty name": (
        block('dynamodb_table = ""', "use_lockfile   = true"),
        block("use_lockfile = true"),
    ),
}


@pytest.mark.parametrize(("before", "after"), RETIRED.values(), ids=RETIRED)
def test_retire_changes(before: str, after: str) -> None:
    check_change(terraform, PATH, before, after, LockWish.RETIRE)


def test_a_first_lockfile_in_a_block_on_one_line() -> None:
    before = 'terraform {\n  backend "s3" { key = "a.tfstate" }\n}\n'
    check_change(
        terraform, PATH, before, block('key          = "a.tfstate"', "use_lockfile = true"), LockWish.ADOPT
    )


def test_what_a_site_says() -> None:
    text = block(
        'bucket = "acme-state"',
        "key = var.key",
        "encrypt = true",
        "max_retries = 5",
        'endpoints = { s3 = "https://s.example" }',
        "assume_role = {",
        '  role_arn = "arn:aws:iam::111122223333:role/state"',
        "}",
    )
    (site,) = terraform.find(source(PATH, text)).items
    assert (site.name, site.role, site.line, site.end_line, site.root) == (
        "backend.s3",
        "writer",
        2,
        11,
        PurePosixPath("net"),
    )
    assert {s.name: s.value for s in site.settings} == {
        "bucket": Known("acme-state"),
        "key": Unknown("var.key"),
        "encrypt": Known(value=True),
        "max_retries": Known("5"),
        "endpoints": Unknown('{ s3 = "https://s.example" }'),
        "endpoints.s3": Known("https://s.example"),
        "assume_role": Unknown('{\n      role_arn = "arn:aws:iam::111122223333:role/state"\n    }'),
        "assume_role.role_arn": Known("arn:aws:iam::111122223333:role/state"),
    }
    assert [s.span.of(text) for s in site.settings][:2] == ['bucket = "acme-state"', "key = var.key"]


@pytest.mark.parametrize(
    "value",
    [
        "{{ cookiecutter.bucket }}",
        "<STATE_BUCKET>",
        "<your-bucket>",
        "<%= expansion(':ENV-state') %>",
        "__bucket__",
        "acme-__ENV__-state",
        "acme-@ENV@-state",
        "acme-%ENV%-state",
        "acme-#ENV-state",
        "#{Terraform.StateBucket}",
    ],
)
def test_a_placeholder_is_no_value(value: str) -> None:
    (site,) = terraform.find(source(PATH, block(f'bucket = "{value}"'))).items
    assert [s.value for s in site.settings] == [Unknown(f'"{value}"')]


@pytest.mark.parametrize("value", ["acme__state", "a<b", "100%", "env@acme", "net#2"])
def test_other_signs_are_what_they_are(value: str) -> None:
    (site,) = terraform.find(source(PATH, block(f'key = "{value}"'))).items
    assert [s.value for s in site.settings] == [Known(value)]


def test_modules_of_the_same_repository_are_links() -> None:
    text = """\
module "vpc" {
  source = "../modules/vpc"
}
module "dns" {
  source  = "acme/dns/aws"
  version = "./1"
}
module "app" { source = "./app" }
"""
    links = terraform.find(source(PATH, text)).links
    assert [(link.kind, link.target, link.origin.line) for link in links] == [
        ("module", "../modules/vpc", 2),
        ("module", "./app", 8),
    ]


def test_a_backend_that_is_not_s3_is_a_link() -> None:
    found = terraform.find(source(PATH, 'terraform {\n  backend "local" {}\n}\n'))
    assert (found.items, [str(link.origin) for link in found.links]) == ((), [f"{PATH}:2"])
    assert [(link.kind, link.target) for link in found.links] == [("backend", "local")]


PROBLEMS = {
    "a quote is missing": (
        block('bucket = "acme-state', 'key    = "a"'),
        ("unparsable", 3, "terraform fmt"),
    ),
    "semicolons": (block('bucket = "acme-state"; key = "a"'), ("unparsable", 3, "terraform fmt")),
    "two arguments on one line": (
        'terraform {\n  backend "s3" { bucket = "acme-state" key = "a" }\n}\n',
        ("unparsable", 2, "terraform fmt"),
    ),
    "a brace is missing": ('terraform {\n  backend "s3" {\n', ("unparsable", 1, "terraform fmt")),
    "an argument stands twice": (block('key = "a"', 'key = "b"'), ("ambiguous", 2, "keep one")),
    "two backend blocks": (block('key = "a"') + block('key = "b"'), ("ambiguous", 2, "keep one")),
}


@pytest.mark.parametrize(("text", "problem"), PROBLEMS.values(), ids=PROBLEMS)
def test_problems(text: str, problem: tuple[str, int, str]) -> None:
    kind, line, remedy = problem
    first = terraform.find(source(PATH, text)).problems[0]
    assert (first.kind, first.where.line, remedy in first.remedy) == (kind, line, True)


@pytest.mark.parametrize(
    ("path", "claimed"),
    [("a/main.tf", True), ("a/main.tofu", True), ("a/main.tf.json", False), ("a/terragrunt.hcl", False)],
)
def test_claims(path: str, claimed: bool) -> None:
    assert terraform.claims(PurePosixPath(path), b"") is claimed
