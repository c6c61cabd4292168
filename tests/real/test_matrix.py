"""Which clients exclude each other is no opinion: real Terraform says so of every pair, both ways round."""

from collections.abc import Mapping
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


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Lock, str]:
    """One root as it was, and as this program makes it."""
    file = tmp_path_factory.mktemp("root") / "main.tf"
    file.write_text(root(KEY))
    made = {Lock.TABLE: file.read_text()}
    edit(file.parent, "dual-lock")
    made[Lock.BOTH] = file.read_text()
    edit(file.parent, "retire", "--force", "a test")
    return made | {Lock.LOCKFILE: file.read_text()}


def client(lab: Lab, folder: Path, text: str, release: str) -> Checkout:
    folder.mkdir()
    (folder / "main.tf").write_text(text)
    checkout = lab.checkout(folder, release)
    assert checkout.init().code == 0
    return checkout


@pytest.mark.parametrize(("held", "release"), CLIENTS)
def test_a_client_is_refused_where_both_share_a_store(
    held: Lock, release: str, lab: Lab, texts: Mapping[Lock, str], tmp_path: Path
) -> None:
    """While one client applies every other plans. The lock held stays as it is, and nothing is added."""
    lab.wipe(KEY)
    holder = client(lab, tmp_path / "holder", texts[held], release)
    with holder.applying(AGAIN) as applying:
        locks = lab.lock_object(KEY), lab.lock_row(KEY)
        assert [lock is not None for lock in locks] == [
            store in STORES[held] for store in ("lockfile", "table")
        ]
        for lock, other in CLIENTS:
            comer = client(lab, tmp_path / f"{lock.value} {other}", texts[lock], other).run("plan")
            assert (comer.code == 0) != exclude(held, lock), (lock, other, comer.err)
            if comer.code:
                store = "lockfile" if STORES[held] & STORES[lock] >= {"lockfile"} else "table"
                assert NO_ENTRY[store] in comer.err
                assert f"Version:   {release}" in comer.err
            assert (lab.lock_object(KEY), lab.lock_row(KEY)) == locks
        assert applying.finish().code == 0
    assert (lab.lock_object(KEY), lab.lock_row(KEY)) == (None, None)
