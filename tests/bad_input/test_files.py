"""Files that cannot be read, and files that are odd and can."""

from __future__ import annotations

import pytest

from tests import permissions
from tests.cli.desk import Capture, New
from tests.cli.estates import BOTH, TABLE, backend, run
from tests.repo import Repo

NO_HCL = (
    "this is no HCL: a quote, bracket or heredoc without its end, or two things on one line"
    " → run terraform fmt on the file: it names the mistake"
)
TWICE = "dynamodb_table stands twice in one block: Terraform rejects it → settle that first"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TABLE.replace('"acme-locks"', '"acme-locks'), f"main.tf:8: {NO_HCL}"),
        (TABLE[:-3], f"main.tf:1: {NO_HCL}"),
        (backend('dynamodb_table = "other"'), f"main.tf:4: {TWICE}"),
    ],
    ids=["a closing quote missing", "a brace missing", "an argument twice"],
)
def test_what_is_no_terraform_code_is_a_finding_and_is_not_edited(
    text: str, said: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": text})
    audit = run(capsys, "audit", repo.path)
    edit = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    place, why = said.partition(" → ")[0].split(": ", 1)
    assert (audit.code, f"  {place}  {why}\n" in audit.out) == (2, True), audit.out
    assert (edit.code, f"refused git.acme.example/acme/net {said}\n" in edit.err) == (5, True), edit.err
    assert (repo.path / "main.tf").read_text() == text


@pytest.mark.parametrize("command", [["plan"], ["propose"]])
def test_and_who_plans_or_proposes_is_told(command: list[str], new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE[:-3]})
    ran = run(capsys, *command, repo.path)
    code = 5 if command == ["propose"] else 0
    assert (ran.code, f"refused git.acme.example/acme/net main.tf:1: {NO_HCL}\n" in ran.err) == (code, True)


LATIN = "not UTF-8: byte 0xe9 in line 1 (Latin-1 or Windows-1252?): save it as UTF-8"
UTF_16 = "UTF-16 text, not UTF-8: save it as UTF-8"


def unreadable(repo: Repo, why: str, capsys: Capture) -> None:
    """The one file `odd.tf` is named with the reason by every command, and the rest is read."""
    said = f"git.acme.example/acme/net odd.tf: {why}\n"
    audit = run(capsys, "audit", repo.path)
    assert (audit.code, f"unreadable: {said}" in audit.out) == (5, True), audit.out
    assert "s3://acme-state/net.tfstate" in audit.out
    for command in (["plan"], ["edit", "--phase", "dual-lock", "--write"]):
        ran = run(capsys, *command, repo.path)
        assert (ran.code, f"unreadable {said}" in ran.err) == (5, True), ran.err
    assert (repo.path / "main.tf").read_text() == BOTH


@pytest.mark.parametrize(
    ("data", "why"), [(b"# \xe9\n" + TABLE.encode(), LATIN), (TABLE.encode("utf-16"), UTF_16)]
)
def test_a_file_that_is_not_utf_8_is_named(data: bytes, why: str, new_repo: New, capsys: Capture) -> None:
    unreadable(new_repo("net", {"main.tf": TABLE, "odd.tf": data}), why, capsys)


def test_a_file_that_may_not_be_read_is_named(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "odd.tf": TABLE})
    (repo.path / "odd.tf").chmod(0)
    with permissions.binding():
        unreadable(repo, "permission denied", capsys)


@pytest.mark.parametrize(
    ("shut", "mode", "said"),
    [
        (".", 0o000, ".: permission denied"),
        (".", 0o444, "main.tf: permission denied"),
        (".git", 0o000, ".git: no commit is checked out"),
    ],
)
def test_a_folder_that_may_not_be_looked_into_is_named(
    shut: str, mode: int, said: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    folder = repo.path / shut
    folder.chmod(mode)
    try:
        with permissions.binding():
            for command in ("audit", "plan"):
                ran = run(capsys, command, repo.path)
                assert ran.code == 5
                assert said in ran.out + ran.err
    finally:
        folder.chmod(0o755)


ONE_LINE = 'terraform {\n  backend "s3" { dynamodb_table = "acme-locks" }\n}\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TABLE.replace("\n", "\r\n"), BOTH.replace("\n", "\r\n")),
        ("\ufeff" + TABLE, "\ufeff" + BOTH),
        ("\ufeff" + TABLE.replace("\n", "\r\n"), "\ufeff" + BOTH.replace("\n", "\r\n")),
        (TABLE.removesuffix("\n"), BOTH.removesuffix("\n")),
        (TABLE.replace("\n    ", "\n\t\t"), BOTH.replace("\n    ", "\n\t\t")),
        (ONE_LINE, ONE_LINE.replace("{ ", "{\n    ").replace(" }", "\n    use_lockfile   = true\n  }")),
    ],
    ids=["CRLF", "BOM", "both of them", "no final newline", "tabs", "a one-line block"],
)
def test_odd_but_valid_files_keep_their_bytes(
    before: str, after: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": before.encode()})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (ran.code, ran.err.splitlines()[-1]) == (0, "wrote 1 file in git.acme.example/acme/net")
    assert (repo.path / "main.tf").read_bytes().decode() == after
