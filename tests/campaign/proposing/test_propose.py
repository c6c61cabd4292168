"""Proposals from a slice to the branch and the page, with real git and the local forge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

from migrate.campaign.offering.slices import Edit, Slice
from migrate.campaign.proposing.outcomes import Declined, Offered, Outcome, Withheld
from migrate.campaign.proposing.ports import Ports
from migrate.campaign.proposing.propose import Settings, propose
from migrate.errors import RelockError
from tests.campaign.places import (
    BACKEND,
    BOTH,
    FILES,
    NET,
    NEW,
    OLD,
    PREPARE,
    TABLE,
    VERSIONS,
    commit_text,
    local,
    slice_of,
)
from tests.repo import Repo, make

BRANCH = "tfrelock/default/prepare"


class Place:
    """One repository and the folder of its proposals."""

    def __init__(self, folder: Path, files: Mapping[str, bytes] = FILES) -> None:
        self.folder = folder
        self.repo = make(folder / "net", files)
        self.runs = 0

    def ports(self) -> Ports:
        self.runs += 1
        return local(self.repo.path, self.folder / "out", self.folder / f"scratch{self.runs}")

    def propose(self, slice_: Slice = PREPARE, *, write: bool = True) -> Outcome:
        return propose(slice_, self.ports(), Settings(), write=write)

    def act(self, slice_: Slice = PREPARE, *, write: bool = True) -> str:
        outcome = self.propose(slice_, write=write)
        assert isinstance(outcome, Offered)
        return outcome.act

    def branches(self) -> list[str]:
        return self.repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads").splitlines()

    def subjects(self, branch: str = BRANCH) -> list[str]:
        return self.repo.git("log", "--reverse", "--format=%s", f"main..{branch}").splitlines()

    def files(self) -> dict[str, bytes]:
        out = self.folder / "out"
        return {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}

    def untouched(self) -> tuple[str, str, str]:
        return (
            self.repo.git("status", "--porcelain"),
            self.repo.git("rev-parse", "HEAD"),
            (self.repo.path / ".git/HEAD").read_text(),
        )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_file_that_the_base_does_not_have_is_not_made(place: Place) -> None:
    elsewhere = Edit(PurePosixPath("app/backend.tf"), TABLE, BOTH)
    outcome = place.propose(slice_of("prepare", commit_text("dual-lock", elsewhere)))
    assert isinstance(outcome, Withheld)
    assert (outcome.why, place.branches()) == ("app/backend.tf is not what main holds", ["main"])


def test_a_path_with_a_line_end_is_one_file(tmp_path: Path) -> None:
    odd = PurePosixPath("two\nlines/backend.tf")
    place = Place(tmp_path, {**FILES, str(odd): TABLE})
    edits = [Edit(path, TABLE, BOTH) for path in (odd, BACKEND)]
    whole = slice_of("prepare", commit_text("dual-lock", *edits))
    assert [place.act(whole), place.act(whole)] == ["open", "none"]
    assert place.repo.git("show", f"{BRANCH}:{odd}").encode() + b"\n" == BOTH


def test_an_edit_that_is_not_wanted_any_more_goes_though_the_others_stand(place: Place) -> None:
    place.propose()
    left = slice_of("prepare", commit_text("dual-lock", Edit(BACKEND, TABLE, BOTH)))
    assert (place.act(left, write=False), place.act(left)) == ("update", "update")
    assert place.subjects() == ["Lock state in S3 as well as DynamoDB"]
    assert place.repo.git("diff", "--name-only", "main", BRANCH) == str(BACKEND)


def test_a_branch_with_one_commit_a_phase_and_nothing_else_moves(place: Place) -> None:
    (place.repo.path / "staged.txt").write_text("mine")
    place.repo.git("add", "staged.txt")
    before = place.untouched()
    outcome = place.propose()
    assert isinstance(outcome, Offered)
    assert (outcome.act, outcome.branch, outcome.title, outcome.files) == (
        "open",
        BRANCH,
        "Lock state in S3 as well as DynamoDB",
        2,
    )
    assert place.untouched() == before
    assert place.branches() == ["main", BRANCH]
    assert place.subjects() == ["Require Terraform 1.11 or newer", "Lock state in S3 as well as DynamoDB"]
    assert place.repo.git("show", f"{BRANCH}:{BACKEND}").encode() + b"\n" == BOTH
    assert place.repo.git("show", f"{BRANCH}:{VERSIONS}").encode() + b"\n" == NEW


def test_the_page_and_a_patch_that_git_am_takes(place: Place) -> None:
    place.propose()
    files = place.files()
    assert list(files) == [f"{NET}/prepare.md", f"{NET}/prepare.patch"]
    page = files[f"{NET}/prepare.md"].decode()
    assert page.startswith(
        f"# Lock state in S3 as well as DynamoDB\n\nBranch `{BRANCH}` into `main`.\n\n**What changes.**\n"
    )
    place.repo.git("am", "--quiet", str(place.folder / "out" / NET / "prepare.patch"))
    assert place.repo.git("rev-parse", "HEAD^{tree}") == place.repo.git("rev-parse", f"{BRANCH}^{{tree}}")


def test_without_write_nothing_is_written(place: Place) -> None:
    assert place.act(write=False) == "open"
    assert (place.branches(), place.files()) == (["main"], {})


def test_a_second_run_does_nothing(place: Place) -> None:
    place.propose()
    before = (place.repo.git("rev-parse", BRANCH), place.files())
    assert place.act(write=False) == "none"
    assert place.act() == "none"
    assert (place.repo.git("rev-parse", BRANCH), place.files()) == before


def test_new_edits_bring_the_branch_and_the_page_up_to_date(place: Place) -> None:
    place.propose(slice_of("prepare", PREPARE.commits[0]))
    assert place.act(write=False) == "update"
    assert place.act() == "update"
    assert place.subjects() == ["Require Terraform 1.11 or newer", "Lock state in S3 as well as DynamoDB"]
    assert b"use_lockfile" in place.files()[f"{NET}/prepare.patch"]


def test_a_base_that_moved_elsewhere_leaves_the_branch_alone(place: Place) -> None:
    place.propose()
    tip = place.repo.git("rev-parse", BRANCH)
    place.repo.commit({"README.md": "more\n"})
    assert place.act() == "none"
    assert place.repo.git("rev-parse", BRANCH) == tip


def test_a_base_that_moved_in_our_file_has_the_branch_made_anew(place: Place) -> None:
    place.propose()
    place.repo.commit({str(VERSIONS): b"# ours\n" + OLD})
    moved = slice_of(
        "prepare",
        commit_text("pin", Edit(VERSIONS, b"# ours\n" + OLD, b"# ours\n" + NEW)),
        PREPARE.commits[1],
    )
    assert place.act(moved) == "update"
    assert place.repo.git("merge-base", "main", BRANCH) == place.repo.git("rev-parse", "main")
    assert len(place.subjects()) == 2


def test_a_rebased_branch_is_still_ours(place: Place) -> None:
    place.propose()
    place.repo.commit({str(VERSIONS): b"# above\n" + OLD})
    place.repo.git("checkout", "--quiet", BRANCH)
    place.repo.git("rebase", "--quiet", "main")
    place.repo.git("checkout", "--quiet", "main")
    moved = slice_of(
        "prepare",
        commit_text("pin", Edit(VERSIONS, b"# above\n" + OLD, b"# above\n" + NEW)),
        PREPARE.commits[1],
    )
    tip = place.repo.git("rev-parse", BRANCH)
    place.propose(moved)
    assert place.repo.git("rev-parse", BRANCH) == tip


def amended(repo: Repo) -> None:
    repo.write({str(BACKEND): BOTH.replace(b"true", b"false")})
    repo.git("commit", "--quiet", "--all", "--amend", "--no-edit")


def added(repo: Repo) -> None:
    repo.commit({"net/more.tf": b"# theirs\n"}, "Fix the tests")


def copied(repo: Repo) -> None:
    """Their change under our trailer."""
    repo.write({str(BACKEND): BOTH + b"# theirs\n"})
    repo.git("commit", "--quiet", "--all", "--message", repo.git("log", "-1", "--format=%B"))


def merged_main(repo: Repo) -> None:
    repo.git("checkout", "--quiet", "main")
    repo.commit({"README.md": b"more\n"})
    repo.git("checkout", "--quiet", BRANCH)
    repo.git("merge", "--quiet", "--no-edit", "main")


def made_executable(repo: Repo) -> None:
    repo.git("update-index", "--chmod=+x", str(BACKEND))
    repo.git("commit", "--quiet", "--amend", "--no-edit")
    repo.git("checkout", "--quiet", "--", ".")


@pytest.mark.parametrize("theirs", [amended, added, copied, merged_main, made_executable])
def test_a_branch_with_a_commit_of_somebodys_is_left_alone(place: Place, theirs: object) -> None:
    place.propose()
    place.repo.git("checkout", "--quiet", BRANCH)
    assert callable(theirs)
    theirs(place.repo)
    place.repo.git("checkout", "--quiet", "main")
    before = (place.repo.git("rev-parse", BRANCH), place.files())
    outcome = place.propose(slice_of("prepare", PREPARE.commits[0]))
    assert isinstance(outcome, Withheld)
    assert "on it is not ours" in outcome.why
    assert (place.repo.git("rev-parse", BRANCH), place.files()) == before


def test_a_branch_of_that_name_that_was_never_ours(place: Place) -> None:
    place.repo.branch(BRANCH)
    place.repo.commit({"net/more.tf": b"# theirs\n"})
    place.repo.git("checkout", "--quiet", "main")
    assert isinstance(place.propose(), Withheld)


def test_a_branch_that_was_deleted_is_a_no(place: Place) -> None:
    place.propose()
    place.repo.git("branch", "--quiet", "-D", BRANCH)
    assert isinstance(place.propose(), Declined)
    assert place.branches() == ["main"]


def test_what_was_merged_is_offered_no_more_and_new_edits_are_offered_anew(place: Place) -> None:
    place.propose(slice_of("prepare", PREPARE.commits[0]))
    place.repo.git("merge", "--quiet", "--no-edit", BRANCH)
    assert place.act(slice_of("prepare", PREPARE.commits[1])) == "open"
    assert place.subjects() == ["Lock state in S3 as well as DynamoDB"]


def test_a_squashed_merge_is_one_too(place: Place) -> None:
    place.propose(slice_of("prepare", PREPARE.commits[0]))
    place.repo.commit({str(VERSIONS): NEW}, "Squashed")
    assert place.act(slice_of("prepare", PREPARE.commits[1])) == "open"
    assert place.subjects() == ["Lock state in S3 as well as DynamoDB"]


@pytest.mark.parametrize("stored", [TABLE + b"# more\n", b""])
def test_a_file_that_is_not_what_the_base_holds_is_not_offered(place: Place, stored: bytes) -> None:
    place.repo.commit({str(BACKEND): stored})
    outcome = place.propose()
    assert outcome == Withheld(
        NET,
        BRANCH,
        "net/backend.tf is not what main holds",
        "bring the checkout to main, run again",
    )
    assert place.branches() == ["main"]


def test_line_ends_are_those_that_git_keeps(place: Place) -> None:
    def crlf(edit: Edit) -> Edit:
        return Edit(edit.path, edit.before.replace(b"\n", b"\r\n"), edit.after.replace(b"\n", b"\r\n"))

    commits = (replace(commit, edits=tuple(map(crlf, commit.edits))) for commit in PREPARE.commits)
    place.propose(replace(PREPARE, commits=tuple(commits)))
    assert place.repo.git("show", f"{BRANCH}:{BACKEND}").encode() + b"\n" == BOTH


def test_a_checkout_on_our_branch_is_told(place: Place) -> None:
    place.propose(slice_of("prepare", PREPARE.commits[0]))
    ports = place.ports()
    place.repo.git("checkout", "--quiet", BRANCH)
    with pytest.raises(RelockError, match="is checked out"):
        propose(PREPARE, ports, Settings(), write=True)


def test_a_draft_says_so_on_its_page(place: Place) -> None:
    place.propose(replace(PREPARE, name="dual-lock", draft=True))
    page = place.files()[f"{NET}/dual-lock.md"].decode()
    assert "Branch `tfrelock/default/dual-lock` into `main`, a draft.\n" in page
