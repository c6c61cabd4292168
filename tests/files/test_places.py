"""Places of our own."""

import stat
from pathlib import Path

import pytest

from migrate.errors import RelockError
from migrate.files import configuration, data, load_folder, save, scratch
from tests import permissions


def test_a_scratch_folder_is_ours_alone_and_vanishes() -> None:
    with scratch() as folder:
        (folder / "x").mkdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_a_result_is_written_over_the_last_one_and_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "out/deep/report.json"
    for text in (b"one", b"two"):
        save(path, text)
        assert path.read_bytes() == text
    assert [entry.name for entry in path.parent.iterdir()] == ["report.json"]


def test_a_result_may_go_to_a_device_or_over_a_link(tmp_path: Path) -> None:
    save(Path("/dev/null"), b"x")
    assert Path("/dev/null").is_char_device()
    (tmp_path / "link").symlink_to("real")
    save(tmp_path / "link", b"x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"x"


def test_a_result_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RelockError, match="cannot be written: "):
        save(tmp_path / "file/report.json", b"x")
    with pytest.raises(RelockError, match="cannot be written: is a directory"):
        save(tmp_path, b"x")


def test_the_texts_of_the_program_are_found_beside_the_package() -> None:
    assert all(text for text in data("templates").values())


def test_a_configuration_is_there_or_not(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert configuration(environ) is None
    file = tmp_path / "tfrelock/config.yaml"
    file.parent.mkdir()
    file.write_text("facts: []\n")
    assert configuration(environ) == file


def test_a_folder_that_may_not_be_looked_into_may_hold_a_configuration(tmp_path: Path) -> None:
    """So it is for the user of a container whose home is root's."""
    closed = tmp_path / "root"
    closed.mkdir(mode=0o000)
    with permissions.binding(), pytest.raises(RelockError) as raised:
        configuration({"XDG_CONFIG_HOME": str(closed)})
    assert (raised.value.what, raised.value.where) == (
        "cannot be read: permission denied",
        str(closed / "tfrelock/config.yaml"),
    )


def test_the_texts_of_a_folder_are_read_or_it_is_said_why_not(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text("2")
    (tmp_path / "a.json").write_text("1")
    (tmp_path / "note.txt").write_text("3")
    (tmp_path / "old.json").mkdir()
    assert list(load_folder(tmp_path, ".json").items()) == [("a.json", "1"), ("b.json", "2")]
    tmp_path.chmod(0o444)
    try:
        with permissions.binding(), pytest.raises(RelockError) as raised:
            load_folder(tmp_path, ".json")
    finally:
        tmp_path.chmod(0o755)
    assert raised.value.what == "cannot be read: permission denied"
