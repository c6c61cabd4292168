"""Files that are not in what is looked at: what they would say is not known, and opens no gate."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.desk import SOAKED, Capture, New
from tests.cli.estates import BOTH, TABLE, Ran, run


def retire(capsys: Capture, where: Path, config: Path, *flags: str) -> Ran:
    config.write_text(SOAKED)
    return run(capsys, "edit", "--phase", "retire", "--config", config, *flags, where)


def test_what_a_sparse_checkout_leaves_out_holds_retire_back(
    new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"a/main.tf": BOTH, "b/main.tf": TABLE, "c/notes.txt": "nothing"})
    repo.git("sparse-checkout", "set", "--no-cone", "a/*")
    ran = retire(capsys, repo.path, tmp_path / "operator.yaml")
    assert (ran.code, ran.out) == (6, "")
    why = "a file that a sparse checkout leaves out: what it does is not known"
    assert f"left out git.acme.example/acme/net b/main.tf: {why}\n" in ran.err
    assert (
        f"b/main.tf:1 may write this state, and was not read: {why} → git sparse-checkout disable" in ran.err
    )
    assert "notes.txt" not in ran.err
    assert retire(capsys, repo.path, tmp_path / "operator.yaml", "--exclude", "b/main.tf").code == 0
    repo.git("sparse-checkout", "disable")
    assert retire(capsys, repo.path, tmp_path / "operator.yaml").code == 4


@pytest.mark.parametrize(
    ("name", "target", "code"),
    [
        ("b/backend.tf", "../../shared.tf", 6),
        ("b/backend.tf", "nothing.tf", 6),
        ("b/terragrunt.hcl", "/shared/terragrunt.hcl", 6),
        ("b/.#main.tf", "ada@acme.example.4711", 0),
        ("b/notes.txt", "/shared/notes.txt", 0),
        ("b/backend.tf", "../a/main.tf", 0),
        ("b/backend.tf", "keep.txt", 6),
        ("b/variables.tf", "empty.txt", 0),
        ("b/backend.tf.json", "../a/main.tf", 6),
        ("b/.terraform-version", "keep.txt", 0),
    ],
)
def test_a_link_whose_text_is_not_read_as_what_it_is_may_be_a_backend(
    name: str, target: str, code: int, new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo(
        "net", {"a/main.tf": BOTH, "b/keep.txt": TABLE.replace("net.tf", "keep.tf"), "b/empty.txt": ""}
    )
    (repo.path / name).symlink_to(target)
    ran = retire(capsys, repo.path, tmp_path / "operator.yaml")
    assert (ran.code, f"{name}:1 may write this state, and was not read" in ran.err) == (code, code == 6)


def test_what_a_partial_clone_lacks_holds_retire_back(new_repo: New, capsys: Capture, tmp_path: Path) -> None:
    repo = new_repo("net", {"a/main.tf": BOTH, "b/main.tf": TABLE})
    repo.git("config", "uploadpack.allowFilter", "true")
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", "--filter=blob:none", f"file://{repo.path}", str(bare))
    repo.git("--git-dir", str(bare), "cat-file", "-p", "HEAD:a/main.tf")
    ran = retire(capsys, bare, tmp_path / "operator.yaml")
    assert (ran.code, ran.out) == (6, "")
    why = "a file that is not in this clone: what it holds is not known → git fetch --refetch"
    assert f"b/main.tf:1 may write this state, and was not read: {why}" in ran.err


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("b/main.tf", b"\0GITCRYPT\0\x9f\x02\x11", 6),
        ("b/terragrunt.hcl", b"\0GITCRYPT\0\x9f\x02\x11", 6),
        ("b/main.tf", POINTER, 6),
        ("b/main.tf", b"# GITCRYPT, " + POINTER, 0),
        ("b/picture.png", POINTER, 0),
        ("b/.terraform.lock.hcl", POINTER, 0),
    ],
)
def test_what_a_filter_of_git_keeps_from_us_holds_retire_back(
    name: str, data: bytes, code: int, new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"a/main.tf": BOTH, name: data, ".gitattributes": "b/* filter=kept\n"})
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    why = "a file that git-crypt or Git LFS keeps: what it holds is not known → git-crypt unlock"
    told = f"{name}:1 may write this state, and was not read: {why}"
    for path in (repo.path, tmp_path / "bare.git"):
        ran = retire(capsys, path, tmp_path / "operator.yaml")
        assert (ran.code, told in ran.err) == (code, code == 6)


GO = 'c := map[string]any{"bucket": "acme-state", "key": "net.tfstate", "dynamodb_table": "acme-locks"}\n'


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("test/net_test.go", GO, 6),
        ("test/net_test.go", GO.replace("}", ', "use_lockfile": true}'), 0),
        ("test/net_test.go", GO.replace("net.tfstate", "test.tfstate"), 0),
        ("play.yml", "- bucket: acme-state\n  key: net.tfstate\n  dynamodb_table: acme-locks\n", 6),
        ("README.md", "bucket acme-state, key net.tfstate, dynamodb_table acme-locks\n", 0),
        ("gen.py", f'B = """{TABLE}"""\n', 6),
    ],
)
def test_what_names_a_table_beside_a_state_holds_it_back_though_the_table_is_known(
    name: str, text: str, code: int, new_repo: New, capsys: Capture, tmp_path: Path
) -> None:
    repo = new_repo("net", {"a/main.tf": BOTH, name: text})
    ran = retire(capsys, repo.path, tmp_path / "operator.yaml")
    said = "may write this state, and names a table beside acme-state and net.tfstate"
    assert (ran.code, said in ran.err) == (code, code == 6)
    assert retire(capsys, repo.path, tmp_path / "operator.yaml", "--exclude", name).code == 0


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("backend_config:\n  live: [ci.tfbackend]\n", ""),
        ("backend_config:\n  lvie: [ci.tfbackend]\n", "2: backend_config names lvie"),
        ("backend_config:\n  live: [ci.tfbackend]\n  gone: []\n", "3: backend_config names gone"),
        ("backend_config:\n  modules: [a, b]\n", "2: backend_config names modules"),
        ("backend_config:\n  l*: [ci.tfbackend]\n", ""),
        ("backend_config:\n  live/*: [ci.tfbackend]\n", "2: backend_config names live/*"),
    ],
)
def test_a_root_that_the_configuration_names_and_is_none_is_told(
    says: str, told: str, new_repo: New, capsys: Capture
) -> None:
    block = 'terraform {\n  required_version = ">= 1.11.0"\n  backend "s3" {}\n}\n'
    partial = 'bucket = "acme-state"\nkey = "net"\nuse_lockfile = true\nencrypt = true\n'
    files = {"live/main.tf": block, "ci.tfbackend": partial, "modules/x.tf": "", ".tfrelock.yaml": says}
    repo = new_repo("net", files)
    line, _, why = told.partition(": ")
    said = f".tfrelock.yaml:{line}  {why}, where no S3 backend is configured"
    audit, plan = run(capsys, "audit", repo.path), run(capsys, "plan", repo.path)
    assert (audit.code, said in audit.out) == ((2, True) if told else (0, False)), audit.out
    said = said.replace("  ", ": ")
    assert (f"{said} → name the directory of a root, or take the entry out\n" in plan.err) is bool(told)


def test_a_change_that_takes_a_root_away_needs_no_word_of_it(new_repo: New, capsys: Capture) -> None:
    says = "backend_config:\n  live: []\n"
    repo = new_repo("net", {"live/main.tf": TABLE, ".tfrelock.yaml": says})
    repo.branch("change")
    repo.git("rm", "-q", "live/main.tf", ".tfrelock.yaml")
    repo.commit({})
    ran = run(capsys, "audit", "--base", "main", repo.path)
    assert (ran.code, "misnamed" in ran.out, "backend_config" in ran.out) == (0, False, False), ran.out
