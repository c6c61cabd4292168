"""The audit for code scanning: SARIF's own validator agrees, and hosts show the right line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

from migrate.reports import rule_text
from tests.cli.estates import BOTH, LOCKFILE, TABLE, backend, reader, run
from tests.repo import ODD, make
from tests.sarif import multitool

Capture = pytest.CaptureFixture[str]
OLD: Final = "# one\n# two\n" + TABLE.replace(">= 1.11.0", ">= 1.5")


def audited(folder: Path, capsys: Capture, *paths: Path) -> dict[str, dict[str, object]]:
    """The runs of an audit, by repository."""
    log = folder / "audit.sarif"
    run(capsys, "audit", "--format", "sarif", "--output", log, *paths)
    runs = json.loads(log.read_text())["runs"]
    return {found["automationDetails"]["id"]: found for found in runs}


def results(found: dict[str, object]) -> list[tuple[str, str, str, int]]:
    """Rule, level, file and line of each result."""
    listed = found["results"]
    assert isinstance(listed, list)
    places = [(result, result["locations"][0]["physicalLocation"]) for result in listed]
    return [
        (r["ruleId"], r["level"], at["artifactLocation"]["uri"], at["region"]["startLine"])
        for r, at in places
    ]


HOSTILE: Final = "[x](http%3A evil)\x1b[31m\u202e"


def test_the_validator_finds_no_mistake(tmp_path: Path, capsys: Capture) -> None:
    """In findings, in files that cannot be read, in nothing to say and in hostile names."""
    repos: dict[str, Mapping[str, str]] = {
        "net": {"a b/main.tf": OLD, "app.tf": reader()},
        "none": {"README.md": "acme\n"},
    }
    odd = {f"{HOSTILE}/main.tf": OLD.replace("net.tfstate", "[k](https://evil.example)")}
    made = [make(tmp_path / name, files) for name, files in repos.items()]
    made.append(make(tmp_path / "odd", {"main.tf": TABLE.encode("utf-16"), **odd}))
    (made[-1].path / f"{ODD}.tf").write_text(backend(key="y"))
    assert len(audited(tmp_path, capsys, *(repo.path for repo in made))) == 3
    assert multitool.mistakes(tmp_path / "audit.sarif") == []


def test_one_run_for_each_repository_with_the_right_lines(tmp_path: Path, capsys: Capture) -> None:
    net = make(tmp_path / "net", {"a b/main.tf": OLD}, "https://git.acme.example/acme/net.git")
    app = make(tmp_path / "app", {"main.tf": "\n\n" + reader()}, "https://git.acme.example/acme/app.git")
    found = audited(tmp_path, capsys, net.path, app.path)
    assert sorted(found) == ["tfrelock/git.acme.example/acme/app/", "tfrelock/git.acme.example/acme/net/"]
    assert results(found["tfrelock/git.acme.example/acme/net/"]) == [
        ("floor-open", "warning", "a%20b/main.tf", 4),
        ("not-encrypted", "note", "a%20b/main.tf", 6),
        ("table-only", "note", "a%20b/main.tf", 6),
    ]
    assert results(found["tfrelock/git.acme.example/acme/app/"]) == [
        ("reader-names-table", "warning", "main.tf", 3)
    ]
    assert found["tfrelock/git.acme.example/acme/net/"]["versionControlProvenance"] == [
        {
            "repositoryUri": "https://git.acme.example/acme/net",
            "revisionId": net.git("rev-parse", "HEAD"),
            "branch": "main",
            "mappedTo": {"uriBaseId": "%SRCROOT%"},
        }
    ]


def test_fingerprints_stay_while_lines_move(tmp_path: Path, capsys: Capture) -> None:
    repo = make(tmp_path / "net", {"main.tf": OLD, "other/main.tf": backend(key="other")})
    [(_, before)] = audited(tmp_path, capsys, repo.path).items()
    repo.commit({"main.tf": "# a new first line\n" * 9 + OLD})
    [(_, after)] = audited(tmp_path, capsys, repo.path).items()
    assert [line for *_, line in results(before)] != [line for *_, line in results(after)]
    assert fingerprints(before) == fingerprints(after)
    assert len(set(fingerprints(before))) == len(fingerprints(before)) == 5


def fingerprints(found: dict[str, object]) -> list[str]:
    listed = found["results"]
    assert isinstance(listed, list)
    return [result["partialFingerprints"]["primaryLocationLineHash"] for result in listed]


def test_rules_are_described_as_explain_does(tmp_path: Path, capsys: Capture) -> None:
    repo = make(tmp_path / "net", {"a.tf": OLD, "b/b.tf": BOTH, "c/c.tf": LOCKFILE})
    log = tmp_path / "audit.sarif"
    run(capsys, "audit", "--format", "sarif", "--output", log, repo.path)
    [driver] = [found["tool"]["driver"] for found in json.loads(log.read_text())["runs"]]
    texts = {rule["id"]: rule["help"]["text"] for rule in driver["rules"]}
    assert list(texts) == sorted(texts)
    assert "no-common-lock" in texts
    assert texts == {name: rule_text.render(name) for name in texts}


def test_what_cannot_be_read_is_a_notification(tmp_path: Path, capsys: Capture) -> None:
    repo = make(tmp_path / "net", {"main.tf": TABLE.encode("utf-16")})
    repo.write({"odd.tf": b"# \xff\n" + TABLE.encode(), ".tfrelock.yaml": b"exclude: []\nfacts: []\n"})
    [(_, found)] = audited(tmp_path, capsys, repo.path).items()
    [invocation] = json.loads(json.dumps(found["invocations"]))
    assert invocation["executionSuccessful"] is False
    places = [said["locations"][0]["physicalLocation"] for said in invocation["toolExecutionNotifications"]]
    assert [(at["artifactLocation"]["uri"], at.get("region")) for at in places] == [
        (".tfrelock.yaml", {"startLine": 2}),
        ("main.tf", None),
        ("odd.tf", None),
    ]


def test_nothing_to_say_is_a_run_without_results(tmp_path: Path, capsys: Capture) -> None:
    repo = make(tmp_path / "net", {"README.md": "acme\n"})
    [(_, found)] = audited(tmp_path, capsys, repo.path).items()
    assert found["results"] == []


def test_names_of_a_hostile_repository_are_plain_text(tmp_path: Path, capsys: Capture) -> None:
    files = {f"{HOSTILE}/main.tf": OLD.replace("net.tfstate", "[k](https://evil.example)")}
    repo = make(tmp_path / "net", files)
    (repo.path / f"{ODD}.tf").write_text(backend(key="y").replace(">= 1.11.0", ">= 1.4"))
    [(_, found)] = audited(tmp_path, capsys, repo.path).items()
    text = (tmp_path / "audit.sarif").read_text()
    assert "\\\\[k\\\\](https://evil.example)" in text
    assert "\\u001b" not in text
    assert "\\u202e" not in text
    uris = {uri for _, _, uri, _ in results(found)}
    assert uris == {
        "%5Bx%5D%28http%253A%20evil%29%1B%5B31m%E2%80%AE/main.tf",
        f"{quote(os.fsencode(ODD))}.tf",
    }
