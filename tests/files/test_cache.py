import stat
from pathlib import Path

from migrate.files import cache


def test_it_is_made_private(tmp_path: Path) -> None:
    folder = cache({"XDG_CACHE_HOME": str(tmp_path / "cache")})
    assert folder == tmp_path / "cache" / "tfrelock"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert cache({"XDG_CACHE_HOME": str(tmp_path / "cache")}) == folder


def test_a_folder_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "tfrelock").mkdir()
    (tmp_path / "tfrelock").chmod(0o770)
    assert cache({"XDG_CACHE_HOME": str(tmp_path)}) is None


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "tfrelock").symlink_to(tmp_path / "elsewhere")
    assert cache({"XDG_CACHE_HOME": str(tmp_path)}) is None


def test_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert cache({"XDG_CACHE_HOME": str(tmp_path / "file")}) is None
