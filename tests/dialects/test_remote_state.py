import pytest

from migrate.dialects import remote_state
from migrate.model import Known, LockWish, Unknown
from migrate.wishes import notes
from tests.pairs import check_change, check_untouched, refusal, source

PATH = "app/remote_states.tf"


def reader(*lines: str) -> str:
    """A file with one reader, and these lines in it."""
    return "\n".join(['data "terraform_remote_state" "net" {', *(f"  {line}" for line in lines), "}", ""])


CHANGES = {
    "a map": (
        reader(
            'backend = "s3"',
            "",
            "config = {",
            '  bucket         = "acme-state"',
            '  dynamodb_table = "acme-locks"',
            '  key            = "net.tfstate"',
            "}",
        ),
        reader(
            'backend = "s3"',
            "",
            "config = {",
            '  bucket = "acme-state"',
            '  key    = "net.tfstate"',
            "}",
        ),
    ),
    "a map with commas on one line": (
        reader('backend = "s3"', 'config  = { key = "a", dynamodb_table = "l", region = "eu-west-1" }'),
        reader('backend = "s3"', 'config  = { key = "a", region = "eu-west-1" }'),
    ),
    "a map with colons and commas": (
        reader('backend = "s3"', "config = {", '  "key" : "a",', '  "dynamodb_table" : var.table', "}"),
        reader('backend = "s3"', "config = {", '  "key" : "a",', "}"),
    ),
    "the old block": (
        reader('backend = "s3"', "config {", '  key            = "a"', '  dynamodb_table = "l"', "}"),
        reader('backend = "s3"', "config {", '  key = "a"', "}"),
    ),
    "literal maps in merge": (
        reader(
            'backend = "s3"',
            'config = merge({ key = "a" }, {',
            '  dynamodb_table = "l"',
            '  region = "e"',
            "})",
        ),
        reader('backend = "s3"', 'config = merge({ key = "a" }, {', '  region = "e"', "})"),
    ),
    "the endpoint of the table": (
        reader(
            'backend = "s3"', "config = {", '  key = "a"', "  endpoints = {", '    dynamodb = "d"', "  }", "}"
        ),
        reader('backend = "s3"', "config = {", '  key = "a"', "}"),
    ),
    "a lockfile stays, needless as it is": (
        reader('backend = "s3"', "config = {", "  use_lockfile   = true", '  dynamodb_table = "l"', "}"),
        reader('backend = "s3"', "config = {", "  use_lockfile = true", "}"),
    ),
    "a backend that is an expression": (
        reader("backend = var.kind", "config = {", '  key = "a"', "", '  dynamodb_table = "l"', "}"),
        reader("backend = var.kind", "config = {", '  key = "a"', "", "}"),
    ),
}


@pytest.mark.parametrize(("before", "after"), CHANGES.values(), ids=CHANGES)
def test_readers_changes(before: str, after: str) -> None:
    check_change(remote_state, PATH, before, after, LockWish.READ)


LEFT_ALONE = {
    "no table": reader('backend = "s3"', 'config = { key = "a" }'),
    "another backend": reader('backend = "gcs"', 'config = { dynamodb_table = "l" }'),
    "no configuration": reader('backend = "s3"'),
    "another data source": 'data "aws_dynamodb_table" "terraform_remote_state" {\n  name = "l"\n}\n',
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_readers_leaves_alone(text: str) -> None:
    check_untouched(remote_state, PATH, text, LockWish.READ)


@pytest.mark.parametrize("wish", [LockWish.DUAL, LockWish.ADOPT, LockWish.RETIRE])
def test_no_other_wish_is_asked_of_a_reader(wish: LockWish) -> None:
    text = reader('backend = "s3"', "config = {", '  dynamodb_table = "l"', "}")
    check_untouched(remote_state, PATH, text, wish)


REFUSED = {
    "a configuration from elsewhere": (
        reader('backend = "s3"', "config = local.state"),
        (3, "the table may come out of local.state", "drop it in the map it comes from"),
    ),
    "a map that may name the table as well": (
        reader('backend = "s3"', 'config = merge(local.state, { dynamodb_table = "l" })'),
        (3, "the table may come out of local.state", "drop it in the map it comes from"),
    ),
    "one of two maps": (
        reader('backend = "s3"', 'config = var.prod ? { dynamodb_table = "p" } : { dynamodb_table = "d" }'),
        (
            3,
            'the table may come out of var.prod ? { dynamodb_table = "p" } : { dynamodb_table = "d" }',
            "drop it in the map it comes from",
        ),
    ),
    "a key that is an expression": (
        reader('backend = "s3"', "config = {", '  (var.name) = "l"', "}"),
        (4, 'the table may come out of (var.name) = "l"', "drop it in the map it comes from"),
    ),
}


@pytest.mark.parametrize(("text", "answer"), REFUSED.values(), ids=REFUSED)
def test_readers_refuses(text: str, answer: tuple[int, str, str]) -> None:
    assert refusal(remote_state, PATH, text, LockWish.READ) == answer


def test_what_a_site_says() -> None:
    text = "# all of them\n" + reader('backend = "s3"', 'config = merge(local.state, { key = "a" })')
    (site,) = remote_state.find(source(PATH, text)).items
    assert (site.name, site.role, site.line, site.end_line) == (
        "data.terraform_remote_state.net",
        "reader",
        2,
        5,
    )
    key, table = site.setting("key"), site.setting("dynamodb_table")
    assert key
    assert table
    assert (key.value, key.by_name) == (Known("a"), True)
    assert (table.value, table.by_name) == (Unknown("local.state"), False)


@pytest.mark.parametrize(("path", "found"), [("app/a_override.tf", 1), ("app/override.tofu", 1), (PATH, 0)])
def test_an_override_reads_what_the_block_it_overrides_does(path: str, found: int) -> None:
    text = reader("config = {", '  key            = "a"', '  dynamodb_table = "l"', "}")
    assert len(remote_state.find(source(path, text)).items) == found
    if found:
        check_change(remote_state, path, text, reader("config = {", '  key = "a"', "}"), LockWish.READ)


def test_readers_of_one_name_are_numbered() -> None:
    text = reader('backend = "s3"') * 2
    assert [site.name for site in remote_state.find(source(PATH, text)).items] == [
        "data.terraform_remote_state.net",
        "data.terraform_remote_state.net#2",
    ]


def test_notes_tell_what_stays() -> None:
    text = reader(
        'backend = "s3"', "config = {", "  use_lockfile = true", "  # ours", '  dynamodb_table = "l"', "}"
    )
    (site,) = remote_state.find(source(PATH, text)).items
    assert notes(source(PATH, text), site, LockWish.READ) == (
        "app/remote_states.tf:5: the comment above the dropped line stays",
        "app/remote_states.tf:4: a reader takes no lock: use_lockfile is idle here",
    )
