"""Scripts and wrappers' files in, one site for each place that makes a backend; no wish is carried out."""

from __future__ import annotations

import pytest

from migrate.dialects import shell
from migrate.model import LockWish, Refusal, Site
from tests.pairs import source

SCRIPT = """\
#!/bin/bash
# dynamodb_table is the bucket's name
config="terraform {
  backend \\"s3\\" {
    bucket         = \\"${bucket}\\"
    dynamodb_table = \\"${bucket}\\"${profile}
  }
}";
[ "${lock_table}" == 'true' ] && terraform init -backend-config=dynamodb_table="$t"
"""
BUILDSPEC = """\
phases:
  build:
    commands:
      - jinja2 backend.jinja -D key="$KEY" -D dynamodb_table="$LOCKS" >> backend.tf
      - echo "dynamodb_table: $LOCKS"
"""
TERRAWRAP = """\
backends:
  s3:
    region: eu-west-1
    bucket: acme-state
    dynamodb_table: acme-locks
"""
HEREDOC = 'run: |\n  cat > net.tfbackend <<EOF\n  dynamodb_table = "$T"\n  EOF\n'
BLOCK = 'cat > backend.tf <<EOF\nterraform {\n  backend "s3" {\n    dynamodb_table = "$T"\n  }\n}\nEOF\n'
EXPECTED = 'stdout:\n  - "dynamodb_table: acme-locks"\n  - dynamodb_table\n'
FOGG = "defaults:\n  backend:\n    dynamodb_table: acme-locks\n"


def found(path: str, text: str) -> tuple[Site, ...]:
    return shell.find(source(path, text)).items


@pytest.mark.parametrize(
    ("path", "text", "sites"),
    [
        ("bin/tf.sh", SCRIPT, [("place.backend", 4), ("place.dynamodb_table", 6), ("place.lock_table", 9)]),
        ("bin/tf", SCRIPT, [("place.backend", 4), ("place.dynamodb_table", 6), ("place.lock_table", 9)]),
        ("buildspec.yml", BUILDSPEC, [("place.dynamodb_table", 4)]),
        (".tf_wrapper.yml", TERRAWRAP, [("backends.s3", 3)]),
        (".tf_wrapper", TERRAWRAP, [("backends.s3", 3)]),
        ("fogg.yml", FOGG, [("place.dynamodb_table", 3)]),
        ("values.yml", FOGG, []),
        ("case.yml", EXPECTED, [("place.dynamodb_table", 2)]),
        ("ci.yml", HEREDOC, [("place.dynamodb_table", 3)]),
        ("bin/tf.sh", BLOCK, []),
    ],
)
def test_finds_one_site_for_each_place(path: str, text: str, sites: list[tuple[str, int]]) -> None:
    assert [(site.name, site.line) for site in found(path, text)] == sites


@pytest.mark.parametrize(
    ("path", "text", "at", "wish", "why", "remedy"),
    [
        (
            "bin/tf.sh",
            SCRIPT,
            1,
            LockWish.DUAL,
            "a script writes a backend here",
            "write `use_lockfile   = true` on the line below",
        ),
        ("bin/tf.sh", SCRIPT, 1, LockWish.RETIRE, "a script writes a backend here", "delete it"),
        (
            "bin/tf.sh",
            SCRIPT,
            2,
            LockWish.DUAL,
            "a script names the lock here: what it builds is known only when it runs",
            "look at what it writes, and change it by hand in the same steps",
        ),
        (
            "buildspec.yml",
            BUILDSPEC,
            0,
            LockWish.DUAL,
            '`dynamodb_table="$LOCKS"` is an argument of a template',
            "keep it: the template's own line is to have `use_lockfile = true` below it",
        ),
        (
            "buildspec.yml",
            BUILDSPEC,
            0,
            LockWish.RETIRE,
            '`dynamodb_table="$LOCKS"` is an argument of a template',
            "drop it with the template's own line",
        ),
        (
            ".tf_wrapper.yml",
            TERRAWRAP,
            0,
            LockWish.DUAL,
            "terrawrap gives init the table or the lockfile, never both: dual lock is impossible",
            "take the backend out of terrawrap: a block or a -backend-config file can hold both locks",
        ),
    ],
)
def test_refuses_with_the_words_to_write(
    path: str, text: str, at: int, wish: LockWish, why: str, remedy: str
) -> None:
    given, site = source(path, text), found(path, text)[at]
    assert shell.edit({given.path: given}, site, wish) == Refusal(site.place, why, remedy)


def test_knows_the_either_or_of_terrawrap() -> None:
    (site,) = found(".tf_wrapper.yml", TERRAWRAP)
    assert (site.exclusive, site.role) == (True, "generator")
