from pathlib import PurePosixPath

import pytest

from migrate.dialects import partial
from migrate.model import Known, LockWish, Unknown
from tests.pairs import check_change, check_untouched, source

PATH = "net/prod.s3.tfbackend"

CHANGES = {
    "beside the table": (
        LockWish.DUAL,
        'dynamodb_table = "acme-locks"\nregion         = "eu-west-1"\n',
        'dynamodb_table = "acme-locks"\nuse_lockfile   = true\nregion         = "eu-west-1"\n',
    ),
    "placeholders": (
        LockWish.DUAL,
        'bucket = "<BUCKET_HERE>"\ndynamodb_table = "<LOCKS_HERE>"\n',
        'bucket = "<BUCKET_HERE>"\ndynamodb_table = "<LOCKS_HERE>"\nuse_lockfile = true\n',
    ),
    "false becomes true without a table beside it": (
        LockWish.DUAL,
        "use_lockfile = false\n",
        "use_lockfile = true\n",
    ),
    "the first lock, after the key": (
        LockWish.ADOPT,
        'key    = "a"\nbucket = "acme-state"\n',
        'key          = "a"\nuse_lockfile = true\nbucket       = "acme-state"\n',
    ),
    "the table goes": (
        LockWish.RETIRE,
        'bucket         = "acme-state"\ndynamodb_table = "acme-locks"\nuse_lockfile   = true\n',
        'bucket       = "acme-state"\nuse_lockfile = true\n',
    ),
    "nothing else was in it": (LockWish.RETIRE, 'dynamodb_table = "acme-locks"\n', ""),
    "JSON": (
        LockWish.DUAL,
        '{\n  "bucket": "acme-state",\n  "dynamodb_table": "acme-locks"\n}\n',
        '{\n  "bucket": "acme-state",\n  "dynamodb_table": "acme-locks",\n  "use_lockfile": true\n}\n',
    ),
    "JSON without the table": (
        LockWish.RETIRE,
        '{"use_lockfile": true, "dynamodb_table": "acme-locks"}\n',
        '{"use_lockfile": true}\n',
    ),
}


@pytest.mark.parametrize(("wish", "before", "after"), CHANGES.values(), ids=CHANGES)
def test_changes(wish: LockWish, before: str, after: str) -> None:
    check_change(partial, PATH, before, after, wish)


LEFT_ALONE = {
    "no lock": 'bucket = "acme-state"\n',
    "both locks": 'dynamodb_table = "acme-locks"\nuse_lockfile = true\n',
    "nothing at all": "",
    "comments": '# dynamodb_table = "acme-locks"\n',
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_leaves_alone(text: str) -> None:
    check_untouched(partial, PATH, text, LockWish.DUAL)


def test_what_a_site_says() -> None:
    text = 'bucket = "<BUCKET_HERE>"\nkey    = "a"\n'
    (site,) = partial.find(source(PATH, text)).items
    assert (site.name, site.role, site.span.of(text), site.root) == (
        "backend-config",
        "partial",
        text,
        PurePosixPath("net"),
    )
    assert {s.name: s.value for s in site.settings} == {
        "bucket": Unknown('"<BUCKET_HERE>"'),
        "key": Known("a"),
    }


PROBLEMS = {
    "a bare word": ("bucket = acme state\n", "unparsable", 1),
    "a whole configuration": ('terraform {\n  backend "s3" {}\n}\n', "unparsable", 1),
    "a template": ("bucket = {{ bucket }}\n", "template", 1),
    "broken JSON": ('{\n  "bucket": "a",\n}\n', "unparsable", 3),
    "an argument twice": ('key = "a"\nkey = "b"\n', "ambiguous", 1),
}


@pytest.mark.parametrize(("text", "kind", "line"), PROBLEMS.values(), ids=PROBLEMS)
def test_problems(text: str, kind: str, line: int) -> None:
    (problem,) = partial.find(source(PATH, text)).problems
    assert (problem.kind, problem.where.line) == (kind, line)


def test_only_its_name_makes_a_file_ours_without_a_command_that_names_it() -> None:
    claimed = [
        name
        for name in ("a/prod.s3.tfbackend", "a/.tfbackend", "a/backend.hcl", "a/prod.tfvars", "prod.backend")
        if partial.claims(PurePosixPath(name), b"")
    ]
    assert claimed == ["a/prod.s3.tfbackend"]
