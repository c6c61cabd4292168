"""Which clients exclude each other is no opinion: real Terraform says so of every pair, both ways round."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import pytest

from migrate.demo.checkout import Checkout
from migrate.exclusion import STORES, exclude
from migrate.model import Lock
from tests.real.lab import AGAIN, Lab, edit, root

pytestmark = pytest.mark.terraform

KEY: Final = "matrix/terraform.tfstate"
CLIENTS: Final = [
    (Lock.TABLE, "1.9.8"),
    (Lock.TABLE, "1.11.4"),
    (Lock.BOTH, "1.11.4"),
    (Lock.BOTH, "1.15.5"),
    (Lock.LOCKFILE, "1.11.4"),
    (Lock.LOCKFILE, "1.15.5"),
]
NO_ENTRY: Final = {
    "lockfile": "operation error S3: PutObject, https response error\nStatusCode: 412",
    "table": "operation error DynamoDB: PutItem, https response error\nStatusCode: 400",
}


Clients = Mapping[tuple[Lock, str], Checkout]


@pytest.fixture(scope="module")
def clients(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Clients:
    """One root as it was, and as this program makes it, initialised by each release."""
    folder = tmp_path_factory.mktemp("matrix")
    (folder / "main.tf").write_text(root(KEY))
    texts = {Lock.TABLE: (folder / "main.tf").read_text()}
    edit(folder, "dual-lock")
    texts[Lock.BOTH] = (folder / "main.tf").read_text()
    edit(folder, "retire", "--force", "a test")
    texts[Lock.LOCKFILE] = (folder / "main.tf").read_text()
    return {(lock, release): client(lab, folder, lock, release, texts[lock]) for lock, release in CLIENTS}


def client(lab: Lab, folder: Path, lock: Lock, release: str, text: str) -> Checkout:
    own = folder / f"{lock.value} {release}"
    own.mkdir()
    (own / "main.tf").write_text(text)
    checkout = lab.checkout(own, release)
    assert checkout.init().code == 0
    return checkout


def meeting(shared: Collection[str]) -> str:
    """Where two clients meet that share these stores: one with both locks asks the bucket first."""
    return "lockfile" if "lockfile" in shared else "table"


@pytest.mark.parametrize(("held", "release"), CLIENTS)
def test_a_client_is_refused_where_both_share_a_store(
    held: Lock, release: str, lab: Lab, clients: Clients
) -> None:
    """While one client applies each plans. The lock held stays as it is, and nothing is added."""
    lab.wipe(KEY)
    with clients[held, release].applying(AGAIN) as applying:
        locks = lab.lock_object(KEY), lab.lock_row(KEY)
        stores = [store in STORES[held] for store in ("lockfile", "table")]
        assert [lock is not None for lock in locks] == stores
        for (lock, other), comer in clients.items():
            plan = comer.run("plan")
            assert (plan.code == 0) != exclude(held, lock), (lock, other, plan.err)
            if plan.code:
                assert NO_ENTRY[meeting(STORES[held] & STORES[lock])] in plan.err
                assert f"Version:   {release}" in plan.err
            assert (lab.lock_object(KEY), lab.lock_row(KEY)) == locks
        assert applying.finish().code == 0
    assert (lab.lock_object(KEY), lab.lock_row(KEY)) == (None, None)
