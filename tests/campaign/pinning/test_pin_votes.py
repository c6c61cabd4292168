"""Raised pins are found anew before their text is given out; what is local keeps its root as it is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePosixPath

import pytest

from migrate.campaign.pinning.pin_votes import strayed
from migrate.campaign.pinning.raises import Raise, raises
from migrate.campaign.reading.inventory import Told, take
from migrate.estate import join
from migrate.files import Opened, Read
from migrate.model import RepoId
from tests.cli.desk import Capture, New
from tests.cli.estates import TABLE, run

NET = RepoId("git.acme.example/acme/net")
FILE = PurePosixPath("net/main.tf")
OLD = TABLE.replace(">= 1.11.0", ">= 1.5")
NEW = TABLE.replace(">= 1.11.0", ">= 1.11")
ODD = "found anew, its versions are not those that were wished for"
MORE = "the second parser sees more differ than versions"


class Nothing:
    """There are no other files."""

    def read(self, path: PurePosixPath, /) -> None:
        return None

    def names(self, directory: PurePosixPath, /) -> Iterable[str]:
        return ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (NEW, None),
        (NEW.replace(">= 1.11", ">= 1.12"), ODD),
        (OLD, ODD),
        (NEW.replace('"acme-state"', '"acme-other"'), MORE),
        (NEW.replace("bucket ", "bucket2"), MORE),
        (NEW + 'locals {\n  a = "1.11"\n}\n', MORE),
        (NEW.replace('    region         = "eu-west-1"\n', ""), MORE),
    ],
)
def test_what_a_new_text_must_say(text: str, why: str | None) -> None:
    inventory = take(NET, [Opened(), Read(FILE, OLD.encode())], Nothing(), Told())
    kept = [answer for answer in raises(join([inventory.survey])).values() if isinstance(answer, Raise)]
    assert strayed([inventory], {(NET, FILE): text}, kept) == ({(NET, FILE): why} if why else {})


def test_a_pin_that_git_ignores_keeps_its_root_as_it_is(new_repo: New, capsys: Capture) -> None:
    repo = new_repo("net", {"net/main.tf": OLD, "app/main.tf": OLD, ".gitignore": ".terraform-version\n"})
    (repo.path / "net/.terraform-version").write_text("1.5.7\n")
    ran = run(capsys, "edit", "--phase", "pin", "--format", "json", repo.path)
    assert [file["path"] for file in json.loads(ran.out)["files"]] == ["app/main.tf"]
    assert "net/.terraform-version:1: git ignores this file: it is local" in ran.err


@pytest.mark.parametrize("local", [".terraform-version", "net/main.tf"])
def test_roots_that_share_a_pin_stay_together_where_one_file_is_local(
    local: str, new_repo: New, capsys: Capture
) -> None:
    repo = new_repo("net", {"app/main.tf": OLD, ".gitignore": f"{local}\n"})
    for path, text in (("net/main.tf", OLD), (".terraform-version", "1.5.7\n")):
        (repo.path / path).parent.mkdir(exist_ok=True)
        (repo.path / path).write_text(text)
    ran = run(capsys, "edit", "--phase", "pin", repo.path)
    assert (ran.out, ran.code) == ("", 0)
    assert ran.err.count("git ignores this file") == 1


@pytest.mark.parametrize("lock", [OLD, OLD.replace('  required_version = ">= 1.5"\n', "")])
def test_what_a_generator_writes_is_left_to_it(lock: str, new_repo: New, capsys: Capture) -> None:
    """It would write the file anew, without the edit."""
    files = {"net/backend.tf": f"// GENERATED AUTOMATICALLY DO NOT EDIT\n{lock}"}
    ran = run(capsys, "edit", "--phase", "pin", new_repo("net", files).path)
    assert ran.out == ""
    assert "net/backend.tf:" in ran.err
    assert "generated: GENERATED AUTOMATICALLY DO NOT EDIT" in ran.err


def test_what_may_choose_on_either_side_is_raised_or_told(new_repo: New, capsys: Capture) -> None:
    versions = "variables:\n  TF_VERSION: ^1.9\nplan:\n  variables:\n    TF_VERSION: 1.x\n"
    repo = new_repo("net", {"net/main.tf": TABLE, ".gitlab-ci.yml": versions})
    ran = run(capsys, "edit", "--phase", "pin", "--write", repo.path)
    assert (repo.path / ".gitlab-ci.yml").read_text() == versions.replace("^1.9", "^1.11")
    assert ".gitlab-ci.yml:5: 1.x may choose a release on either side of 1.11.0\n" in ran.err
    assert "let it choose 1.11.4, or any from 1.11.0 on" in ran.err
