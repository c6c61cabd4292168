"""The plan as people read it: what is said of several states is said once, and prose is folded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.estates import backend, facts, reader, run

OLD = backend(key="a.tfstate").replace(">= 1.11.0", ">= 1.5")


def planned(folder: Path, capsys: pytest.CaptureFixture[str], *options: object) -> str:
    return run(capsys, "plan", folder, *options).out


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_states_of_which_the_same_is_said_share_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    infra = tmp_path / "infra"
    put(infra, {"a/main.tf": OLD, "b/main.tf": OLD.replace("a.tfstate", "b.tfstate")})
    assert (
        planned(infra, capsys)
        == """\
s3://acme-state/a.tfstate   infra  a/   table acme-locks (eu-west-1)
s3://acme-state/b.tfstate   infra  b/   table acme-locks (eu-west-1)
  now   locked in the table only
  1  pin        open     tfrelock propose --phase pin
  2  dual-lock  unknown  nobody said whether the roles of infra may write the lock
                         → tfrelock iam check --self; or tfrelock edit --phase iam, then facts:
                           callers-may-lock
  3  retire     closed   after 2
                         nobody said how long both locks have been in use → facts: soaked
                         other repositories and people may use the table → facts: table-known

Merge order here: pin → dual-lock → retire.
  pin: infra
  dual-lock: infra
  retire: infra
facts: what a person states in the file given by --config; tfrelock explain callers-may-lock shows
  how
"""
    )


def test_a_reader_elsewhere_is_named_with_its_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(
        tmp_path,
        {"net/main.tf": backend(), "app/read.tf": reader(), "net/.git/HEAD": "", "app/.git/HEAD": ""},
    )
    config = tmp_path / "operator.yaml"
    config.write_text(facts("callers-may-lock", "soaked", "table-known"))
    said = planned(tmp_path, capsys, "--config", config)
    assert "callers-may-lock is stated by platform@acme.example: canary run 8841" in said
    assert [line for line in said.splitlines() if line[2:3].isdigit()] == [
        "  1  pin        done",
        "  2  readers    open     tfrelock propose --phase readers in app",
        "  3  dual-lock  open     tfrelock propose --phase dual-lock",
        "  4  retire     closed   after 2, 3",
    ]


def test_what_one_act_would_settle_is_said_with_a_few_of_its_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = {f"app/{name}.tf": reader(key="${var.key}").replace('"net"', f'"{name}"') for name in "abcde"}
    git = {"HEAD": "ref: refs/heads/main\n", "objects/none": "", "refs/none": ""}
    clones = {f"{name}/.git/{path}": text for name in ("net", "app") for path, text in git.items()}
    put(tmp_path, {"net/main.tf": backend(), **unknown, **clones})
    said = planned(tmp_path, capsys)
    assert said[said.index("  3  retire") :].startswith(
        """\
  3  retire     closed   after 2
                         app a.tf:1 names a table and may read this state
                         app b.tf:1 names a table and may read this state
                         app c.tf:1 names a table and may read this state
                         … and 2 more (--format json lists all)
                         → tfrelock propose --phase readers in app
                         nobody said how long both locks have been in use → facts: soaked
"""
    ), said
