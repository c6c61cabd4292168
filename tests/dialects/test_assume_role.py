"""The arguments that Terraform 1.10 removed, moved into `assume_role` in every dialect that has them."""

from __future__ import annotations

import pytest

from migrate.dialects import (
    Dialect,
    code,
    flags,
    partial,
    remote_state,
    shell,
    template,
    terraform,
    terraform_json,
    terragrunt,
    terramate,
)
from migrate.model import LockWish
from tests.pairs import block, check_change, check_untouched, refusal

ASSUME = LockWish.ASSUME

ONE = block('bucket   = "acme"', 'role_arn = "arn:aws:iam::111122223333:role/tf"', 'key      = "net"')
ONE_AFTER = block(
    'bucket = "acme"',
    "assume_role = {",
    '  role_arn = "arn:aws:iam::111122223333:role/tf"',
    "}",
    'key = "net"',
)

ALL = """\
terraform {
  backend "s3" {
    bucket         = "acme"
    role_arn       = "arn:aws:iam::111122223333:role/tf" # the writer's
    dynamodb_table = "acme-locks"
    external_id    = "x1" // given by them
    # an hour
    assume_role_duration_seconds = 3600
    assume_role_policy_arns = [
      "arn:aws:iam::aws:policy/A",
      "arn:aws:iam::aws:policy/B",
    ]
    assume_role_tags                = { team = "net" }
    assume_role_transitive_tag_keys = ["team"]
    session_name                    = "ci"
  }
}
"""
ALL_AFTER = """\
terraform {
  backend "s3" {
    bucket = "acme"
    assume_role = {
      role_arn = "arn:aws:iam::111122223333:role/tf"
      // given by them
      external_id = "x1"
      duration    = "3600s"
      policy_arns = [
        "arn:aws:iam::aws:policy/A",
        "arn:aws:iam::aws:policy/B",
      ]
      tags                = { team = "net" }
      transitive_tag_keys = ["team"]
      session_name        = "ci"
    } # the writer's
    dynamodb_table = "acme-locks"
    # an hour
  }
}
"""

READER = """\
data "terraform_remote_state" "net" {
  backend = "s3"
  config = {
    bucket                       = "acme"
    role_arn                     = var.role
    assume_role_duration_seconds = var.seconds
  }
}
"""
READER_AFTER = """\
data "terraform_remote_state" "net" {
  backend = "s3"
  config = {
    bucket = "acme"
    assume_role = {
      role_arn = var.role
      duration = "${var.seconds}s"
    }
  }
}
"""
IN_LINE = """\
data "terraform_remote_state" "net" {
  backend = "s3"
  config  = { bucket = "acme", role_arn = "r", key = "net", session_name = "s" }
}
"""
IN_LINE_AFTER = """\
data "terraform_remote_state" "net" {
  backend = "s3"
  config  = { bucket = "acme", assume_role = { role_arn = "r", session_name = "s" }, key = "net" }
}
"""

JSON = """\
{
  "terraform": {
    "backend": {
      "s3": {
        "bucket": "acme",
        "role_arn": "r",
        "assume_role_duration_seconds": 900,
        "key": "net"
      }
    }
  }
}
"""
JSON_AFTER = """\
{
  "terraform": {
    "backend": {
      "s3": {
        "bucket": "acme",
        "assume_role": {
            "role_arn": "r",
            "duration": "900s"
        },
        "key": "net"
      }
    }
  }
}
"""

