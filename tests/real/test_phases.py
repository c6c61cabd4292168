"""One root through the phases, each made by this program's own edit, and the way back."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from migrate.demo.checkout import Checkout
from migrate.demo.cloud import REGION
from migrate.demo.program import Desk
from migrate.demo.stage import BUCKET, TABLE
from migrate.model import Known, Unknown
from migrate.offer import DigestRow, delete_digest, list_workspaces
from migrate.terraform import Ran
from tests.real import aws
from tests.real.lab import BOTH, LOCKFILE_ONLY, NEW, OLD, TABLE_ONLY, Lab, edit, locks_in, root

pytestmark = pytest.mark.terraform

STALE = "does not have the expected content"


@pytest.fixture
def begun(lab: Lab, tmp_path: Path) -> Callable[[str, str], tuple[Checkout, str]]:
    """A root that locks in the table, initialised and applied by a release; and its key."""

    def begin(name: str, release: str) -> tuple[Checkout, str]:
        key = f"{name}/{release}/{tmp_path.name}/terraform.tfstate"
        folder = tmp_path / name
        folder.mkdir()
        (folder / "main.tf").write_text(root(key))
        checkout = lab.checkout(folder, release)
        assert (checkout.init().code, checkout.apply().code) == (0, 0)
        return checkout, key

    return begin


def moved(checkout: Checkout, lab: Lab, key: str) -> None:
    """After an edit a checkout must be told of it, and told with -reconfigure; the state is not touched."""
    versions = lab.versions(key)
    plan, init = checkout.run("plan"), checkout.init()
    assert (plan.code, init.code) == (1, 1)
    assert "Error: Backend initialization required" in plan.err
    assert "Error: Backend configuration changed" in init.err
    assert checkout.init("-reconfigure").code == 0
    assert unchanged(checkout.run("plan"))
    assert lab.versions(key) == versions


def unchanged(plan: Ran) -> bool:
    return plan.code == 0 and "No changes. Your infrastructure matches the configuration." in plan.out


def fresh(checkout: Checkout, lab: Lab) -> Checkout:
    """A new clone of the same source."""
    folder = checkout.folder.with_name("fresh")
    folder.mkdir()
    shutil.copy(checkout.folder / "main.tf", folder)
    return lab.checkout(folder, str(checkout.terraform.release))


def command(page: str) -> str:
    """The command about a digest row that a proposal's page prints, as a person would copy it."""
    (found,) = re.findall(r"^```sh\n(digest=.+?)```$", page, re.DOTALL | re.MULTILINE)
    return str(found)


