"""Terramate code in, what it generates out; the source is edited, its copies are to be made anew."""

from __future__ import annotations

import pytest

from migrate import wishes
from migrate.dialects import terramate
from migrate.model import Known, LockWish, Site
from tests.pairs import check_change, check_untouched, refusal, sides, source

TABLE, BOTH = sides("""\
 generate_hcl "backend.tf" {
   condition = global.remote

   content {
     terraform {
       backend "s3" {
         bucket         = "acme-state"
         key            = tm_try(global.key, "${terramate.stack.id}/terraform.tfstate")
         dynamodb_table = tm_try(global.locks, "acme-locks")
+        use_lockfile   = true
       }
     }
   }
 }
""")
LOCKFILE = """\
generate_hcl "backend.tf" {
  condition = global.remote

  content {
    terraform {
      backend "s3" {
        bucket       = "acme-state"
        key          = tm_try(global.key, "${terramate.stack.id}/terraform.tfstate")
        use_lockfile = true
      }
    }
  }
}
"""
READER, READ = sides("""\
 generate_hcl "net.tf" {
   content {
     data "terraform_remote_state" "net" {
       backend = "s3"
       config = {
-        bucket         = "acme-state"
-        key            = "net"
-        dynamodb_table = "acme-locks"
+        bucket = "acme-state"
+        key    = "net"
       }
     }
   }
 }
""")
ELSEWHERE = """\
globals "terraform" "backend" {
  dynamodb_table = "acme-locks"
}
generate_file "backend.tf" {
  content = "terraform {\\n  backend \\"s3\\" {}\\n}"
}
"""


def found(text: str) -> tuple[Site, ...]:
    return terramate.find(source("backend.tm.hcl", text)).items


@pytest.mark.parametrize(
    ("text", "name", "role", "literals"),
    [
        (TABLE, "generate_hcl.backend.tf.backend.s3", "generator", {"bucket"}),
        (
            READER,
            "generate_hcl.net.tf.data.terraform_remote_state.net",
            "reader",
            {"bucket", "key", "dynamodb_table"},
        ),
    ],
)
def test_finds(text: str, name: str, role: str, literals: set[str]) -> None:
    (site,) = found(text)
    known = {s.name for s in site.settings if isinstance(s.value, Known)}
    assert (site.name, site.role, known) == (name, role, literals)


@pytest.mark.parametrize(
    ("before", "wish", "after"),
    [(TABLE, LockWish.DUAL, BOTH), (BOTH, LockWish.RETIRE, LOCKFILE), (READER, LockWish.READ, READ)],
)
def test_changes(before: str, wish: LockWish, after: str) -> None:
    check_change(terramate, "backend.tm.hcl", before, after, wish)


@pytest.mark.parametrize(
    ("text", "wish"), [(BOTH, LockWish.DUAL), (LOCKFILE, LockWish.RETIRE), (TABLE, LockWish.READ)]
)
def test_leaves_alone(text: str, wish: LockWish) -> None:
    check_untouched(terramate, "backend.tm.hcl", text, wish)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            TABLE.replace('"acme-locks"', '""'),
            (
                9,
                'dynamodb_table may be empty (tm_try(global.locks, "")): there may be no lock today',
                "write the table as a literal, or add use_lockfile = true by hand",
            ),
        ),
        (
            ELSEWHERE,
            (
                2,
                "what Terramate makes of this is known only when it generates",
                "change it by hand in the same steps, then: terramate generate",
            ),
        ),
    ],
)
def test_refuses(text: str, answer: tuple[int, str, str]) -> None:
    assert refusal(terramate, "backend.tm.hcl", text, LockWish.DUAL) == answer


def test_every_line_that_names_a_lock_is_in_a_site() -> None:
    assert [(site.name, site.line) for site in found(ELSEWHERE)] == [
        ("place.dynamodb_table", 2),
        ("place.backend", 5),
    ]


def test_tells_how_to_make_the_copies_anew() -> None:
    given = source("backend.tm.hcl", TABLE)
    (site,) = found(TABLE)
    assert wishes.notes(given, site, LockWish.DUAL) == (
        "backend.tm.hcl:6: copies of this are to be made anew: terramate generate",
    )