LIVE = """\
remote_state {
  backend = "s3"
  config = {
    bucket       = "acme"
    role_arn     = "arn:aws:iam::${get_aws_account_id()}:role/tf"
    session_name = local.session
  }
}
"""
LIVE_AFTER = """\
remote_state {
  backend = "s3"
  config = {
    bucket = "acme"
    assume_role = {
      role_arn     = "arn:aws:iam::${get_aws_account_id()}:role/tf"
      session_name = local.session
    }
  }
}
"""
GENERATED = """\
generate "backend" {
  path     = "backend.tf"
  contents = <<EOF
terraform {
  backend "s3" {
    bucket   = "acme"
    role_arn = "r"
  }
}
EOF
}
"""
GENERATED_AFTER = GENERATED.replace("bucket   =", "bucket =").replace(
    '    role_arn = "r"\n', '    assume_role = {\n      role_arn = "r"\n    }\n'
)
TERRAMATE = """\
generate_hcl "b.tf" {
  content {
    terraform {
      backend "s3" {
        role_arn = "r"
      }
    }
  }
}
"""
TERRAMATE_AFTER = TERRAMATE.replace(
    '        role_arn = "r"', '        assume_role = {\n          role_arn = "r"\n        }'
)

CHANGES = [
    (terraform, "net/main.tf", ONE, ONE_AFTER),
    (terraform, "net/main.tf", ALL, ALL_AFTER),
    (terraform_json, "net/main.tf.json", JSON, JSON_AFTER),
    (remote_state, "app/remote.tf", READER, READER_AFTER),
    (remote_state, "app/remote.tf", IN_LINE, IN_LINE_AFTER),
    (
        partial,
        "dev.tfbackend",
        'bucket   = "acme"\nrole_arn = "r"\n',
        'bucket = "acme"\nassume_role = {\n  role_arn = "r"\n}\n',
    ),
    (terragrunt, "live/terragrunt.hcl", LIVE, LIVE_AFTER),
    (terragrunt, "live/terragrunt.hcl", GENERATED, GENERATED_AFTER),
    (terramate, "b.tm.hcl", TERRAMATE, TERRAMATE_AFTER),
]


@pytest.mark.parametrize(("dialect", "path", "before", "after"), CHANGES)
def test_moves(dialect: Dialect, path: str, before: str, after: str) -> None:
    check_change(dialect, path, before, after, ASSUME)


@pytest.mark.parametrize(
    ("dialect", "path", "text"),
    [
        (terraform, "main.tf", block('bucket = "acme"', 'dynamodb_table = "acme-locks"')),
        (terraform, "main.tf", block("assume_role = {", '  role_arn = "r"', "}")),
        (partial, "dev.tfbackend", 'bucket = "acme"\n'),
    ],
)
def test_leaves_alone(dialect: Dialect, path: str, text: str) -> None:
    check_untouched(dialect, path, text, ASSUME)


@pytest.mark.parametrize(
    ("dialect", "path", "text", "why"),
    [
        (
            terraform,
            "main.tf",
            block('role_arn    = "r"', 'assume_role = { session_name = "s" }'),
            "assume_role stands beside role_arn: Terraform takes one of them",
        ),
        (
            flags,
            "Makefile",
            "i:\n\tterraform init -backend-config=dynamodb_table=t -backend-config=role_arn=r\n",
            "role_arn: removed in Terraform 1.10, and not moved here",
        ),
        (
            template,
            "main.tf.j2",
            block('role_arn = "r"', 'bucket = "{{ bucket }}"'),
            "role_arn: removed in Terraform 1.10, and not moved here",
        ),
        (
            template,
            "main.tf.j2",
            'data "terraform_remote_state" "net" {\n  backend = "s3"\n  config = { role_arn = "r" }\n}\n',
            "role_arn: removed in Terraform 1.10, and not moved here",
        ),
        (
            flags,
            "Makefile",
            "i:\n\tterraform init -backend-config=key=k -backend-config='session_name=s'\n",
            "session_name: removed in Terraform 1.10, and not moved here",
        ),
        (
            code,
            "main.ts",
            'new S3Backend(this, { bucket: "acme", roleArn: "r" });\n',
            "role_arn: removed in Terraform 1.10, and not moved here",
        ),
        (
            shell,
            ".tf_wrapper",
            "backends:\n  s3: {bucket: acme, role_arn: r}\n",
            "role_arn: removed in Terraform 1.10, and not moved here",
        ),
    ],
)
def test_refuses(dialect: Dialect, path: str, text: str, why: str) -> None:
    assert refusal(dialect, path, text, ASSUME)[1] == why
