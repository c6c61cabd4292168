"""The Action's two modes as the runner runs them, against the fake GitHub; and what the file promises."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.action.runner import ACTION, Ran, Runner, Tree, action, evaluate, steps
from tests.cli.desk import MAY_LOCK, OLD, SOAKED
from tests.cli.estates import BOTH, LOCKFILE, TABLE, Files
from tests.forge_server import Answer, Fault, Pull
from tests.github import fake
from tests.github.fixtures import Host
from tests.repo import Repo, make
from tests.sarif import multitool

FIRST: Final = "<!-- tfrelock: what this change does to locks -->"
Job = Callable[[Files, Files], Runner]


@pytest.fixture
def checkout(host: Host, tmp_path: Path) -> Job:
    """A job on a pull request: as `actions/checkout` leaves it, at the merge that GitHub makes of both."""

    def begin(base: Files, change: Files) -> Runner:
        source = make(tmp_path / "source", base)
        source.branch("change")
        source.commit(change)
        source.git("checkout", "--quiet", "-b", "merge", "main")
        source.git("merge", "--quiet", "--no-ff", "--no-edit", "change")
        source.git("checkout", "--quiet", "main")
        bare = host.hub.create("acme/net", source.path)
        host.hub.pulls["acme/net"] = [Pull(7, "change", "main", "Change", "", draft=False)]
        work = Repo(tmp_path / "work")
        options = ("--quiet", "--depth=2", "--no-local", "--branch", "merge")
        source.git("clone", *options, f"file://{bare}", str(work.path))
        work.git("remote", "set-url", "origin", f"{host.services.direct}/acme/net.git")
        event: Tree = {"pull_request": {"number": 7, "base": {"sha": source.git("rev-parse", "main")}}}
        return Runner(work.path, _folder(tmp_path / "temp"), event, _environment(host, tmp_path))

    return begin


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _environment(host: Host, home: Path) -> dict[str, str]:
    """What a runner sets, as far as the action looks at it; nothing of ours."""
    return {
        "HOME": str(home),
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_SERVER_URL": host.services.direct,
        "GITHUB_TOKEN": fake.TOKEN,
        "XDG_CACHE_HOME": str(home / "cache"),
    }


def guard(job: Runner, **given: str) -> Ran:
    return job.run(install="false", **given)


def test_guard_on_the_swap_that_everybody_makes_by_hand(checkout: Job, host: Host) -> None:
    job = checkout({"net/main.tf": TABLE}, {"net/main.tf": "# moved down\n\n" + LOCKFILE})
    ran = guard(job)
    assert ran.code == 2, ran.out
    assert "::error file=net/main.tf,line=6,title=one-step-swap::from table to lockfile" in ran.out
    [pull] = host.hub.pulls["acme/net"]
    [comment] = pull.comments
    assert comment.startswith(f"{FIRST}\n**1 state**")
    assert "**one-step-swap** (error, 1)" in comment
    assert "one-step-swap" in ran.summary
    [upload] = ran.used
    assert upload["with"] == {"sarif_file": ran.outputs["guard"]["sarif"], "token": fake.TOKEN}
    assert multitool.mistakes(Path(str(ran.outputs["guard"]["sarif"]))) == []
    assert ran.outputs["guard"]["exit-code"] == "2"


def test_guard_keeps_one_comment_and_says_when_all_is_well_again(checkout: Job, host: Host) -> None:
    job = checkout({"net/main.tf": TABLE}, {"net/main.tf": LOCKFILE})
    guard(job)
    guard(job)
    [pull] = host.hub.pulls["acme/net"]
    [comment] = pull.comments
    Repo(job.workspace).git("checkout", "--quiet", "HEAD^1")
    Repo(job.workspace).commit({"net/main.tf": BOTH})
    again = guard(job)
    assert again.code == 0, again.out
    [now] = pull.comments
    assert "one-step-swap" not in now
    assert now != comment


def test_guard_is_silent_where_there_is_nothing_to_say(checkout: Job, host: Host) -> None:
    ran = guard(checkout({"net/main.tf": TABLE}, {"net/main.tf": BOTH}))
    assert ran.code == 0, ran.out
    assert host.hub.pulls["acme/net"][0].comments == []
    assert not [line for line in ran.out.splitlines() if line.startswith(("::error", "::warning"))]


def test_facts_that_a_change_brings_excuse_nothing(checkout: Job) -> None:
    base = {"net/main.tf": BOTH, "ops/tfrelock.yaml": "facts: []\n"}
    job = checkout(base, {"net/main.tf": LOCKFILE, "ops/tfrelock.yaml": SOAKED})
    assert guard(job, config="ops/tfrelock.yaml").code == 6


def test_facts_of_the_base_open_gates(checkout: Job) -> None:
    job = checkout({"net/main.tf": BOTH, "tfrelock.yaml": SOAKED}, {"net/main.tf": LOCKFILE})
    ran = guard(job, config="tfrelock.yaml")
    assert ran.code == 0, ran.out


def test_a_token_that_may_not_comment_fails_nothing(checkout: Job, host: Host) -> None:
    job = checkout({"net/main.tf": TABLE}, {"net/main.tf": LOCKFILE})
    host.hub.faults.append(Fault("POST .*/comments", Answer(403, {"message": "Resource not accessible"})))
    ran = guard(job)
    assert ran.code == 2
    assert "::warning title=tfrelock::No comment: " in ran.out
    assert fake.TOKEN not in ran.out


def test_a_name_is_no_command(checkout: Job, host: Host) -> None:
    name = "$(touch planted);`touch planted`\n::error::planted"
    job = checkout({"a": ""}, {f"{name}/main.tf": TABLE})
    ran = guard(job)
    assert ran.code == 2
    assert not list(job.workspace.glob("**/planted"))
    assert not [line for line in ran.out.splitlines() if line.startswith("::error::planted")]


def test_the_tool_that_fails_is_no_green_check(checkout: Job) -> None:
    job = checkout({"net/main.tf": TABLE}, {"net/main.tf": BOTH})
    assert guard(job, fail_on="nonsense").code == 64


def test_migrate_proposes_what_is_open(checkout: Job, host: Host) -> None:
    job = checkout({"net/main.tf": OLD, "ops/tfrelock.yaml": MAY_LOCK}, {"README.md": ""})
    Repo(job.workspace).git("checkout", "--quiet", "HEAD^1")
    first = job.run(install="false", mode="migrate", config="ops/tfrelock.yaml")
    again = job.run(install="false", mode="migrate", config="ops/tfrelock.yaml")
    assert (first.code, again.code) == (0, 0), first.out
    assert first.names == again.names == ["Propose what is open"]
    assert " opened: Lock state in S3 as well as DynamoDB (1 file) " in first.out
    assert " stands: " in again.out
    [_, pull] = host.hub.pulls["acme/net"]
    assert (pull.head, pull.base) == ("tfrelock/default/prepare", "main")
    log = Repo(host.hub.folder / "acme/net.git").git("log", "-1", "--format=%an <%ae>", pull.head)
    assert log.startswith("tfrelock <tfrelock@users.noreply.127.0.0.1")
    assert re.match(r"::stop-commands::([0-9a-f]{32})\n(.*\n)*::\1::\n$", first.out)
    assert fake.TOKEN not in first.out + again.out


def test_migrate_that_is_refused_is_no_success(checkout: Job, host: Host) -> None:
    job = checkout({"net/main.tf": OLD}, {"README.md": ""})
    host.hub.archived.add("acme/net")
    ran = job.run(install="false", mode="migrate")
    assert ran.code == 5
    assert "the repository is archived" in ran.out


# ── what the file itself promises ────────────────────────────────────────────────────────────────────────


def test_no_expression_stands_in_a_script() -> None:
    assert [step["name"] for step in steps() if "${{" in str(step.get("run", ""))] == []


def test_actions_are_pinned_to_commits() -> None:
    used = [str(step["uses"]) for step in steps() if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name)] == []


def pinned(lock: str) -> dict[str, frozenset[str]]:
    """What a lock file names, each with its hashes."""
    text = (ACTION.parent / lock).read_text()
    blocks = re.split(r"\n(?=[a-z])", text)
    return {
        found[0]: frozenset(re.findall(r"sha256:[0-9a-f]{64}", block))
        for block in blocks
        if (found := re.match(r"[\w.-]+==\S+", block))
    }


def test_it_installs_what_its_own_commit_names_by_hash() -> None:
    [install] = [str(step["run"]) for step in steps() if step["name"] == "Install"]
    lines = [line for line in install.splitlines() if line.startswith('"${pip[@]}"')]
    assert len(lines) == 2
    assert '--require-hashes --only-binary :all: -r "$GITHUB_ACTION_PATH/action.lock"' in lines[0]
    assert "--no-deps --no-index" in lines[1]
    mine, all_ = pinned("action.lock"), pinned("requirements.lock")
    assert all(mine.values())
    assert mine.items() <= all_.items(), "make lock"
    project = tomllib.loads((ACTION.parent / "pyproject.toml").read_text())["project"]
    wanted = (*project["dependencies"], *project["optional-dependencies"]["github-app"])
    named = {re.split(r"[<>=\[]", one)[0].replace(".", "-") for one in wanted}
    assert {*named, "hatchling"} <= {name.partition("==")[0] for name in mine}


def test_the_container_installs_the_same() -> None:
    text = (ACTION.parent / "Containerfile").read_text()
    installs = [line.strip(" \\&") for line in text.splitlines() if "$pip" in line]
    assert installs == [
        "$pip --no-deps --require-hashes --only-binary :all: -r /src/action.lock",
        "$pip --no-deps --no-index --no-build-isolation /src",
    ]


def test_every_input_and_output_says_what_it_is() -> None:
    for kind in ("inputs", "outputs"):
        named = action()[kind]
        assert isinstance(named, dict)
        assert all(isinstance(about, dict) and about["description"] for about in named.values())


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("inputs.a == 'x' && inputs.b != 'y'", True),
        ("inputs.a == 'y' || inputs.n", 3),
        ("inputs.a == 'x' && inputs.none", None),
        ("'it''s'", "it''s"),
    ],
)
def test_expressions_of_the_runner(expression: str, expected: object) -> None:
    assert evaluate(expression, {"inputs": {"a": "x", "b": "z", "n": 3}}) == expected
