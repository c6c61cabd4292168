"""The audit as Markdown: what must be settled stands first, and nothing in it is markup of a repository."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.estates import TABLE, run
from tests.repo import make

Capture = pytest.CaptureFixture[str]
FOLD = "<details><summary>1 state</summary>\n\n| state | lock | excludes | where |\n"


def test_findings_come_before_states(tmp_path: Path, capsys: Capture) -> None:
    repo = make(tmp_path / "net", {"net/main.tf": TABLE.replace(">= 1.11.0", ">= 1.5")})
    out = run(capsys, "audit", "--format", "markdown", repo.path).out
    assert out.startswith("**1 state** in 1 repository\n\n| table | both |")
    assert out.index("**floor-open** (warning, 1)") < out.index(FOLD)
    assert out.endswith("| s3://acme-state/net.tfstate | table | yes | net net/main.tf:4 |\n\n</details>\n")


@pytest.mark.parametrize(
    ("name", "live"),
    [
        ("@acme/all", r"@\w"),
        ("[x](y)", r"(?<!\\)\["),
        ("https://evil.example", "https?://"),
        ("<img src=x>", r"(?<!\\)<"),
        ("`a`", r"(?<!\\)`"),
        ("a | b", r"a \| b"),
        ("acme#12", r"#\d"),
        ("GH-12", r"GH-\d"),
        ("www.evil.example", r"www\.evil"),
        ("a\nb", r"a\nb"),
        ("&commat;acme/all", r"(?<!\\)&"),
    ],
)
def test_a_hostile_name_is_plain_text(tmp_path: Path, capsys: Capture, name: str, live: str) -> None:
    repo = make(tmp_path / "net", {"main.tf": TABLE.replace("net.tfstate", name.replace("\n", "\\n"))})
    before, fold, after = run(capsys, "audit", "--format", "markdown", repo.path).out.partition(FOLD)
    out = before + after.removesuffix("\n</details>\n")
    assert fold
    assert not re.search(live, out)


def test_each_place_stands_under_what_is_to_be_done_there(tmp_path: Path, capsys: Capture) -> None:
    open_, shut = (TABLE.replace(">= 1.11.0", pin) for pin in (">= 1.5", "~> 1.5.0"))
    repo = make(tmp_path / "net", {"a/main.tf": open_, "b/main.tf": shut.replace("net.tf", "b.tf")})
    out = run(capsys, "audit", "--format", "markdown", repo.path).out
    _, refused, raised, _ = re.split(r"\*\*floor-open\*\* \(warning, 1\): |\n\n\*\*(?!floor)", out)[:4]
    assert ("decide which release to go to" in refused, "- net b/main.tf" in refused) == (True, True)
    assert ("tfrelock edit --phase pin" in raised, "- net a/main.tf" in raised) == (True, True)
