from pathlib import PurePosixPath

import pytest

from migrate.dialects import terragrunt
from migrate.model import Known, LockWish, Unknown
from tests.pairs import check_change, check_untouched, refusal, source

PATH = "live/terragrunt.hcl"


def remote_state(*lines: str) -> str:
    """A file whose configuration of the state has these lines."""
    head = ["remote_state {", '  backend = "s3"', "  config = {"]
    return "\n".join([*head, *(f"    {line}" for line in lines), "  }", "}", ""])


def merged(*lines: str) -> str:
    """A file whose configuration of the state is a merge of these lines."""
    return "\n".join(["remote_state {", '  backend = "s3"', "  config  = merge(", *lines, "  )", "}", ""])


def remote_state_of(*lines: str) -> str:
    """A file whose configuration of the state is this expression."""
    first, *rest = lines
    return "\n".join(["remote_state {", '  backend = "s3"', f"  config  = {first}", *rest, "}", ""])


def with_locals(*lines: str) -> str:
    return "\n".join(["locals {", *(f"  {line}" for line in lines), "}", "", ""])


def generating(*lines: str) -> str:
    """A file that generates a backend with these lines."""
    head = ['generate "be" {', '  path     = "be.tf"', "  contents = <<-HCL", "    terraform {"]
    inner = ['      backend "s3" {', *(f"        {line}" for line in lines), "      }", "    }"]
    return "\n".join([*head, *inner, "  HCL", "}", ""])