def pasted(text: str, lab: Lab, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(aws.install(folder)), os.environ["PATH"]])
    return subprocess.run(
        ["sh", "-euc", text],
        env={**os.environ, **lab.cloud.env, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_dual_lock_adds_the_lockfile_and_keeps_the_table(
    lab: Lab, begun: Callable[[str, str], tuple[Checkout, str]], new: str
) -> None:
    """Fresh init, init -reconfigure, plan and apply work; the table's digest stays true."""
    checkout, key = begun("dual", new)
    assert locks_in(checkout, lab, key) == TABLE_ONLY
    edit(checkout.folder, "pin")
    edit(checkout.folder, "dual-lock")
    moved(checkout, lab, key)
    assert locks_in(checkout, lab, key) == BOTH
    assert lab.digest(key) == lab.checksum(key)
    clone = fresh(checkout, lab)
    assert clone.init().code == 0
    assert unchanged(clone.run("plan"))


def test_a_state_of_an_old_release_moves_to_both_locks(
    lab: Lab, begun: Callable[[str, str], tuple[Checkout, str]], new: str
) -> None:
    """The release and the lock change in one pull request: the state is read, and rewritten under both."""
    old, key = begun(f"upgrade-{new}", OLD)
    edit(old.folder, "pin")
    edit(old.folder, "dual-lock")
    checkout = lab.checkout(old.folder, new)
    moved(checkout, lab, key)
    assert locks_in(checkout, lab, key) == BOTH


def test_retire_leaves_the_table_and_the_way_back_leads_over_the_digest(
    lab: Lab, begun: Callable[[str, str], tuple[Checkout, str]], new: str, tmp_path: Path
) -> None:
    """After retire the table's digest is stale; reverted, nothing works until the printed command has run."""
    checkout, key = begun("retire", new)
    edit(checkout.folder, "dual-lock")
    assert checkout.init("-reconfigure").code == 0
    desk = Desk(tmp_path / "home")
    page = offered(desk, checkout.folder, tmp_path / "out")
    desk.git(checkout.folder, "merge", "--quiet", "tfrelock/default/finish")
    moved(checkout, lab, key)
    assert locks_in(checkout, lab, key) == LOCKFILE_ONLY
    assert lab.digest(key) not in (None, lab.checksum(key))
    desk.git(checkout.folder, "revert", "--no-edit", "HEAD")
    failed = checkout.init("-reconfigure")
    assert (failed.code, STALE in failed.err) == (1, True)
    assert pasted(command(page), lab, tmp_path).returncode == 0
    assert lab.digest(key) is None
    assert checkout.init("-reconfigure").code == 0
    assert locks_in(checkout, lab, key) == BOTH
    assert lab.digest(key) == lab.checksum(key)


def offered(desk: Desk, folder: Path, out: Path) -> str:
    """Make the folder a repository and propose retire to it; gives the proposal's page."""
    desk.furnish()
    for line in ("init --quiet", "add main.tf", "commit --quiet --message Begin"):
        desk.git(folder, *line.split())
    desk.tfrelock(folder, "propose", "--phase", "retire", "--force", "a test", "--yes", "--out", str(out))
    (page,) = out.rglob("*.md")
    return page.read_text()


def test_undoing_an_edit_by_its_patch_gives_a_root_that_terraform_knows(
    lab: Lab, begun: Callable[[str, str], tuple[Checkout, str]], new: str
) -> None:
    """From both locks back to the table alone: the same bytes, one init, no digest in the way."""
    checkout, key = begun("undone", new)
    before = (checkout.folder / "main.tf").read_bytes()
    (made,) = edit(checkout.folder, "dual-lock")["files"]
    assert checkout.init("-reconfigure").code == 0
    assert locks_in(checkout, lab, key) == BOTH
    subprocess.run(["git", "apply", "-"], cwd=checkout.folder, input=made["reverse"], text=True, check=True)
    assert (checkout.folder / "main.tf").read_bytes() == before
    moved(checkout, lab, key)
    assert locks_in(checkout, lab, key) == TABLE_ONLY


def test_a_named_workspace_has_locks_of_its_own(
    lab: Lab, begun: Callable[[str, str], tuple[Checkout, str]], new: str
) -> None:
    """It stays selected over -reconfigure, and its lock stands beside its state, not beside the default's."""
    checkout, key = begun("workspace", new)
    assert checkout.run("workspace", "new", "stage").code == 0
    assert checkout.apply().code == 0
    edit(checkout.folder, "dual-lock")
    moved(checkout, lab, f"env:/stage/{key}")
    assert checkout.run("workspace", "show").out.strip() == "stage"
    assert locks_in(checkout, lab, f"env:/stage/{key}") == BOTH


def test_the_rows_of_named_workspaces_can_be_listed_and_deleted(
    lab: Lab, begun: Callable[[str, str], tuple[Checkout, str]], tmp_path: Path
) -> None:
    checkout, key = begun("listed", NEW[0])
    assert checkout.run("workspace", "new", "stage").code == 0
    assert checkout.apply().code == 0
    default = DigestRow(f"s3://{BUCKET}/{key}", "", BUCKET, key, Known(TABLE), Known(REGION), Unknown("", ""))
    listed = pasted(list_workspaces(default), lab, tmp_path)
    assert (listed.returncode, listed.stdout) == (0, f"env:/stage/{key}\n")
    stage = replace(default, workspace="stage", key=listed.stdout.strip())
    assert lab.digest(stage.key) is not None
    assert pasted(delete_digest(stage), lab, tmp_path).returncode == 0
    assert lab.digest(stage.key) is None


def test_the_digest_command_deletes_only_what_was_read(
    lab: Lab, begun: Callable[[str, str], tuple[Checkout, str]], tmp_path: Path
) -> None:
    """A digest that was renewed since stays; where there is no row, nothing is done and nothing is wrong."""
    _, key = begun("digest", NEW[0])
    digest = lab.digest(key)
    assert digest is not None
    row = DigestRow(
        state=f"s3://{BUCKET}/{key}",
        workspace="default",
        bucket=BUCKET,
        key=key,
        table=Known(TABLE),
        region=Known(REGION),
        digest=Known("0" * 32),
    )
    refused = pasted(delete_digest(row), lab, tmp_path)
    assert (refused.returncode, "ConditionalCheckFailedException" in refused.stderr) == (aws.FAILED, True)
    assert lab.digest(key) == digest
    assert pasted(delete_digest(replace(row, digest=Known(digest))), lab, tmp_path).returncode == 0
    assert lab.digest(key) is None
    unread = replace(row, digest=Unknown("nobody has read it yet", ""))
    assert pasted(delete_digest(unread), lab, tmp_path).returncode == 0
