"""`tfrelock propose`: files in; branches, pages, words and exit code out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.desk import MAY_LOCK, OLD, OLD_APP, SOAKED, Desk, New
from tests.cli.estates import BOTH, LOCKFILE, POLICY, TABLE, backend, reader
from tests.repo import ODD, Repo


def subjects(repo: Repo, branch: str) -> list[str]:
    return repo.git("log", "--reverse", "--format=%s", f"main..tfrelock/default/{branch}").splitlines()


def test_prepare_in_one_proposal(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": OLD, "app/main.tf": reader()})
    ran = desk.made(repo, config=MAY_LOCK)
    assert subjects(repo, "prepare") == [
        "Require Terraform 1.11 or newer",
        "Read other states without the lock table",
        "Lock state in S3 as well as DynamoDB",
    ]
    assert repo.git("show", "tfrelock/default/prepare:net/main.tf") + "\n" == BOTH.replace(
        ">= 1.11.0", ">= 1.11"
    )
    assert desk.pages() == ["git.acme.example/acme/net/prepare.md"]
    assert ran.out == (
        "git.acme.example/acme/net tfrelock/default/prepare opened: "
        f"Lock state in S3 as well as DynamoDB (2 files) {desk.out}/git.acme.example/acme/net/prepare.md\n"
    )
    assert repo.git("status", "--porcelain") == ""


def test_a_second_run_says_that_it_stands(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    desk.made(repo, config=MAY_LOCK)
    ran = desk.made(repo, config=MAY_LOCK)
    assert " stands: Lock state in S3 as well as DynamoDB (1 file) " in ran.out
    assert ran.code == 0


@pytest.mark.parametrize("left", [b"", b"From " + b"0" * 40 + b" Mon Sep 17 00:00:00 2001\n", None])
def test_a_patch_that_is_not_the_branchs_is_made_anew(left: bytes | None, desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    desk.made(repo, config=MAY_LOCK)
    patch = desk.out / "git.acme.example/acme/net/prepare.patch"
    whole = patch.read_bytes()
    patch.unlink() if left is None else patch.write_bytes(left)
    desk.made(repo, config=MAY_LOCK)
    assert patch.read_bytes() == whole
    assert repo.git("rev-parse", "tfrelock/default/prepare").encode() in whole


def test_without_yes_nothing_is_made(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    ran = desk.propose(repo.path, config=MAY_LOCK)
    assert "would open: Lock state in S3 as well as DynamoDB (1 file)\n" in ran.out
    assert (ran.code, repo.git("branch", "--format=%(refname:short)")) == (0, "main")


def test_what_is_left_to_people_stands_in_the_body(desk: Desk, new_repo: New) -> None:
    script = 'cat > b.tf <<EOF\n    dynamodb_table = "$T"\nEOF\n'
    program = "LOCKS = {'dynamodb_table': name}\n"
    repo = new_repo("net", {"net/main.tf": OLD, "make.sh": script, "app/locks.py": program})
    ran = desk.made(repo, config=MAY_LOCK)
    assert ran.code == 5
    assert (
        "**By hand**, in the same step: 2 places that nothing here changes.\n"
        "- `make.sh:2`: a script writes a backend here; write \\`use\\_lockfile = true\\` on the line below\n"
        "- `app/locks.py:1`: a program builds this: it is reported, never edited; look at what"
    ) in desk.page("net/prepare.md")


@pytest.mark.parametrize(
    ("flags", "branches"),
    [
        (["--dry-run"], "main"),
        (["--yes", "--dry-run"], "main"),
        (["--dry-run", "--yes"], "main\ntfrelock/default/prepare"),
    ],
)
def test_of_yes_and_dry_run_the_last_one_holds(
    flags: list[str], branches: str, desk: Desk, new_repo: New
) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    desk.propose("--out", desk.out, *flags, repo.path, config=MAY_LOCK)
    assert repo.git("branch", "--format=%(refname:short)") == branches


def test_a_role_moves_in_a_commit_before_the_floor(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": backend('role_arn = "r"').replace(">= 1.11.0", ">= 1.5")})
    desk.made(repo)
    assert subjects(repo, "prepare") == [
        "Name the backend's role as Terraform 1.10 wants it",
        "Require Terraform 1.11 or newer",
    ]
    assert "`assume_role = { … }`" in desk.page("net/prepare.md")


def test_an_unknown_dual_lock_is_a_draft_of_its_own(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    desk.made(repo)
    assert subjects(repo, "prepare") == ["Require Terraform 1.11 or newer"]
    assert subjects(repo, "dual-lock") == ["Lock state in S3 as well as DynamoDB"]
    page = desk.page("net/dual-lock.md")
    assert "into `main`, a draft.\n\n**Do not merge yet.** Still to be settled:\n- nobody said" in page


@pytest.mark.parametrize(
    ("phases", "branches"),
    [
        (["pin"], ["prepare"]),
        (["dual-lock"], []),
        (["pin", "dual-lock"], ["dual-lock", "prepare"]),
        (["pin", "--split"], ["pin"]),
        (["readers"], []),
        (["retire"], []),
    ],
)
def test_phases_narrow(desk: Desk, new_repo: New, phases: list[str], branches: list[str]) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    desk.made(
        repo, *(part for phase in phases for part in (["--phase", phase] if phase[0] != "-" else [phase]))
    )
    listed = repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads/tfrelock").splitlines()
    assert listed == [f"tfrelock/default/{branch}" for branch in branches]


def test_split_makes_one_proposal_a_phase(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": TABLE, "old/main.tf": OLD_APP, "app/main.tf": reader()})
    desk.made(repo, "--split", config=MAY_LOCK)
    assert desk.pages() == [
        f"git.acme.example/acme/net/{name}.md" for name in ("dual-lock", "pin", "readers")
    ]
    assert "old/main.tf" not in desk.page("net/dual-lock.md"), "its floor is not merged yet"


def test_a_flood_of_branches_that_look_like_ours_is_said_and_not_asked_of(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    tip = repo.git("rev-parse", "HEAD")
    lines = (f"create refs/heads/tfrelock/default/pin-{number} {tip}\n" for number in range(101))
    repo.git("update-ref", "--stdin", stdin="".join(lines).encode())
    ran = desk.made(repo, config=MAY_LOCK)
    said = (
        "not made: 101 branches there begin with tfrelock/default/ → delete those that no proposal is made of"
    )
    assert (ran.code, said in ran.out, desk.pages()) == (5, True, []), ran


def test_grants_are_a_proposal_of_their_own(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": TABLE, "iam/policy.json": POLICY})
    desk.made(repo, config=MAY_LOCK)
    assert desk.pages() == [f"git.acme.example/acme/net/{name}.md" for name in ("iam", "prepare")]
    assert subjects(repo, "iam") == ["Let Terraform's roles write the S3 lock"]
    assert "arn:aws:s3:::acme-state/net.tfstate.tflock" in repo.git(
        "show", "tfrelock/default/iam:iam/policy.json"
    )


def test_finish(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    ran = desk.made(repo, config=SOAKED)
    assert subjects(repo, "finish") == ["Stop locking state in DynamoDB"]
    assert repo.git("show", "tfrelock/default/finish:net/main.tf") + "\n" == LOCKFILE.replace("   =", " =")
    page = desk.page("net/finish.md")
    assert '--table-name acme-locks --key \'{"LockID": {"S": "acme-state/net.tfstate-md5"}}\'' in page
    assert "--region eu-west-1" in page
    assert ran.code == 0


def test_a_closed_retire_is_not_offered(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH, "app/main.tf": reader()})
    ran = desk.made(repo, "--phase", "retire", config=SOAKED)
    assert (desk.pages(), ran.code, ran.out) == ([], 4, "")
    assert "gate readers-safe closed" in ran.err


def test_force_offers_retire_and_says_why(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    ran = desk.made(repo, "--phase", "retire", "--force", "the table is empty")
    assert ran.code == 0
    assert "**Offered although not every gate is open**, because: the table is empty" in desk.page(
        "net/finish.md"
    )


def test_force_never_passes_a_writer_of_the_table(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH, "old/main.tf": TABLE})
    ran = desk.made(repo, "--phase", "retire", "--force", "no")
    assert (desk.pages(), ran.code) == ([], 4)
    assert desk.made(repo, "--force", "no").code == 64


def test_examples_are_offered_only_by_name(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"examples/a/main.tf": OLD})
    assert desk.made(repo, config=MAY_LOCK).err.endswith("nothing to offer\n")
    desk.made(repo, "--only", "examples/*", config=MAY_LOCK)
    assert len(subjects(repo, "prepare")) == 2


def test_many_files_are_parted_by_folder(desk: Desk, new_repo: New) -> None:
    files = {f"{top}/{n}/main.tf": backend(key=f"{top}{n}") for top in ("app", "net") for n in range(26)}
    repo = new_repo("net", files)
    desk.made(repo, config=MAY_LOCK)
    assert desk.pages() == [f"git.acme.example/acme/net/prepare-{top}.md" for top in ("app", "net")]
    assert desk.page("net/prepare-app.md").startswith("# Lock state in S3 as well as DynamoDB (app)\n")


@pytest.mark.parametrize(
    ("said", "code", "words"),
    [
        ("opt_out: moves to another team in March\n", 0, "moves to another team in March"),
        (
            "opt_out: moves\nforge: {}\n",
            5,
            ".tfrelock.yaml:2: `forge` is for the operator's configuration",
        ),
    ],
)
def test_a_repository_may_want_no_proposals(
    said: str, code: int, words: str, desk: Desk, new_repo: New
) -> None:
    repo = new_repo("net", {"main.tf": OLD, ".tfrelock.yaml": said})
    ran = desk.made(repo, "--phase", "pin")
    assert ran.code == code
    assert f"git.acme.example/acme/net: nothing is offered: {words}" in ran.err
    assert repo.git("branch", "--list", "tfrelock/*") == ""


def test_a_plain_folder_takes_no_proposals(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/main.tf").write_text(OLD)
    ran = desk.propose("--yes", "--out", desk.out, tmp_path / "plain", config=MAY_LOCK)
    assert (ran.code, "plain tfrelock/default not made: no git repository → " in ran.out) == (5, True)


def test_out_is_needed(desk: Desk, new_repo: New) -> None:
    ran = desk.propose("--yes", new_repo("net", {"main.tf": OLD}).path)
    assert (ran.code, "say which with --out DIR" in ran.err) == (64, True)


def test_a_person_whom_git_does_not_know(desk: Desk, new_repo: New) -> None:
    (desk.folder / "home/.gitconfig").write_text("")
    ran = desk.made(new_repo("net", {"main.tf": OLD}))
    assert (ran.code, "git does not know who commits" in ran.err) == (
        1,
        True,
    )


def test_a_folder_that_cannot_be_written(desk: Desk, new_repo: New) -> None:
    (desk.folder / "file").write_text("no folder")
    desk.out = desk.folder / "file/out"
    ran = desk.made(new_repo("net", {"main.tf": OLD}), config=MAY_LOCK)
    assert (ran.code, "not made: cannot be " in ran.out) == (5, True)


@pytest.mark.parametrize("name", ["two\nlines", ODD, "-n", ":x", "\x1b[31mred"])
def test_a_folder_may_have_any_name(name: str, desk: Desk, new_repo: New) -> None:
    """It keeps no other out, and git is not led to another file by it."""
    repo = new_repo("net", {f"{name}/main.tf": OLD, "app/main.tf": OLD_APP})
    ran = desk.made(repo, config=MAY_LOCK)
    assert (ran.code, " opened: Lock state in S3 as well as DynamoDB (2 files) " in ran.out) == (0, True)
    assert "\x1b" not in ran.out + ran.err + desk.page("net/prepare.md")
    repo.git("merge", "--quiet", "tfrelock/default/prepare")
    assert "use_lockfile" in (repo.path / name / "main.tf").read_text()


@pytest.mark.parametrize("name", ["tfrelock", "tfrelock/default"])
def test_a_branch_may_be_in_the_way(name: str, desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"main.tf": OLD})
    repo.git("branch", name)
    ran = desk.made(repo, config=MAY_LOCK)
    why = f"git keeps no such branch beside the branch {name} that is there"
    remedy = f"rename {name}, or give proposals.branch another beginning"
    assert ran.out == f"git.acme.example/acme/net tfrelock/default/prepare not made: {why} → {remedy}\n"
    assert ran.code == 5


def test_nothing_is_offered_on_a_proposal_of_ours(desk: Desk, new_repo: New) -> None:
    """What it holds is merged nowhere, so nothing may count on it."""
    repo = new_repo("net", {"main.tf": OLD})
    desk.made(repo, config=MAY_LOCK)
    repo.git("switch", "--quiet", "tfrelock/default/prepare")
    ran = desk.made(repo, "--phase", "retire", "--force", "a test", config=MAY_LOCK)
    why = "it is checked out, and itself a proposal → check out what it is for, run again"
    assert ran.out == f"git.acme.example/acme/net tfrelock/default/prepare not made: {why}\n"
    assert ran.code == 5
    assert desk.pages() == ["git.acme.example/acme/net/prepare.md"]


def test_a_detached_head_stands_for_the_one_branch_that_is_there(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"main.tf": OLD})
    repo.git("checkout", "--quiet", "--detach")
    assert desk.made(repo, config=MAY_LOCK).code == 0
    assert "Branch `tfrelock/default/prepare` into `main`.\n" in desk.page("net/prepare.md")
    repo.git("checkout", "--quiet", "--detach", "tfrelock/default/prepare")
    ours = desk.made(repo, config=MAY_LOCK)
    assert (ours.code, "it is checked out, and itself a proposal" in ours.out) == (5, True), ours.out


def test_a_detached_head_that_is_no_branch_is_a_base_too(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"main.tf": OLD})
    repo.git("checkout", "--quiet", "--detach")
    repo.commit({"more.txt": ""})
    assert desk.made(repo, config=MAY_LOCK).code == 0
    assert "Branch `tfrelock/default/prepare` into `HEAD`.\n" in desk.page("net/prepare.md")