CHANGES = {
    "beside the table": (
        LockWish.DUAL,
        remote_state(
            'bucket         = "acme-state"', 'dynamodb_table = "acme-locks"', "encrypt        = true"
        ),
        remote_state(
            'bucket         = "acme-state"',
            'dynamodb_table = "acme-locks"',
            "use_lockfile   = true",
            "encrypt        = true",
        ),
    ),
    "a table out of other files": (
        LockWish.DUAL,
        remote_state('dynamodb_table = "${local.who}-${local.app}-locks"'),
        remote_state('dynamodb_table = "${local.who}-${local.app}-locks"', "use_lockfile   = true"),
    ),
    "a table from an environment that must be set": (
        LockWish.DUAL,
        remote_state('dynamodb_table = get_env("LOCKS")'),
        remote_state('dynamodb_table = get_env("LOCKS")', "use_lockfile   = true"),
    ),
    "a table out of a chain of locals, from another file": (
        LockWish.DUAL,
        with_locals('a = read_terragrunt_config(find_in_parent_folders("a.hcl"))', "t = local.a.locals.locks")
        + remote_state('dynamodb_table = "${local.t}"'),
        with_locals('a = read_terragrunt_config(find_in_parent_folders("a.hcl"))', "t = local.a.locals.locks")
        + remote_state('dynamodb_table = "${local.t}"', "use_lockfile   = true"),
    ),
    "a table out of a program": (
        LockWish.DUAL,
        with_locals('cmd = jsondecode(run_cmd("bin/settings"))')
        + remote_state("dynamodb_table = local.cmd.locks", "encrypt        = true"),
        with_locals('cmd = jsondecode(run_cmd("bin/settings"))')
        + remote_state("dynamodb_table = local.cmd.locks", "use_lockfile   = true", "encrypt        = true"),
    ),
    "a quoted false": (
        LockWish.DUAL,
        remote_state('dynamodb_table = "l"', 'use_lockfile   = "false"'),
        remote_state('dynamodb_table = "l"', "use_lockfile   = true"),
    ),
    "the name of old, below a comment that says the new": (
        LockWish.DUAL,
        remote_state("# the dynamodb_table of all", 'lock_table = "__LOCKS__"', 'bucket     = "__BUCKET__"'),
        remote_state(
            "# the dynamodb_table of all",
            'lock_table   = "__LOCKS__"',
            "use_lockfile = true",
            'bucket       = "__BUCKET__"',
        ),
    ),
    "the name of old": (
        LockWish.DUAL,
        remote_state('lock_table = "acme-locks"'),
        remote_state('lock_table   = "acme-locks"', "use_lockfile = true"),
    ),
    "commas": (
        LockWish.DUAL,
        remote_state('bucket = "acme-state",', 'dynamodb_table = "acme-locks",'),
        remote_state('bucket = "acme-state",', 'dynamodb_table = "acme-locks",', "use_lockfile = true,"),
    ),
    "an attribute": (
        LockWish.DUAL,
        remote_state('dynamodb_table = "acme-locks"').replace("remote_state {", "remote_state = {"),
        remote_state('dynamodb_table = "acme-locks"', "use_lockfile   = true").replace(
            "remote_state {", "remote_state = {"
        ),
    ),
    "a literal map that wins in merge": (
        LockWish.DUAL,
        merged("local.base, {", '  dynamodb_table = "l"', "}"),
        merged("local.base, {", '  dynamodb_table = "l"', "  use_lockfile   = true", "}"),
    ),
    "both arms of a choice, with bare booleans": (
        LockWish.DUAL,
        remote_state_of(
            'local.prod ? { bucket = "p", dynamodb_table = "pl" } : { bucket = "d", dynamodb_table = "dl" }'
        ),
        remote_state_of(
            'local.prod ? { bucket = "p", dynamodb_table = "pl", use_lockfile = true } '
            ': { bucket = "d", dynamodb_table = "dl", use_lockfile = true }'
        ),
    ),
    "a choice on several lines, one arm half-way": (
        LockWish.DUAL,
        remote_state_of(
            "local.prod ? {",
            '    dynamodb_table = "pl"',
            "    use_lockfile   = true",
            "  } : {",
            '    dynamodb_table = "dl"',
            "    use_lockfile   = false",
            "  }",
        ),
        remote_state_of(
            "local.prod ? {",
            '    dynamodb_table = "pl"',
            "    use_lockfile   = true",
            "  } : {",
            '    dynamodb_table = "dl"',
            "    use_lockfile   = true",
            "  }",
        ),
    ),
    "a table beside a choice": (
        LockWish.DUAL,
        remote_state_of('merge({ dynamodb_table = "l" }, local.prod ? { key = "p" } : { key = "d" })'),
        remote_state_of(
            'merge({ dynamodb_table = "l", use_lockfile = true }, local.prod ? { key = "p" } : { key = "d" })'
        ),
    ),
    "maps out of lists": (
        LockWish.DUAL,
        remote_state_of('merge(concat([{ bucket = "b" }], [{ dynamodb_table = "l" }])...)'),
        remote_state_of(
            'merge(concat([{ bucket = "b" }], [{ dynamodb_table = "l", use_lockfile = true }])...)'
        ),
    ),
    "a map of this file's locals": (
        LockWish.DUAL,
        with_locals("cfg = {", '    dynamodb_table = "l" # shared', "  }") + remote_state_of("local.cfg"),
        with_locals("cfg = {", '    dynamodb_table = "l" # shared', "    use_lockfile   = true", "  }")
        + remote_state_of("local.cfg"),
    ),
    "a part of such a map, merged": (
        LockWish.RETIRE,
        with_locals('base = { config = { dynamodb_table = "l", use_lockfile = true } }')
        + remote_state_of('merge(local.base.config, { key = "k" })'),
        with_locals("base = { config = { use_lockfile = true } }")
        + remote_state_of('merge(local.base.config, { key = "k" })'),
    ),
    "a choice among this file's locals": (
        LockWish.DUAL,
        with_locals('p = { lock_table = "pl" }', 'd = { lock_table = "dl" }')
        + remote_state_of("local.prod ? local.p : local.d"),
        with_locals(
            'p = { lock_table = "pl", use_lockfile = true }', 'd = { lock_table = "dl", use_lockfile = true }'
        )
        + remote_state_of("local.prod ? local.p : local.d"),
    ),
    "a choice that is one of this file's locals": (
        LockWish.DUAL,
        with_locals('cfg = local.prod ? { lock_table = "p" } : { lock_table = "d" }')
        + remote_state_of("local.cfg"),
        with_locals(
            'cfg = local.prod ? { lock_table = "p", use_lockfile = true } '
            ': { lock_table = "d", use_lockfile = true }'
        )
        + remote_state_of("local.cfg"),
    ),
    "the whole out of this file's locals": (
        LockWish.DUAL,
        with_locals('rs = { backend = "s3", config = { dynamodb_table = "l" } }')
        + "remote_state = local.rs\n",
        with_locals('rs = { backend = "s3", config = { dynamodb_table = "l", use_lockfile = true } }')
        + "remote_state = local.rs\n",
    ),
    "code in a heredoc, what is filled in kept": (
        LockWish.DUAL,
        generating(
            'bucket         = "acme-${local.account}"',
            'dynamodb_table = "acme-locks" # shared',
            "region         = ${local.region}",
        ),
        generating(
            'bucket         = "acme-${local.account}"',
            'dynamodb_table = "acme-locks" # shared',
            "use_lockfile   = true",
            "region         = ${local.region}",
        ),
    ),
    "code in a heredoc, aligned anew": (
        LockWish.RETIRE,
        generating(
            'key            = "${path_relative_to_include()}/s"',
            'dynamodb_table = "acme-locks"',
            "use_lockfile   = true",
        ),
        generating('key          = "${path_relative_to_include()}/s"', "use_lockfile = true"),
    ),
    "what Terragrunt would make the table anew from": (
        LockWish.RETIRE,
        remote_state(
            'bucket                         = "acme-state"',
            'dynamodb_table                 = "acme-locks"',
            "use_lockfile                   = true",
            'dynamodb_table_tags            = { Team : "core" }',
            "enable_lock_table_ssencryption = true",
        ),
        remote_state('bucket       = "acme-state"', "use_lockfile = true"),
    ),
    "tags with colons, those of the bucket kept": (
        LockWish.RETIRE,
        remote_state(
            "use_lockfile   = true",
            'dynamodb_table = "l"',
            "dynamodb_table_tags = {",
            '  Team : "core"',
            "}",
            's3_bucket_tags = { Team : "core" }',
        ),
        remote_state("use_lockfile   = true", 's3_bucket_tags = { Team : "core" }'),
    ),
    "tags on several lines": (
        LockWish.RETIRE,
        remote_state(
            "use_lockfile = true", 'lock_table   = "l"', "dynamodb_table_tags = {", '  Team = "core"', "}"
        ),
        remote_state("use_lockfile = true"),
    ),
    "merged maps that both name a table": (
        LockWish.DUAL,
        merged('    { key = "k", dynamodb_table = "l" },', '    local.own ? { dynamodb_table = "o" } : {}'),
        merged(
            '    { key = "k", dynamodb_table = "l", use_lockfile = true },',
            '    local.own ? { dynamodb_table = "o", use_lockfile = true } : {}',
        ),
    ),
}


