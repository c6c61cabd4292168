"""`tfrelock edit`: files in; diff, words and exit code out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import BOTH, LOCKFILE, POLICY, TABLE, UNLOCKED, Files, backend, reader, run
from tests.repo import Repo

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]


def changed(diff: str) -> list[str]:
    """The lines that a diff adds and drops."""
    return [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]


@pytest.mark.parametrize(
    ("phase", "before", "lines"),
    [
        ("dual-lock", TABLE, ["+    use_lockfile   = true"]),
        ("dual-lock", BOTH, []),
        ("dual-lock", LOCKFILE, []),
        ("dual-lock", UNLOCKED, []),
        (
            "dual-lock",
            backend("use_lockfile   = false"),
            ["-    use_lockfile   = false", "+    use_lockfile   = true"],
        ),
        ("pin", TABLE, []),
        (
            "pin",
            TABLE.replace(">= 1.11.0", ">= 1.5"),
            ['-  required_version = ">= 1.5"', '+  required_version = ">= 1.11"'],
        ),
        (
            "pin",
            TABLE.replace('  required_version = ">= 1.11.0"\n\n', ""),
            ['+  required_version = ">= 1.11.0"', "+"],
        ),
        (
            "readers",
            reader(),
            ['-    dynamodb_table = "acme-locks"', *['-    bucket         = "acme-state"'] * 0],
        ),
    ],
)
def test_the_lines_that_change(
    phase: str, before: str, lines: list[str], new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": before})
    ran = run(capsys, "edit", "--phase", phase, repo.path)
    found = [line for line in changed(ran.out) if "bucket" not in line and "key " not in line]
    assert (found, ran.code) == (lines, 0)


def test_nothing_is_written_without_write(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    run(capsys, "edit", "--phase", "dual-lock", repo.path)
    assert (repo.path / "main.tf").read_text() == TABLE


def test_write_changes_the_tree_and_a_second_run_nothing(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    first = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (repo.path / "main.tf").read_text() == BOTH
    second = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (first.code, second.code, second.out) == (0, 0, "")
    assert "nothing to change for dual-lock" in second.err


def test_reverse_restores_every_byte(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    repo = new_repo("net", {"main.tf": TABLE.replace("\n", "\r\n")})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", "--format", "json", repo.path)
    patch = tmp_path / "reverse.patch"
    patch.write_bytes("".join(file["reverse"] for file in json.loads(ran.out)["files"]).encode())
    repo.git("apply", str(patch))
    assert (repo.path / "main.tf").read_bytes() == TABLE.replace("\n", "\r\n").encode()


def test_of_several_repositories_each_is_named_even_if_one_alone_changes(
    new_repo: New, capsys: Capture
) -> None:
    net, app = new_repo("net", {"main.tf": TABLE}), new_repo("app", {"main.tf": LOCKFILE})
    both = run(capsys, "edit", "--phase", "dual-lock", net.path, app.path)
    assert both.out.startswith("# git.acme.example/acme/net\ndiff --git a/main.tf b/main.tf\n")
    assert run(capsys, "edit", "--phase", "dual-lock", net.path).out.startswith("diff --git")


def test_what_only_leaves_out_is_not_refused_either(new_repo: New, capsys: Capture) -> None:
    held = TABLE.replace(">= 1.11.0", "~> 1.5.0")
    repo = new_repo("net", {"net/main.tf": TABLE, "old/main.tf": held.replace("net.tfstate", "old")})
    assert run(capsys, "edit", "--phase", "pin", "--write", "--only", "net", repo.path).code == 0
    assert run(capsys, "edit", "--phase", "pin", "--write", repo.path).code == 5


def test_check_says_by_its_code_that_something_is_to_do(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    assert run(capsys, "edit", "--phase", "dual-lock", "--check", repo.path).code == 2
    run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert run(capsys, "edit", "--phase", "dual-lock", "--check", repo.path).code == 0


@pytest.mark.parametrize(
    ("number", "name"), [("1", "dual-lock"), ("2", "iam"), ("3", "pin"), ("4", "retire")]
)
def test_a_number_is_taken_and_answered_with_the_name(
    number: str, name: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": BOTH})
    assert f"phase {number} is {name}" in run(capsys, "edit", "--phase", number, repo.path).err


def test_an_unknown_phase_is_wrong_use(capsys: Capture) -> None:
    ran = run(capsys, "edit", "--phase", "5", ".")
    assert (ran.code, "'5' is no phase" in ran.err) == (64, True)


def test_include_unlocked_adds_the_lockfile_where_no_client_uses_a_table(
    new_repo: New, capsys: Capture
) -> None:
    alone = new_repo("net", {"main.tf": UNLOCKED})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--include-unlocked", alone.path)
    assert changed(ran.out) == ["+    use_lockfile = true"]
    beside = new_repo("app", {"main.tf": TABLE})
    both = run(capsys, "edit", "--phase", "dual-lock", "--include-unlocked", alone.path, beside.path)
    assert "a/main.tf" in both.out
    assert changed(both.out) == ["+    use_lockfile   = true"]
    assert "main.tf:4: it takes no lock, and another client of this state names a table" in both.err


def test_include_unlocked_leaves_alone_what_a_reader_checks_in_a_table(
    new_repo: New, capsys: Capture
) -> None:
    repos = [new_repo("net", {"main.tf": UNLOCKED}), new_repo("app", {"remote.tf": reader()})]
    ran = run(capsys, "edit", "--phase", "dual-lock", "--include-unlocked", *(repo.path for repo in repos))
    assert ran.out == ""
    assert "main.tf:4: it takes no lock, and another client of this state names a table" in ran.err


def test_include_unlocked_leaves_alone_what_may_lock_with_a_table_elsewhere(
    new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": UNLOCKED.replace('"acme-state"', "var.bucket")})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--include-unlocked", repo.path)
    assert ran.out == ""
    assert "main.tf:4: it takes no lock, and which state it writes is not known" in ran.err
    other = new_repo("app", {"main.tf": TABLE.replace('"acme-state"', "var.bucket")})
    alone = new_repo("dns", {"main.tf": UNLOCKED})
    ran = run(
        capsys, "edit", "--phase", "dual-lock", "--include-unlocked", "--only", "*dns", alone.path, other.path
    )
    assert ran.out == ""
    assert "main.tf:4: it takes no lock, and another client of this state names a table, or may" in ran.err
    all_ = ("edit", "--phase", "dual-lock", "--include-unlocked", "--write", alone.path, other.path)
    run(capsys, *all_)  # the other gets both locks in the same edit
    assert "use_lockfile" in (alone.path / "main.tf").read_text()
    assert run(capsys, *all_).out == ""


def test_what_git_ignores_is_read_and_never_edited(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": BOTH, ".gitignore": "override.tf\n"})
    repo.write({"override.tf": TABLE})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (repo.path / "override.tf").read_text() == TABLE
    assert (ran.out, ran.code) == ("", 5)
    assert "override.tf:4: git ignores this file: it is local" in ran.err


def test_a_removed_argument_holds_the_floor_back_until_it_is_moved(new_repo: New, capsys: Capture) -> None:
    text = backend('role_arn       = "arn:aws:iam::111122223333:role/state"').replace(">= 1.11.0", ">= 1.5")
    repo = new_repo("net", {"main.tf": text})
    ran = run(capsys, "edit", "--phase", "pin", "--write", repo.path)
    assert (ran.out, ran.code) == ("", 5)
    assert "role_arn: removed in Terraform 1.10" in ran.err
    assert "tfrelock edit --phase assume-role first" in ran.err
    assert run(capsys, "edit", "--phase", "assume-role", "--write", repo.path).code == 0
    assert (
        '    assume_role = {\n      role_arn = "arn:aws:iam::111122223333:role/state"\n    }\n'
        in (repo.path / "main.tf").read_text()
    )
    assert run(capsys, "edit", "--phase", "assume-role", repo.path).out == ""
    assert '+  required_version = ">= 1.11"' in run(capsys, "edit", "--phase", "pin", repo.path).out


@pytest.mark.parametrize(
    ("constraint", "newest"),
    [("~> 1.5.0", "1.5.7"), ("= 1.5.7", "1.5.7"), ("< 1.10", "1.9.8"), ("1.5.7", "1.5.7")],
)
def test_a_constraint_that_excludes_the_floor_is_refused_with_the_newest_it_admits(
    constraint: str, newest: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"main.tf": TABLE.replace(">= 1.11.0", constraint)})
    ran = run(capsys, "edit", "--phase", "pin", repo.path)
    assert ran.out == ""
    assert f"the newest it admits is {newest}" in ran.err


@pytest.mark.parametrize(
    ("floor", "code", "said"),
    [("1.9.8", 1, "does not know the lockfile"), ("x", 1, "is no release"), ("1.12.0", 0, "")],
)
def test_floor(floor: str, code: int, said: str, new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE})
    ran = run(capsys, "edit", "--phase", "pin", "--floor", floor, repo.path)
    assert (ran.code, said in ran.err) == (code, True)
    assert ('+  required_version = ">= 1.12.0"' in ran.out) is (code == 0)


def test_a_comment_above_a_dropped_line_stays_and_is_said(new_repo: New, capsys: Capture) -> None:
    text = reader().replace("    dynamodb_table", "    # one for all\n    dynamodb_table")
    ran = run(capsys, "edit", "--phase", "readers", new_repo("net", {"main.tf": text}).path)
    assert "+    # one for all" not in ran.out
    assert ": the comment above the dropped line stays" in ran.err


def test_the_least_grant_in_a_policy_file(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "iam/role.json": POLICY})
    ran = run(capsys, "edit", "--phase", "iam", "--write", repo.path)
    assert ran.code == 0
    added = json.loads((repo.path / "iam/role.json").read_text())["Statement"][1]
    assert added == {
        "Sid": "TerraformStateLockFile",
        "Effect": "Allow",
        "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
        "Resource": "arn:aws:s3:::acme-state/net.tfstate.tflock",
    }
    assert run(capsys, "edit", "--phase", "iam", repo.path).out == ""


def test_a_policy_of_another_state_is_left_alone(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"main.tf": TABLE, "role.json": POLICY.replace("net.tfstate", "app.tfstate")})
    assert run(capsys, "edit", "--phase", "iam", repo.path).out == ""


DOCUMENT = """\
data "aws_iam_policy_document" "ci" {
  statement {
    actions   = ["s3:GetObject", "s3:PutObject"]
    resources = ["${var.bucket_arn}/*"]
  }

  statement {
    actions   = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:DeleteItem"]
    resources = ["arn:aws:dynamodb:*:*:table/acme-locks"]
  }
}
"""


def test_a_policy_that_locks_in_a_table_tells_of_its_states_and_what_was_assumed_is_said(
    new_repo: New, capsys: Capture
) -> None:
    ran = run(capsys, "edit", "--phase", "iam", new_repo("iam", {"ci.tf": DOCUMENT}).path)
    assert [line for line in changed(ran.out) if ".tflock" in line] == [
        '+    resources = ["${var.bucket_arn}/*.tflock"]'
    ]
    assert "ci.tf:1: ${var.bucket_arn} is taken to mean the state" in ran.err


def test_a_flag_of_a_makefile_is_edited_in_its_place(new_repo: New, capsys: Capture) -> None:
    flags = "init:\n\tterraform init -backend-config=dynamodb_table=acme-locks -input=false\n"
    repo = new_repo("net", {"Makefile": flags})
    ran = run(capsys, "edit", "--phase", "dual-lock", "--format", "json", "--write", repo.path)
    (file,) = json.loads(ran.out)["files"]
    assert (file["proof"], file["proof_missing"]) == (
        None,
        "neither HCL nor JSON: spans and tokens were counted",
    )
    assert (repo.path / "Makefile").read_text() == flags.replace("init -b", "init -reconfigure -b").replace(
        "acme-locks", "acme-locks -backend-config=use_lockfile=true"
    )
    assert run(capsys, "edit", "--phase", "dual-lock", repo.path).out == ""


def test_a_program_is_refused_with_what_to_write_in_it(new_repo: New, capsys: Capture) -> None:
    stack = 'new S3Backend(this, { bucket: "acme", key: "a", dynamodbTable: "acme-locks" });\n'
    repo = new_repo("net", {"main.ts": stack})
    ran = run(capsys, "edit", "--phase", "dual-lock", repo.path)
    assert 'in the stack: addOverride("terraform.backend.s3.use_lockfile", true);' in ran.err


SCRIPT = """\
cat > net.tfbackend <<EOF
dynamodb_table = "$T"
%sEOF
"""


@pytest.mark.parametrize(
    ("phase", "lock", "told"),
    [
        ("dual-lock", "", "write `use_lockfile   = true` on the line below"),
        ("dual-lock", "use_lockfile   = true\n", None),
        ("retire", "use_lockfile   = true\n", "a script writes a backend here → delete it"),
    ],
)
def test_what_a_script_writes_is_told_until_somebody_changed_it(
    phase: str, lock: str, told: str | None, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"init.sh": SCRIPT % lock})
    force = ["--force", "all are dual"] if phase == "retire" else []
    ran = run(capsys, "edit", "--phase", phase, *force, repo.path)
    assert (told in ran.err) if told else ("refused" not in ran.err)


def test_arguments_of_init_in_a_workflow_of_atlantis(new_repo: New, capsys: Capture) -> None:
    """Two plugs see the command: whichever tells of it, the block is the one that it completes."""
    steps = "workflows:\n  net:\n    plan:\n      steps:\n        - init:\n            extra_args: [%s]\n"
    table, lock = '"-backend-config=dynamodb_table=acme-locks"', '"-backend-config=use_lockfile=true"'
    repo = new_repo("net", {"net/main.tf": UNLOCKED, "atlantis.yaml": steps % table})
    run(capsys, "edit", "--phase", "dual-lock", "--write", repo.path)
    assert (repo.path / "atlantis.yaml").read_text() == steps % f"{table}, {lock}"
