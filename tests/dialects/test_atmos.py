"""Stack files of Atmos in, what they say of a lock out; edited line by line, or refused."""

from __future__ import annotations

import pytest

from migrate.dialects import atmos
from migrate.model import Known, LockWish, Site, Unknown
from tests.pairs import check_change, check_untouched, refusal, sides, source

TABLE, BOTH = sides("""\
 import:
   - acme/_defaults

 terraform:
   backend_type: s3 # or local
   backend:
     s3:
       bucket: "acme-state"
       key: terraform.tfstate
       region: '{{ .vars.region }}'
       # the lock of all stacks
       dynamodb_table: "acme-locks" # shared
+      use_lockfile: true
       role_arn: !env ROLE
""")
LOCKFILE = BOTH.replace('      dynamodb_table: "acme-locks" # shared\n', "")
OF_A_COMPONENT, READ = sides("""\
 components:
   terraform:
     net:
       backend:
         s3: &net
           bucket: acme-state
           dynamodb_table: acme-locks
       remote_state_backend:
         s3:
-          dynamodb_table: acme-locks
           role_arn: null
""")
FLOW = "terraform:\n  backend:\n    s3: {bucket: acme-state, key: net, dynamodb_table: acme-locks}\n"
MERGED = "terraform:\n  backend:\n    s3:\n      <<: *defaults\n      key: net\n"
DECIDED = """\
terraform:
  backend:
    s3:
      bucket: acme-state
      {{- if .old }}
      dynamodb_table: acme-locks
      {{- else }}
      use_lockfile: true
      {{- end }}
      key: "{{ if .x }}a{{ end }}"
"""
"""Which of the two locks there is, is known when the template is rendered."""
OTHER = "storage:\n  backend:\n    s3:\n      bucket: acme\n      dynamodb_table: acme\n"


def found(text: str) -> tuple[Site, ...]:
    return atmos.find(source("stacks/acme.yaml", text)).items


@pytest.mark.parametrize(
    ("text", "sites"),
    [
        (
            TABLE,
            [("terraform.backend.s3", "generator", {"bucket", "key", "dynamodb_table"})],
        ),
        (
            OF_A_COMPONENT,
            [
                ("components.terraform.net.backend.s3", "generator", {"bucket", "dynamodb_table"}),
                (
                    "components.terraform.net.remote_state_backend.s3",
                    "reader",
                    {"dynamodb_table", "role_arn"},
                ),
            ],
        ),
        (FLOW, [("terraform.backend.s3", "generator", {"bucket", "key", "dynamodb_table"})]),
        (MERGED, [("terraform.backend.s3", "generator", {"key"})]),
        (DECIDED, [("terraform.backend.s3", "generator", {"bucket"})]),
        (OTHER, []),
    ],
)
def test_finds(text: str, sites: list[tuple[str, str, set[str]]]) -> None:
    told = [(s.name, s.role, {x.name for x in s.settings if isinstance(x.value, Known)}) for s in found(text)]
    assert told == sites


def test_a_map_without_a_lock_may_get_one_from_its_imports() -> None:
    (site,) = found(
        "terraform:\n  backend:\n    s3:\n      bucket: acme-state\n      key: net\n# backend_type"
    )
    lock = site.setting("use_lockfile")
    assert lock
    assert (lock.value, lock.by_name) == (Unknown("what the stack file imports"), False)


@pytest.mark.parametrize(
    ("before", "wish", "after"),
    [
        (TABLE, LockWish.DUAL, BOTH),
        (BOTH, LockWish.RETIRE, LOCKFILE),
        (
            TABLE.replace('"acme-locks"', '"{{ .vars.stage }}-locks"'),
            LockWish.DUAL,
            BOTH.replace('"acme-locks"', '"{{ .vars.stage }}-locks"'),
        ),
        (
            BOTH.replace('"acme-locks"', "!terraform.state locks core name"),
            LockWish.RETIRE,
            LOCKFILE,
        ),
        (OF_A_COMPONENT, LockWish.READ, READ),
        (BOTH.replace('"acme-locks" # shared', ">-\n        acme-locks"), LockWish.RETIRE, LOCKFILE),
        (
            BOTH.replace("lockfile: true", 'lockfile: "true"'),
            LockWish.RETIRE,
            LOCKFILE.replace("true", '"true"'),
        ),
        (
            BOTH.replace("use_lockfile: true", 'use_lockfile: "false"'),
            LockWish.DUAL,
            BOTH,
        ),
    ],
)
def test_changes(before: str, wish: LockWish, after: str) -> None:
    check_change(atmos, "stacks/acme.yaml", before, after, wish)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (BOTH, LockWish.DUAL),
        (BOTH.replace("lockfile: true", "lockfile: TRUE"), LockWish.DUAL),
        (LOCKFILE, LockWish.RETIRE),
        (TABLE, LockWish.READ),
        (OTHER, LockWish.DUAL),
    ],
)
def test_leaves_alone(text: str, wish: LockWish) -> None:
    check_untouched(atmos, "stacks/acme.yaml", text, wish)


@pytest.mark.parametrize(
    ("text", "wish", "answer"),
    [
        (
            FLOW,
            LockWish.DUAL,
            (
                3,
                "the map is written in braces",
                "add use_lockfile: true there by hand, or give each setting its line",
            ),
        ),
        (
            FLOW.replace("{", "{\n      ").replace("}", "\n    }").replace(", ", ",\n      "),
            LockWish.DUAL,
            (
                4,
                "the map is written in braces",
                "add use_lockfile: true there by hand, or give each setting its line",
            ),
        ),
        (
            FLOW,
            LockWish.RETIRE,
            (
                3,
                "the map is written in braces",
                "change dynamodb_table: acme-locks there by hand, or give each setting its line",
            ),
        ),
        (
            "terraform:\n  backend:\n    s3:\n      # here\n      dynamodb_table: acme-locks\n",
            LockWish.RETIRE,
            (
                5,
                "nothing but the table stands in this map: it would be left empty",
                "take the map out by hand, with the keys that lead to it alone",
            ),
        ),
        (
            TABLE + '      {{ include "locks" . }}\n\nvars: {}\n',
            LockWish.DUAL,
            (14, 'the table may come out of {{ include "locks" . }}', "edit the map it comes from"),
        ),
        (
            MERGED,
            LockWish.DUAL,
            (4, "the table may come out of *defaults", "edit the map it comes from"),
        ),
        (
            TABLE.replace("      role_arn", "      use_lockfile: !env LOCK\n      role_arn"),
            LockWish.DUAL,
            (13, "use_lockfile is !env LOCK", "write use_lockfile = true"),
        ),
        (
            DECIDED,
            LockWish.DUAL,
            (
                4,
                "dynamodb_table stands under a condition of the template",
                "change it by hand, in every branch",
            ),
        ),
        (
            DECIDED,
            LockWish.RETIRE,
            (
                4,
                "dynamodb_table stands under a condition of the template",
                "change it by hand, in every branch",
            ),
        ),
    ],
)
def test_refuses(text: str, wish: LockWish, answer: tuple[int, str, str]) -> None:
    assert refusal(atmos, "stacks/acme.yaml", text, wish) == answer
