from pathlib import Path

import pytest

from migrate.errors import RelockError
from migrate.files.alone import alone


def test_one_at_a_time(tmp_path: Path) -> None:
    place = tmp_path / "logs/lock"
    with alone(place), pytest.raises(RelockError) as caught, alone(place):
        pass
    assert (caught.value.what, caught.value.where) == ("another run is at work", str(place))
    with alone(place):
        assert place.exists()


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RelockError) as caught, alone(tmp_path / "file/lock"):
        pass
    assert caught.value.what == "cannot be written: file exists"
