"""What an old release does with an edited root, with and without the floor that this program sets."""

from pathlib import Path
from typing import Final

import pytest

from migrate.demo.checkout import Checkout
from tests.real.lab import OLD, Lab, edit, root

pytestmark = pytest.mark.terraform

TOO_OLD: Final = "Error: Unsupported Terraform Core version"
UNKNOWN_ARGUMENT: Final = 'An argument named "use_lockfile" is not expected here.'


def old(lab: Lab, folder: Path, key: str) -> Checkout:
    folder.mkdir()
    (folder / "main.tf").write_text(root(key))
    return lab.checkout(folder, OLD)


def test_without_a_floor_a_fresh_init_names_the_argument_and_not_the_cure(lab: Lab, tmp_path: Path) -> None:
    checkout = old(lab, tmp_path / "fresh", "floor/fresh.tfstate")
    edit(checkout.folder, "dual-lock")
    init = checkout.init()
    assert (init.code, UNKNOWN_ARGUMENT in init.err, TOO_OLD in init.err) == (1, True, False)


def test_with_the_floor_a_fresh_init_names_the_version_and_nothing_else(lab: Lab, tmp_path: Path) -> None:
    checkout = old(lab, tmp_path / "pinned", "floor/pinned.tfstate")
    edit(checkout.folder, "pin")
    edit(checkout.folder, "dual-lock")
    init = checkout.init()
    assert (init.code, UNKNOWN_ARGUMENT in init.err, TOO_OLD in init.err) == (1, False, True)
    assert "This configuration does not support Terraform version 1.9.8" in " ".join(init.err.split())


def test_only_the_floor_stops_an_old_release_in_a_folder_it_knows(lab: Lab, tmp_path: Path) -> None:
    """An initialised folder goes on in the table alone without a word, until the floor is there."""
    key = "floor/stale.tfstate"
    checkout = old(lab, tmp_path / "stale", key)
    assert checkout.init().code == 0
    edit(checkout.folder, "dual-lock")
    with checkout.applying() as applying:
        assert (lab.lock_object(key), lab.lock_row(key) is None) == (None, False)
        assert applying.finish().code == 0
    edit(checkout.folder, "pin")
    plan = checkout.run("plan")
    assert (plan.code, TOO_OLD in plan.err) == (1, True)


def test_retire_stops_an_old_release_by_itself(lab: Lab, tmp_path: Path) -> None:
    """Its saved backend no longer fits; told to take the new one, it does not know the argument."""
    checkout = old(lab, tmp_path / "retired", "floor/retired.tfstate")
    assert checkout.init().code == 0
    edit(checkout.folder, "dual-lock")
    edit(checkout.folder, "retire", "--force", "a test")
    assert "Error: Backend initialization required" in checkout.run("plan").err
    assert UNKNOWN_ARGUMENT in checkout.init("-reconfigure").err
