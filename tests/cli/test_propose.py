"""`tfrelock propose`: files in; branches, pages, words and exit code out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.estates import BOTH, LOCKFILE, TABLE, Files, Ran, backend, facts, reader, run
from tests.github import fake
from tests.github.fixtures import Host
from tests.repo import Repo, make

New = Callable[[str, Files], Repo]
Capture = pytest.CaptureFixture[str]
OLD = TABLE.replace(">= 1.11.0", ">= 1.5")
OLD_APP = backend(key="app.tfstate").replace(">= 1.11.0", ">= 1.5")
MAY_LOCK = facts("callers-may-lock")
SOAKED = facts("soaked", "table-known")


class Desk:
    """A person with an operator's configuration, an --out folder, and git's own identity."""

    def __init__(self, folder: Path, capsys: Capture) -> None:
        self.folder = folder
        self.out = folder / "out"
        self._capsys = capsys

    def propose(self, *arguments: object, config: str = "") -> Ran:
        given = []
        if config:
            (self.folder / "tfrelock.yaml").write_text(config)
            given = ["--config", self.folder / "tfrelock.yaml"]
        return run(self._capsys, "propose", *arguments, *given)

    def made(self, repo: Repo, *arguments: object, config: str = "") -> Ran:
        return self.propose("--yes", "--out", self.out, *arguments, repo.path, config=config)

    def pages(self) -> list[str]:
        return sorted(str(path.relative_to(self.out)) for path in self.out.rglob("*.md"))

    def page(self, name: str) -> str:
        return (self.out / "git.acme.example/acme" / name).read_text()


@pytest.fixture
def desk(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Desk:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Ada Acme\n\temail = ada@acme.example\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    return Desk(tmp_path, capsys)


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
    assert " stands: Lock state in S3 as well as DynamoDB (1 files) " in ran.out
    assert ran.code == 0


def test_without_yes_nothing_is_made(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    ran = desk.propose(repo.path, config=MAY_LOCK)
    assert "would open: Lock state in S3 as well as DynamoDB (1 files)\n" in ran.out
    assert (ran.code, repo.git("branch", "--format=%(refname:short)")) == (0, "main")


def test_an_unknown_dual_lock_is_a_draft_of_its_own(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": OLD})
    desk.made(repo)
    assert subjects(repo, "prepare") == ["Require Terraform 1.11 or newer"]
    assert subjects(repo, "dual-lock") == ["Lock state in S3 as well as DynamoDB"]
    page = desk.page("net/dual-lock.md")
    assert "into `main`, a draft.\n\n**Do not merge yet.** What would settle it:\n" in page


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


def test_a_dual_lock_that_was_offered_by_itself_stays_there(desk: Desk, new_repo: New) -> None:
    """And no edit stands in two proposals: it is a draft until the floor is merged, then ready."""
    repo = new_repo("net", {"net/main.tf": OLD})
    desk.made(repo)
    ran = desk.made(repo, config=MAY_LOCK)
    assert subjects(repo, "prepare") == ["Require Terraform 1.11 or newer"]
    assert (
        "tfrelock/default/dual-lock updated: Lock state in S3 as well as DynamoDB (1 files), a draft"
        in ran.out
    )
    assert "tfrelock propose --phase pin" in desk.page("net/dual-lock.md")
    repo.git("merge", "--quiet", "--no-edit", "tfrelock/default/prepare")
    ran = desk.made(repo, config=MAY_LOCK)
    assert "tfrelock/default/dual-lock updated: Lock state in S3 as well as DynamoDB (1 files) " in ran.out
    assert "Do not merge" not in desk.page("net/dual-lock.md")
    assert desk.pages() == [f"git.acme.example/acme/net/{name}.md" for name in ("dual-lock", "prepare")]


def test_a_proposal_whose_gate_has_closed_since_is_paused_and_comes_back(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    desk.made(repo, config=SOAKED)
    before = desk.page("net/finish.md")
    repo.commit({"app/main.tf": reader()})
    ran = desk.made(repo, "--exclude", "nothing", config=SOAKED)
    assert "finish" not in ran.out, "a narrowed run does not judge what it does not look at"
    ran = desk.made(repo, config=SOAKED)
    assert (
        "tfrelock/default/finish updated, not to be merged: A gate has closed since this was offered: "
        in ran.out
    )
    page = desk.page("net/finish.md")
    assert "into `main`, a draft.\n\n**Do not merge.** A gate has closed since this was offered: " in page
    assert "tfrelock/default/finish stands, not to be merged: " in desk.made(repo, config=SOAKED).out
    assert desk.page("net/finish.md") == page
    repo.commit({"app/main.tf": reader(table="")})
    desk.made(repo, config=SOAKED)
    assert desk.page("net/finish.md") == before


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
    assert "gate readers-safe broken" in ran.err


def test_force_offers_retire_and_says_why(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    desk.made(repo, "--phase", "retire", "--force", "the table is empty")
    assert "**Offered although not every gate is open**, because: the table is empty" in desk.page(
        "net/finish.md"
    )


def test_force_never_passes_a_writer_of_the_table(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH, "old/main.tf": TABLE})
    desk.made(repo, "--phase", "retire", "--force", "no")
    assert desk.pages() == []


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
            ".tfrelock.yaml: line 2: `forge` is for the operator's configuration",
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


def test_changes_that_are_not_committed_are_not_offered(desk: Desk, new_repo: New) -> None:
    repo = new_repo("net", {"net/main.tf": BOTH})
    repo.write({"net/main.tf": OLD})
    ran = desk.made(repo, config=MAY_LOCK)
    assert (ran.code, "net/main.tf is not what main holds" in ran.out) == (5, True)


def test_out_is_needed(desk: Desk, new_repo: New) -> None:
    ran = desk.propose("--yes", new_repo("net", {"main.tf": OLD}).path)
    assert (ran.code, "say where with --out DIR" in ran.err) == (64, True)


def test_a_person_whom_git_does_not_know(desk: Desk, new_repo: New) -> None:
    (desk.folder / "home/.gitconfig").write_text("")
    ran = desk.made(new_repo("net", {"main.tf": OLD}))
    assert (ran.code, "git does not know who commits → git config --global user.name" in ran.out) == (
        5,
        True,
    )


# ── on a host ────────────────────────────────────────────────────────────────────────────────────────────


def cloned(host: Host, folder: Path, files: Files) -> Repo:
    """A clone of `acme/net` of the fake GitHub; its origin has the fake's URL."""
    source = make(folder / "source", files)
    host.hub.create("acme/net", source.path)
    source.git("clone", "--quiet", str(host.hub.folder / "acme/net.git"), str(folder / "net"))
    clone = Repo(folder / "net")
    clone.git("remote", "set-url", "origin", f"{host.services.direct}/acme/net.git")
    return clone