@pytest.mark.parametrize(("wish", "before", "after"), CHANGES.values(), ids=CHANGES)
def test_changes(wish: LockWish, before: str, after: str) -> None:
    check_change(terragrunt, PATH, before, after, wish)


LEFT_ALONE = {
    "another backend": 'remote_state {\n  backend = "gcs"\n  config = {\n    dynamodb_table = "l"\n  }\n}\n',
    "both locks": remote_state('dynamodb_table = "acme-locks"', "use_lockfile = true"),
    "both locks, a quoted true": remote_state('dynamodb_table = "l"', 'use_lockfile = "true"'),
    "extra arguments": 'terraform {\n  extra_arguments "b" {\n    arguments = ["-lock_table"]\n  }\n}\n',
    "no lock": remote_state('bucket = "acme-state"'),
    "remote state of other kinds": 'inputs = {\n  remote_state = "acme"\n}\n',
    "in a comment": "# remote_state = {}\ninputs = {}\n",
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_leaves_alone(text: str) -> None:
    check_untouched(terragrunt, PATH, text, LockWish.DUAL)


FROM_ELSEWHERE = "edit the map it comes from"
PUT_TOGETHER = (1, "the table may come out of code put together from parts", FROM_ELSEWHERE)
REFUSED = {
    "a table that may be empty": (
        remote_state('dynamodb_table = get_env("LOCKS", "")'),
        (
            4,
            'dynamodb_table may be empty (get_env("LOCKS", "")): there may be no lock today',
            "write the table as a literal, or add use_lockfile = true by hand",
        ),
    ),
    "the same in a string": (
        remote_state('dynamodb_table = "${get_env("LOCKS", "")}"'),
        (
            4,
            'dynamodb_table may be empty ("${get_env("LOCKS", "")}"): there may be no lock today',
            "write the table as a literal, or add use_lockfile = true by hand",
        ),
    ),
    "a configuration from elsewhere": (
        'remote_state {\n  backend = "s3"\n  config  = local.cfg\n}\n',
        (3, "the table may come out of local.cfg", FROM_ELSEWHERE),
    ),
    "the whole from elsewhere": (
        "remote_state = local.common.remote_state\n",
        (1, "the table may come out of local.common.remote_state", FROM_ELSEWHERE),
    ),
    "a map that may win over ours": (
        'remote_state {\n  backend = "s3"\n  config = merge({ dynamodb_table = "l" }, local.mine)\n}\n',
        (3, "the table may come out of local.mine", FROM_ELSEWHERE),
    ),
}


REFUSED |= {
    "a choice of which one outcome has no table": (
        remote_state_of('local.prod ? { dynamodb_table = "pl" } : {}'),
        (
            1,
            "only some outcomes of the choice name a table: the others would be left with other arguments",
            "give all outcomes the same arguments, or decide inside of them",
        ),
    ),
    "a choice of which one outcome is from elsewhere": (
        remote_state_of('local.prod ? { dynamodb_table = "pl" } : local.elsewhere'),
        (3, "the table may come out of local.elsewhere", FROM_ELSEWHERE),
    ),
    "a choice between a map and none": (
        remote_state_of('local.prod ? { dynamodb_table = "pl" } : null'),
        (
            1,
            "only some outcomes of the choice name a table: the others would be left with other arguments",
            "give all outcomes the same arguments, or decide inside of them",
        ),
    ),
    "locals that go round": (
        with_locals("a = local.b", "b = local.a") + remote_state_of("local.a"),
        (3, "the table may come out of local.a", FROM_ELSEWHERE),
    ),
    "code put together from parts": (
        generating('dynamodb_table = "l"', "${local.more}"),
        PUT_TOGETHER,
    ),
    "code with directives": (
        generating('%{ if local.locked }dynamodb_table = "l"%{ endif }'),
        PUT_TOGETHER,
    ),
}


@pytest.mark.parametrize(("text", "answer"), REFUSED.values(), ids=REFUSED)
def test_dual_lock_refuses(text: str, answer: tuple[int, str, str]) -> None:
    assert refusal(terragrunt, PATH, text, LockWish.DUAL) == answer


@pytest.mark.parametrize("header", ["remote_state {", "remote_state={", "/* a */ remote_state /* b */ = {"])
def test_what_a_site_says(header: str) -> None:
    text = "inputs = {}\n\n" + remote_state(
        'bucket = "acme-state"', 'key = "${path_relative_to_include()}/s"'
    )
    (site,) = terragrunt.find(source(PATH, text.replace("remote_state {", header))).items
    assert (site.name, site.role, site.line, site.end_line) == ("remote_state", "writer", 3, 9)
    assert {s.name: s.value for s in site.settings} == {
        "bucket": Known("acme-state"),
        "key": Unknown('"${path_relative_to_include()}/s"'),
    }


@pytest.mark.parametrize(
    ("path", "claimed"),
    [
        ("terragrunt.hcl", True),
        ("live/root.hcl", True),
        ("main.tf", False),
        ("terragrunt.hcl.json", True),
        ("main.tf.json", False),
    ],
)
def test_claims(path: str, claimed: bool) -> None:
    assert terragrunt.claims(PurePosixPath(path), b"") is claimed
