"""SARIF's own validator (npm `@microsoft/sarif-multitool-linux`), which carries the official schema."""

import json
import os
import stat
import subprocess
from pathlib import Path
from typing import Final

import pytest

PROGRAM: Final = (
    Path(__file__).parents[2] / ".cache/sarif/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"
)
UNSAID: Final = {"SARIF2005"}
"""There is no address to give as the tool's `informationUri`."""


def mistakes(log: Path) -> list[str]:
    """What SARIF's and GitHub's rules say against a file, as `RULE: words`."""
    if not PROGRAM.is_file():
        pytest.skip("SARIF's validator is not set up")
    PROGRAM.chmod(PROGRAM.stat().st_mode | stat.S_IXUSR)  # its package's own install script would do that
    said = log.with_suffix(".said")
    done = subprocess.run(
        [PROGRAM, "validate", log, "--rule-kind", "Sarif;Ghas", "--output", said, "--log", "ForceOverwrite"],
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    [run] = json.loads(said.read_text("utf-8-sig"))["runs"]
    assert "1 files scanned" in done.stdout
    return [
        f"{result['ruleId']}: {' '.join(result['message'].get('arguments', []))}"
        for result in run["results"]
        if result["ruleId"] not in UNSAID
    ]
