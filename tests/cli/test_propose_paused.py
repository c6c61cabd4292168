"""What was offered and is not to be merged as things are: drafts that say why, and what becomes of them."""

from __future__ import annotations

from tests.cli.desk import MAY_LOCK, OLD, SOAKED, Desk, New
from tests.cli.estates import BOTH, POLICY, TABLE, backend, reader
from tests.cli.test_propose import subjects


def test_a_dual_lock_that_was_offered_by_itself_stays_there(desk: Desk, new_repo: New) -> None:
    """And no edit stands in two proposals: it is a draft until the floor is merged, then ready."""
    repo = new_repo("net", {"net/main.tf": OLD})
    desk.made(repo)
    ran = desk.made(repo, config=MAY_LOCK)
    assert subjects(repo, "prepare") == ["Require Terraform 1.11 or newer"]
    assert (
        "tfrelock/default/dual-lock updated: Lock state in S3 as well as DynamoDB (1 file), a draft"
        in ran.out
    )
    assert "net/main.tf:2 admits Terraform 1.10.5 → tfrelock edit" in desk.page("net/dual-lock.md")
    repo.git("merge", "--quiet", "--no-edit", "tfrelock/default/prepare")
    ran = desk.made(repo, config=MAY_LOCK)
    assert "tfrelock/default/dual-lock updated: Lock state in S3 as well as DynamoDB (1 file) " in ran.out
    assert "Do not merge" not in desk.page("net/dual-lock.md")
    assert desk.pages() == [f"git.acme.example/acme/net/{name}.md" for name in ("dual-lock", "prepare")]


def test_a_word_that_ends_and_comes_back_leaves_one_proposal(desk: Desk, new_repo: New) -> None:
    """The paused one is the draft: no edit stands in two proposals, and none is left a draft for ever."""
    repo = new_repo("net", {"net/main.tf": TABLE})
    desk.made(repo, config=MAY_LOCK)
    before = desk.page("net/prepare.md")
    ran = desk.made(repo)
    assert ran.out.startswith(
        "git.acme.example/acme/net tfrelock/default/prepare updated, not to be merged: "
    )
    assert "**Do not merge.** A gate has closed since this was offered: nobody said" in desk.page(
        "net/prepare.md"
    )
    assert desk.made(repo).out.count("\n") == 1
    desk.made(repo, config=MAY_LOCK)
    assert (desk.page("net/prepare.md"), desk.pages()) == (before, ["git.acme.example/acme/net/prepare.md"])


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


def test_what_is_closed_is_paused_though_a_neighbour_is_not_as_it_is_committed(
    desk: Desk, new_repo: New
) -> None:
    repo, app = new_repo("net", {"net/main.tf": BOTH}), new_repo("app", {"app/main.tf": "# none"})
    desk.made(repo, app.path, config=SOAKED)
    repo.commit({"net/app/main.tf": reader()})
    app.write({"app/main.tf": reader(key="app.tfstate")})
    ran = desk.made(repo, app.path, config=SOAKED)
    assert "/net tfrelock/default/finish updated, not to be merged: A gate has closed since" in ran.out


def test_a_dual_lock_that_is_not_known_to_be_safe_any_more_is_paused_in_every_part(
    desk: Desk, new_repo: New
) -> None:
    files = {f"{top}/{n}/main.tf": backend(key=f"{top}/{n}") for top in "ab" for n in range(26)}
    repo = new_repo("net", files)
    desk.made(repo, config=MAY_LOCK)
    assert desk.pages() == [f"git.acme.example/acme/net/prepare-{top}.md" for top in "ab"]
    ran = desk.made(repo)
    said = "updated, not to be merged: A gate has closed since this was offered: nobody said"
    for top in "ab":
        assert f"tfrelock/default/prepare-{top} {said}" in ran.out
        page = desk.page(f"net/prepare-{top}.md")
        assert ", a draft.\n\n**Do not merge.** A gate has closed since this was offered: " in page


def test_what_is_open_in_a_repository_that_wants_nothing_any_more_is_paused(
    desk: Desk, new_repo: New
) -> None:
    repo = new_repo("net", {"net/main.tf": OLD, "iam/policy.json": POLICY})
    desk.made(repo, config=MAY_LOCK)
    for why, asks in (("moves in March", "opt_out: moves in March"), (".tfrelock.yaml:1: ", "no: 1")):
        repo.commit({".tfrelock.yaml": asks})
        assert "prepare would update, not to be merged: " in desk.propose("--out", desk.out, repo.path).out
        ran = desk.made(repo, config=MAY_LOCK)
        assert f"nothing is offered: {why}" in ran.err
        for name in ("iam", "prepare"):
            said = (
                f"tfrelock/default/{name} updated, not to be merged: Nothing is offered here any more: {why}"
            )
            assert said in ran.out
            page = desk.page(f"net/{name}.md")
            assert (page.count("**Do not merge.**"), ", a draft.\n" in page) == (1, True), page
        assert desk.made(repo, config=MAY_LOCK).out.count(" stands, not to be merged: ") == 2
    repo.commit({".tfrelock.yaml": ""})
    desk.made(repo, config=MAY_LOCK)
    assert "Do not merge" not in desk.page("net/prepare.md") + desk.page("net/iam.md")
