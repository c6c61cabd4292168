"""Where pages show commands run: at home with a repository, in a pipeline, over an organisation.

A page says `~/infra`, github.com and an account of AWS; here these are a folder of the test, a GitHub and a
store of our own. Nothing else of a command is changed.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct, field

from migrate.cli.main import relock, run
from tests.repo import ENVIRONMENT

TABLE: Final = """\
terraform {
  backend "s3" {
    bucket         = "acme-state"
    key            = "net/terraform.tfstate"
    region         = "eu-west-1"
    dynamodb_table = "acme-locks"
  }
}
"""
BOTH: Final = TABLE.replace('"acme-locks"\n', '"acme-locks"\n    use_lockfile   = true\n')
LOCKFILE: Final = BOTH.replace('    dynamodb_table = "acme-locks"\n', "")
NEW: Final = 'terraform {\n  required_version = ">= 1.11.0"\n}\n'
INFRA: Final = {
    "network/backend.tf": TABLE,
    "network/versions.tf": NEW.replace("1.11.0", "1.10.5"),
    "app/remote.tf": """\
data "terraform_remote_state" "net" {
  backend = "s3"

  config = {
    bucket         = "acme-state"
    key            = "net/terraform.tfstate"
    region         = "eu-west-1"
    dynamodb_table = "acme-locks"
  }
}
""",
    "roles/ci.tf": """\
resource "aws_iam_role" "ci" {
  name               = "acme-ci"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}

resource "aws_iam_role_policy" "state" {
  role   = aws_iam_role.ci.name
  policy = data.aws_iam_policy_document.state.json
}

data "aws_iam_policy_document" "state" {
  statement {
    sid       = "State"
    actions   = ["s3:GetObject", "s3:PutObject"]
    resources = ["arn:aws:s3:::acme-state/*"]
  }
}
""",
}


class World(Struct, frozen=True):
    """Where commands run. `given` is what they are told besides, by their first words; `named` is what pages
    call what is here.
    """

    home: Path
    folder: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)

    def run(self, line: str) -> str:
        """All that a command line prints, as a terminal shows it."""
        program, *words = shlex.split(line, comments=True)
        assert program == "tfrelock"
        words = [word.replace("~", str(self.home), 1) for word in words]
        for begin, more in self.given.items():
            words += more if " ".join(words).startswith(begin) else ()
        terminal = StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(terminal), redirect_stderr(terminal):
            patch.chdir(self.folder)
            for name, value in {**ENVIRONMENT, "HOME": str(self.home), **self.environ}.items():
                patch.setenv(name, value)
            run(relock, words)
        printed = terminal.getvalue()
        for here, there in self.named.items():
            printed = printed.replace(here, there)
        return printed