def on_github(desk: Desk, host: Host, repo: Repo, *arguments: str) -> Ran:
    where = ("--forge", "github", "--forge-url", host.services.direct)
    return desk.propose(*where, *arguments, repo.path, config=MAY_LOCK)


def test_proposals_on_github(desk: Desk, host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", fake.TOKEN)
    repo = cloned(host, tmp_path, {"net/main.tf": OLD})
    assert "would open: Lock state" in on_github(desk, host, repo).out
    assert host.hub.pulls == {}
    first, second = on_github(desk, host, repo, "--yes"), on_github(desk, host, repo, "--yes")
    assert (first.code, second.code) == (0, 0)
    assert (
        " opened: Lock state in S3 as well as DynamoDB (1 files) https://github.com/acme/net/pull/1"
        in first.out
    )
    assert " stands: " in second.out
    [pull] = host.hub.pulls["acme/net"]
    assert (pull.head, pull.base, pull.draft) == ("tfrelock/default/prepare", "main", False)
    assert repo.git("branch", "--format=%(refname:short)") == "main", "the clone itself has no new branch"
    assert fake.TOKEN not in first.out + first.err + second.out + second.err


@pytest.mark.parametrize(
    ("flag", "why"), [("archived", "is archived"), ("read_only", "does not let this token push")]
)
def test_a_repository_that_takes_no_pushes(
    desk: Desk, host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: str, why: str
) -> None:
    monkeypatch.setenv("GH_TOKEN", fake.TOKEN)
    repo = cloned(host, tmp_path, {"net/main.tf": OLD})
    getattr(host.hub, flag).add("acme/net")
    ran = on_github(desk, host, repo, "--yes")
    assert (ran.code, f"the repository {why} → " in ran.out) == (5, True)


def test_no_token(desk: Desk, host: Host, tmp_path: Path) -> None:
    ran = on_github(desk, host, cloned(host, tmp_path, {"net/main.tf": OLD}))
    assert (ran.code, "no token for GitHub" in ran.err) == (1, True)
