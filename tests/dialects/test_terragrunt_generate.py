"""Code that `generate` puts together from parts: a backend in it is told, and never edited."""

from __future__ import annotations

import pytest

from migrate.dialects import terragrunt
from migrate.model import LockWish
from tests.pairs import refusal

QUOTED = '"terraform {\\n  backend \\"s3\\" {}\\n}"'


@pytest.mark.parametrize("wish", [LockWish.DUAL, LockWish.RETIRE])
@pytest.mark.parametrize(
    "text",
    [
        f'generate "be" {{\n  contents = {QUOTED}\n}}\n',
        f"generate = {{\n  be = {{\n    contents = {QUOTED}\n  }}\n}}\n",
        'generate "be" {\n  contents = join("", ["backend s3 {", local.more])\n}\n',
    ],
    ids=["between quotes", "in an argument", "without a quote around the kind"],
)
def test_refuses(text: str, wish: LockWish) -> None:
    line, why, _ = refusal(terragrunt, "terragrunt.hcl", text, wish)
    assert (line, why) == (1, "the table may come out of code put together from parts")
