"""Readers of a state: what a lock left behind does to them, and what this program's edit does for them."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from migrate.demo.checkout import Checkout
from migrate.demo.stage import BUCKET, NOBODY_TO_ASK, TABLE
from migrate.terraform import Ran
from tests.real.lab import AGAIN, NEW, OLD, Lab, edit, root

pytestmark = pytest.mark.terraform

STALE = "does not have the expected content"


def reader(key: str) -> str:
    """A root without a state of its own that shows the outputs of another."""
    return f"""\
data "terraform_remote_state" "net" {{
  backend = "s3"
  config = {{
    bucket         = "{BUCKET}"
    key            = "{key}"
    region         = "eu-west-1"
    dynamodb_table = "{TABLE}"

{NOBODY_TO_ASK}
  }}
}}

output "made" {{
  value = data.terraform_remote_state.net.outputs.made
}}
"""


def readers(lab: Lab, folder: Path, key: str) -> list[Checkout]:
    """The same reader, planned by every release."""
    made = []
    for release in (OLD, *NEW):
        (folder / release).mkdir(parents=True)
        (folder / release / "main.tf").write_text(reader(key))
        made.append(lab.checkout(folder / release, release))
        assert made[-1].init().code == 0
    return made


def planned(checkouts: list[Checkout]) -> list[Ran]:
    """All of them at once: one that meets a stale digest waits ten seconds."""
    with ExitStack() as stack:
        plans = [stack.enter_context(checkout.running("plan")) for checkout in checkouts]
        return [plan.finish() for plan in plans]


def codes(checkouts: list[Checkout]) -> list[int]:
    return [plan.code for plan in planned(checkouts)]


@pytest.fixture
def net(lab: Lab, tmp_path: Path) -> Checkout:
    """A root with both locks that others read."""
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "main.tf").write_text(root(KEY))
    edit(tmp_path / "net", "dual-lock")
    checkout = lab.checkout(tmp_path / "net", NEW[-1])
    assert (checkout.init().code, checkout.apply().code) == (0, 0)
    return checkout


KEY = "readers/terraform.tfstate"


def retired(net: Checkout) -> None:
    edit(net.folder, "retire", "--force", "a test")
    assert net.init("-reconfigure").code == 0
    assert net.apply(AGAIN).code == 0


def test_readers_that_name_the_table_fail_once_the_state_is_written_without_it(
    lab: Lab, net: Checkout, tmp_path: Path
) -> None:
    """On every release, also old ones; readers that this program edited go on, and need no newer release."""
    unedited, edited = readers(lab, tmp_path / "unedited", KEY), readers(lab, tmp_path / "edited", KEY)
    assert codes(unedited) == [0, 0, 0]
    edit(tmp_path / "edited", "readers")
    assert "use_lockfile" not in (edited[0].folder / "main.tf").read_text()
    assert codes(edited) == [0, 0, 0]
    retired(net)
    assert codes(edited) == [0, 0, 0]
    failed = planned(unedited)
    assert [(plan.code, STALE in plan.err) for plan in failed] == [(1, True)] * 3
    lab.dynamodb.delete_item(TableName=TABLE, Key={"LockID": {"S": f"{BUCKET}/{KEY}-md5"}})
    assert codes(unedited) == [0, 0, 0], "without the row nothing is compared"


def test_readers_do_not_mind_that_a_state_has_both_locks_and_is_locked(
    lab: Lab, net: Checkout, tmp_path: Path
) -> None:
    """A reader takes no lock: it may be edited on any day, before or after the dual lock."""
    looking = readers(lab, tmp_path / "readers", KEY)
    with net.applying(AGAIN) as applying:
        assert codes(looking) == [0, 0, 0]
        assert applying.finish().code == 0
    assert codes(looking) == [0, 0, 0]
