"""Patches, given to git itself."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from migrate.patch import diff
from tests.repo import ODD


def test_a_patch() -> None:
    old = 'bucket = "acme-state"\ndynamodb_table = "acme-locks"\n'
    new = 'bucket = "acme-state"\ndynamodb_table = "acme-locks"\nuse_lockfile = true'
    assert diff(old, new, "net/backend.tf") == (
        "diff --git a/net/backend.tf b/net/backend.tf\n"
        "--- a/net/backend.tf\n"
        "+++ b/net/backend.tf\n"
        "@@ -1,2 +1,3 @@\n"
        ' bucket = "acme-state"\n'
        ' dynamodb_table = "acme-locks"\n'
        "+use_lockfile = true\n"
        "\\ No newline at end of file\n"
    )


def test_no_patch_without_a_difference() -> None:
    assert diff("a\n", "a\n", "a.tf") == ""


def apply(folder: Path, patch: str, *options: str) -> None:
    subprocess.run(
        ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "--unidiff-zero", *options],
        cwd=folder,
        input=patch.encode(),
        check=True,
    )


def check(folder: Path, path: str, old: str, new: str) -> None:
    """Git makes `new` of `old` by the patch, and `old` of `new` in either way."""
    file = folder / path
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(old.encode())
    apply(folder, diff(old, new, path))
    assert file.read_bytes().decode() == new
    apply(folder, diff(old, new, path), "-R")
    assert file.read_bytes().decode() == old
    file.write_bytes(new.encode())
    apply(folder, diff(new, old, path))
    assert file.read_bytes().decode() == old


@pytest.mark.parametrize(
    "path", ["my net/a b.tf", 'quo"ted\\.tf', "tab\there.tf", "umlaut-ä/ü.tf", "line\nend.tf", f"{ODD}.tf"]
)
def test_git_finds_the_file(tmp_path: Path, path: str) -> None:
    check(tmp_path, path, "a\n", "b\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\n", "a\nb\n"),
        ("a", "a\nb"),
        ("a\n", "a"),
        ("a\r\nb\nc", "a\r\nb\r\nc\n"),
        ("\ufeffa\fb\v\u2028c\n", "\ufeffa\fb\v\u2028d\n"),
        ("a\n", ""),
        ("", "a"),
    ],
)
def test_git_keeps_every_byte(tmp_path: Path, old: str, new: str) -> None:
    check(tmp_path, "backend.tf", old, new)


def test_what_repeats_is_no_noise() -> None:
    old = "".join(f'block "{n}" {{\n  a = 1\n}}\n' for n in range(200))
    new = old.replace('"90" {\n', '"90" {\n  b = 2\n').replace('"150" {\n  a = 1\n', '"150" {\n')
    changed = [line for line in diff(old, new, "a.tf").splitlines()[3:] if line[0] in "+-"]
    assert changed == ["+  b = 2", "-  a = 1"]


LINES = st.lists(st.sampled_from(["a", "b", "", "\f", " x", "-- a", "++ b", "é"])).map("\n".join)
TEXTS = st.tuples(LINES, st.sampled_from(["", "\n", "\r\n"])).map("".join)


@settings(max_examples=30)
@given(TEXTS, TEXTS)
def test_any_two_texts(tmp_path_factory: pytest.TempPathFactory, old: str, new: str) -> None:
    assume(old != new)
    check(tmp_path_factory.mktemp("patch"), "a.tf", old, new)
