"""Folders that are there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.errors import RelockError
from migrate.files.shelf import Shelf


def test_a_version_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    for version in ("9f", "a0"):
        assert shelf.find("acme/net", version) is None
        with shelf.making("acme/net") as folder:
            (folder / "it").mkdir()
            (folder / "it/file").write_text(version)
            kept = shelf.keep(folder / "it", "acme/net", version)
        assert (shelf.find("acme/net", version), shelf.any("acme/net")) == (kept, kept)
        assert (kept / "file").read_text() == version
    assert shelf.find("acme/net", "9f") is None


def test_what_was_not_kept_is_gone(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    with shelf.making("acme/net") as folder:
        (folder / "half").write_text("")
    assert not folder.exists()
    assert shelf.any("acme/net") is None


def test_what_a_killed_run_left_is_no_version_and_goes_with_the_next(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    left = shelf.making("acme/net").__enter__()
    assert shelf.any("acme/net") is None
    with shelf.making("acme/net") as folder:
        shelf.keep(folder, "acme/net", "9f")
    assert not left.exists()


def test_names_do_not_lead_out(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "shelf")
    with shelf.making("../../x") as folder:
        assert folder.is_relative_to(tmp_path / "shelf")


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RelockError, match="cannot be written"), Shelf(tmp_path / "file").making("net"):
        pass
